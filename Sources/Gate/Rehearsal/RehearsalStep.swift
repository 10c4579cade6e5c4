import Facts
import Policy

/// One thing that a rehearsal wants to see, in one start or several.
enum RehearsalStep: Hashable, Sendable {
    case untouched(isLast: Bool)
    /// Under the forging CA, with a key that no pin names.
    case unknownKey(HostName)
    /// The same under a CA that nobody installed.
    case unknownCA(HostName)
    /// Under the forging CA, with the key that was lent.
    case lentKey(HostName)
    /// Under the forging CA, with a certificate that is over.
    case lapse(HostName, withLentKey: Bool)
    /// Under the forging CA, with the genuine key and a wrong signature; current, or over.
    case genuineKey(HostName, isOver: Bool)
    /// A chain of the team's own, as it is; without its key the signature is wrong.
    case chain(String, HostName, isSigned: Bool)
    /// Under the forging CA, with an unknown key and dates that begin on a day to come, beside controls that are shown the same; the
    /// client's clock is set to that day, or left alone.
    case dayToCome(CalendarDate, HostName, beside: Set<HostName>, isSet: Bool)
    /// Controls under a CA that nobody installed: who takes that is none.
    case carelessControls(Set<HostName>)

    var phase: Plan.Phase {
        switch self {
        case .untouched: .passthrough
        case .unknownKey(let host): Self.attack(.trustedCA, host)
        case .unknownCA(let host): Self.attack(.untrustedCA, host)
        case .lentKey(let host): Self.attack(.lentKey, host)
        case .lapse(let host, let withLentKey): Self.attack(.rehearsedLapse(withLentKey: withLentKey), host)
        case .genuineKey(let host, let isOver): Self.attack(.rehearsedGenuineKey(isOver: isOver), host)
        case .chain(let name, let host, _): Self.attack(.rehearsal(of: name), host)
        case .dayToCome(let day, let host, let controls, let isSet):
            Self.attack(
                .rehearsedClock(day, isSet: isSet), controls.union([host]))
        case .carelessControls(let hosts): .attack(.untrustedCA, Attack.untrustedCA.variants[0], only: hosts)
        }
    }

    /// Whom it is about; nil: all.
    var host: HostName? {
        switch self {
        case .untouched, .carelessControls: nil
        case .unknownKey(let host), .unknownCA(let host), .lentKey(let host), .lapse(let host, _),
            .chain(_, let host, _), .genuineKey(let host, _), .dayToCome(_, let host, _, _):
            host
        }
    }

    /// No handshake can come of it: what tells is what the app complains of.
    var isUnsigned: Bool {
        switch self {
        case .genuineKey: true
        case .chain(_, _, let isSigned): !isSigned
        default: false
        }
    }

    /// Whether a start was made for it.
    func isOf(_ start: TrialStart) -> Bool {
        switch phase {
        case .passthrough, .debugging: start.attack == .passthrough
        case .attack(let attack, let variant, let only):
            start.attack == attack.id && start.variant == variant.name && isAimed(start, at: only)
        }
    }

    /// Which controls stand beside the host may change from start to start, as an app comes to more of them.
    private func isAimed(_ start: TrialStart, at only: Set<HostName>) -> Bool {
        if case .dayToCome(_, let host, _, _) = self { return start.only.contains(host) }
        return Set(start.only) == only
    }

    private static func attack(_ attack: Attack, _ host: HostName) -> Plan.Phase { Self.attack(attack, [host]) }

    private static func attack(_ attack: Attack, _ hosts: Set<HostName>) -> Plan.Phase {
        .attack(attack, attack.variants[0], only: hosts)
    }
}
