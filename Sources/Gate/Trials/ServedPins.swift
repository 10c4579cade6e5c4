import Coding
import Facts
import Flows
import Loop
import Policy
import Proxy

/// Looks for the pins of hosts that have to refuse in what hosts without a pin answer.
///
/// Whoever stands between the app and such a host could write them. An app may fetch them before its first connection to the
/// pinned host, so what is found is kept for the run, and each observation of a pinned host is told what is known by then.
/// Hashes are compared and forgotten; only names of hosts become evidence.
final class ServedPins: Sendable {
    private let profile: Profile
    /// By hash (SHA-256, hexadecimal).
    private let found = Locked<[String: Set<HostName>]>([:])

    /// Hashes that are remembered, those of files and tokens among them; those beyond it are not looked for.
    static let limit = 65_536

    init(_ profile: Profile) { self.profile = profile }

    /// For one connection; nil where a pin protects what is said, or should.
    func reader(of host: HostName, _ negotiated: Negotiated?) -> (any ExchangeListener)? {
        guard negotiated == nil || profile.role(of: host) != .refuse else { return nil }
        return ServedPinsReader(AnswerDigests(alpn: negotiated?.alpn, tools: .linked) { self.note($0, from: host) })
    }

    func note(_ digest: [UInt8], from host: HostName) {
        let digest = Hex.encode(digest)
        found.withLock { found in
            guard found[digest] != nil || found.count < Self.limit else { return }
            found[digest, default: []].insert(host)
        }
    }

    /// The same, with the hosts that have named a pin of its host.
    func marked(_ observation: Observation) -> Observation {
        guard let host = observation.host, profile.role(of: host) == .refuse else { return observation }
        var marked = observation
        let sought = sought(of: host, observation)
        marked.pinsServedBy = found.withLock { found in
            sought.reduce(into: Set<HostName>()) { $0.formUnion(found[$1] ?? []) }.sorted()
        }
        return marked
    }

    private func sought(of host: HostName, _ observation: Observation) -> Set<String> {
        let pins = (profile.rule(for: host)?.pins ?? []).map(\.base64)
        let upstream = observation.upstream.flatMap { $0.verified ? $0 : nil }
        let keys = (pins + (upstream?.spki ?? [])).compactMap { Base64.decoded(Array($0.utf8)[...]) }
        return Set(keys.map { Hex.encode($0) } + (upstream?.chain ?? []))
    }
}

/// Hands on what one connection says.
private final class ServedPinsReader: ExchangeListener {
    private let answers: AnswerDigests

    init(_ answers: AnswerDigests) { self.answers = answers }

    func passed(_ bytes: Span<UInt8>, _ direction: ExchangeDirection, at now: Double) {
        var copy: [UInt8] = []
        copy.append(copying: bytes)
        answers.read(copy[...], direction)
    }

    func clientEnded(at now: Double) {}

    func ended(_ close: Observation.Close?, isAnswerLost: Bool, at now: Double) { answers.end() }
}
