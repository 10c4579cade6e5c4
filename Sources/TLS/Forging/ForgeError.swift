import Facts
import Policy

/// Why no chain is presented.
///
/// Nothing is forged by halves: a wrong certificate would be a wrong verdict.
package enum ForgeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The attack presents the origin's own chain, and the origin showed none.
    case noGenuineChain(HostName)
    /// The CA is constrained to other names: clients would refuse for that reason alone.
    case outsideScope(String, scope: [String])
    /// The attack needs a CA of its own below the CA, whose path length forbids it.
    case noRoom
    /// The attack presents a wildcard, and the host is no name inside a domain of two labels or more.
    case noWildcard(HostName)
    case nothingLent(HostName, LentKind)
    /// No chain of the team's own has this name.
    case nothingRehearsed(String)
    /// The CA ends before a leaf of this attack could begin.
    case issuerEndsTooSoon(unixSeconds: Int64)
    case cannotImitate(ImitationError)
    /// The finished leaf has other defects than its attack names.
    case lint(HostName, intended: Set<LeafDefect>, found: Set<LeafDefect>)
    /// The imitated key is the genuine one, or none that signs.
    case imitationIsNoMismatch(HostName)
    case openSSL(OpenSSLError)

    /// It is the CA that stands in the way, as its maker wanted it, or the host's name: nothing has failed.
    package var isLimitOfCA: Bool {
        switch self {
        case .outsideScope, .noRoom, .noWildcard: true
        default: false
        }
    }

    /// What was taken over from the genuine chain may be the cause: without it there may be none.
    var isOfLikeness: Bool {
        switch self {
        case .lint, .openSSL: true
        default: false
        }
    }

    package var description: String {
        switch self {
        case .noGenuineChain(let host): "\(host) has shown no certificate that could be presented"
        case .outsideScope(let name, let scope):
            "the CA is constrained to \(scope.joined(separator: ", ")) and cannot sign for \(name)"
        case .noRoom:
            "the CA's path length leaves no room for another below it (`pinproof ca init` makes one with room)"
        case .noWildcard(let host): "no wildcard that servers may use names \(host)"
        case .nothingLent(let host, let kind): "no \(kind.rawValue) is lent for \(host)"
        case .nothingRehearsed(let name): "there is no chain \(name)"
        case .issuerEndsTooSoon(let end):
            "the CA ends on \(UTCTime(unix: end).date.description), too soon for this certificate"
        case .cannotImitate(let error): "\(error)"
        case .lint(let host, let intended, let found):
            "the certificate forged for \(host) has defects \(Self.list(found)) instead of \(Self.list(intended))"
        case .imitationIsNoMismatch(let host):
            "the substitute key for \(host) unexpectedly fits the genuine certificate"
        case .openSSL(let error): "\(error)"
        }
    }

    private static func list(_ defects: Set<LeafDefect>) -> String {
        "[\(defects.map(\.rawValue).sorted().joined(separator: ", "))]"
    }
}
