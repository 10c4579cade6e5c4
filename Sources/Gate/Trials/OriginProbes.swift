import Authority
import Facts
import Loop
import Policy
import Proxy
import TLS

/// Who answers for pinned hosts, before the first start.
package struct OriginAnswers: Sendable {
    package var seen: [OriginSeen] = []
    /// Those that kept the run waiting, and did not answer.
    package var silent: [HostName] = []

    package init(seen: [OriginSeen] = [], silent: [HostName] = []) {
        self.seen = seen
        self.silent = silent
    }
}

/// Asks the servers of pinned hosts for their chains, before any client is started.
///
/// A host whose pins fit none of the keys that its server shows cannot be judged: somebody else is in the middle already,
/// or the pins are dead. That is to be known before minutes are spent.
struct OriginProbes: Sendable {
    private let profile: Profile
    private let trust: TrustStore

    /// Hosts that are asked; each is a call of its own, and all are made at the same time.
    private static let limit = 64
    /// Other addresses of one name that are asked where the first fits no pin.
    private static let addressLimit = 8
    /// Seconds for one answer: three SYN are sent in them (RFC 6298 §2.1: after 1, 3 and 7 s).
    private static let patience = 10.0
    /// Seconds that a person notices, and is told the reason of.
    private static let noticed = 5.0

    init(_ profile: Profile, trust: TrustStore) {
        self.profile = profile
        self.trust = trust
    }

    /// In the order of the profile. A host that cannot be reached now is told of when the app asks for it: its server may be
    /// started by COMMAND. One that kept the run waiting is named at once.
    @Sendable func ask() async -> OriginAnswers {
        let hosts = profile.rules.filter { !$0.pins.isEmpty && $0.pattern.scope == .exact }.map(\.pattern.base)
        return await withTaskGroup(of: (Int, OriginSeen?, Double).self) { group in
            for (index, host) in hosts.prefix(Self.limit).enumerated() {
                group.addTask {
                    let began = MonotonicClock.now
                    return (index, await ask(host), MonotonicClock.now - began)
                }
            }
            var seen: [(Int, OriginSeen)] = []
            var silent: [Int] = []
            for await (index, answer, seconds) in group {
                if let answer { seen.append((index, answer)) } else if seconds > Self.noticed { silent.append(index) }
            }
            return OriginAnswers(
                seen: seen.sorted { $0.0 < $1.0 }.map(\.1), silent: silent.sorted().map { hosts[$0] })
        }
    }

    /// Servers may have two certificates, and show the one with the kind of key that their client can verify; and one name
    /// may stand for servers with different chains, halfway through a rotation. Which of them the app gets is not known
    /// here: where the first answer fits no pin, the others are asked for as well.
    private func ask(_ host: HostName) async -> OriginSeen? {
        let pins = Set((profile.rule(for: host)?.pins ?? []).map(\.base64))
        let target = Endpoint(host, 443)
        let place = profile.resolve[host].map { Endpoint($0.host, $0.port ?? target.port) }
        guard var seen = await ask(target, at: place) else { return nil }
        guard pins.isDisjoint(with: seen.spki) else { return seen }
        let ofRSA = OriginOffer(signatureAlgorithms: Self.ofRSA)
        var others = [await ask(target, at: place, offering: ofRSA)]
        if profile.upstream.proxy == nil {
            let addresses = await ChainProbe.addresses(of: place ?? target, within: Self.patience)
            others += await withTaskGroup(of: [OriginSeen?].self) { group in
                for address in addresses.prefix(Self.addressLimit) where addresses.count > 1 {
                    group.addTask {
                        [await ask(target, at: address), await ask(target, at: address, offering: ofRSA)]
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
        }
        for key in others.compactMap({ $0 }).flatMap(\.spki) where !seen.spki.contains(key) { seen.spki.append(key) }
        return seen
    }

    /// rsa_pss_rsae and rsa_pkcs1 with SHA-256, 384 and 512 (RFC 8446 §4.2.3).
    private static let ofRSA: [UInt16] = [0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601]

    private func ask(_ target: Endpoint, at place: Endpoint?, offering offer: OriginOffer? = nil) async -> OriginSeen? {
        let host = target.host
        let probe = ChainProbe(
            target, at: place, through: profile.upstream.proxy.map { UpstreamProxy($0) }, trust: trust,
            offering: offer, within: Self.patience)
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
