import Authority
import Facts
import Policy
import Proxy
import TLS

/// Asks the servers of pinned hosts for their chains, before any client is started.
///
/// A host whose pins fit none of the keys that its server shows cannot be judged: somebody else is in the middle already,
/// or the pins are dead. That is to be known before minutes are spent.
struct OriginProbes: Sendable {
    private let profile: Profile
    private let trust: TrustStore

    /// Hosts that are asked; each is a call of its own, and all are made at the same time.
    private static let limit = 64

    init(_ profile: Profile, trust: TrustStore) {
        self.profile = profile
        self.trust = trust
    }

    /// Those that answered, in the order of the profile. One that cannot be reached now is told of when the app asks for it:
    /// its server may be started by COMMAND.
    @Sendable func ask() async -> [OriginSeen] {
        let hosts = profile.rules.filter { !$0.pins.isEmpty && $0.pattern.scope == .exact }.map(\.pattern.base)
        return await withTaskGroup(of: (Int, OriginSeen?).self) { group in
            for (index, host) in hosts.prefix(Self.limit).enumerated() {
                group.addTask { (index, await ask(host)) }
            }
            var seen: [(Int, OriginSeen)] = []
            for await (index, answer) in group { if let answer { seen.append((index, answer)) } }
            return seen.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Servers may have two certificates, and show the one with the kind of key that their client can verify. Which of them
    /// the app gets is not known here: where the first fits no pin, the other one is asked for as well.
    private func ask(_ host: HostName) async -> OriginSeen? {
        let pins = Set((profile.rule(for: host)?.pins ?? []).map(\.base64))
        guard var seen = await ask(host, offering: nil) else { return nil }
        guard pins.isDisjoint(with: seen.spki),
            let other = await ask(host, offering: OriginOffer(signatureAlgorithms: Self.ofRSA))
        else { return seen }
        seen.spki += other.spki.filter { !seen.spki.contains($0) }
        return seen
    }

    /// rsa_pss_rsae and rsa_pkcs1 with SHA-256, 384 and 512 (RFC 8446 §4.2.3).
    private static let ofRSA: [UInt16] = [0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601]

    private func ask(_ host: HostName, offering offer: OriginOffer?) async -> OriginSeen? {
        let target = Endpoint(host, 443)
        let place = profile.resolve[host].map { Endpoint($0.host, $0.port ?? target.port) }
        let probe = ChainProbe(
            target, at: place, through: profile.upstream.proxy.map { UpstreamProxy($0) }, trust: trust,
            offering: offer)
        guard case .chain(let certificates, let refusal) = await probe.ask(), let leaf = certificates.first else {
            return nil
        }
        var seen = OriginSeen(
            host: host, verified: refusal == nil, certificates: certificates.map(CertificateFacts.init),
            spki: certificates.map(\.spkiSHA256Base64), error: refusal)
        guard refusal == nil,
            let path = try? trust.path(from: leaf, among: Array(certificates.dropFirst()), for: host),
            path.problem == nil, let root = path.certificates.last
        else { return seen }
        for certificate in path.certificates where !seen.spki.contains(certificate.spkiSHA256Base64) {
            seen.spki.append(certificate.spkiSHA256Base64)
        }
        seen.anchor = anchor(root)
        return seen
    }

    private func anchor(_ root: Certificate) -> OriginSeen.Anchor {
        let named = profile.upstream.roots.flatMap { (try? Certificate.readAll(path: $0)) ?? [] }
        if named.contains(root) { return .profile }
        return AddedRoots.all().contains(root) ? .added : .public
    }
}
