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
    /// Of all hosts that may be attacked; nil where one of them has not shown its own.
    package var keys: GenuineKeys?

    package init(seen: [OriginSeen] = [], silent: [HostName] = [], keys: GenuineKeys? = nil) {
        self.seen = seen
        self.silent = silent
        self.keys = keys
    }
}

/// Asks the servers of pinned hosts for their chains, before any client is started.
///
/// A host whose pins fit none of the keys that its server shows cannot be judged: somebody else is in the middle already,
/// or the pins are dead. That is to be known before minutes are spent.
///
/// All others that may be attacked are asked as well, for the kinds of their keys alone: to make the like takes seconds.
struct OriginProbes: Sendable {
    private let profile: Profile
    private let trust: TrustStore

    /// Hosts that are asked; each is a call of its own, and all are made at the same time.
    private static let limit = 64
    /// Other addresses of one name that are asked where the first fits no pin.
    private static let addressLimit = 8
    /// Seconds for one answer: three SYN are sent in them (RFC 6298 §2.1: after 1, 3 and 7 s).
    private static let patience = 10.0
    /// The same for a host of which only the kinds of its keys are wanted: to do without them costs some seconds.
    private static let shortPatience = 2.0
    /// Seconds that a person notices, and is told the reason of.
    private static let noticed = 5.0

    init(_ profile: Profile, trust: TrustStore) {
        self.profile = profile
        self.trust = trust
    }

    /// In the order of the profile. A host that cannot be reached now is told of when the app asks for it: its server may be
    /// started by COMMAND. One that kept the run waiting is named at once.
    @Sendable func ask() async -> OriginAnswers {
        let pinned = profile.rules.filter { !$0.pins.isEmpty && $0.pattern.scope == .exact }.map(\.pattern.base)
        async let others = askOthers()
        var answers = await withTaskGroup(of: (Int, Answer?, Double).self) { group in
            for (index, host) in pinned.prefix(Self.limit).enumerated() {
                group.addTask {
                    let began = MonotonicClock.now
                    return (index, await ask(host), MonotonicClock.now - began)
                }
            }
            var keys: GenuineKeys? = pinned.count > Self.limit ? nil : GenuineKeys()
            var seen: [(Int, OriginSeen)] = []
            var silent: [Int] = []
            for await (index, answer, seconds) in group {
                if let answer {
                    seen.append((index, answer.seen))
                } else if seconds > Self.noticed {
                    silent.append(index)
                }
                keys.add(answer?.keys)
            }
            return OriginAnswers(
                seen: seen.sorted { $0.0 < $1.0 }.map(\.1), silent: silent.sorted().map { pinned[$0] }, keys: keys)
        }
        answers.keys.add(await others)
        return answers
    }

    /// nil where one of them does not answer, or is known by a pattern alone, or not at all.
    private func askOthers() async -> GenuineKeys? {
        let rules = profile.rules.filter { $0.expect != .tunnel }
        let patterns = rules.map(\.pattern) + profile.controls
        let unpinned = rules.filter(\.pins.isEmpty).map(\.pattern) + profile.controls
        guard profile.others == .tunnel, patterns.allSatisfy({ $0.scope == .exact }), unpinned.count <= Self.limit
        else { return nil }
        return await withTaskGroup(of: GenuineKeys?.self) { group in
            for host in Set(unpinned.map(\.base)) {
                group.addTask { await ask(Endpoint(host, 443), at: place(of: host), within: Self.shortPatience)?.keys }
            }
            return await group.reduce(into: GenuineKeys?(GenuineKeys())) { $0.add($1) }
        }
    }

    private func place(of host: HostName) -> Endpoint? {
        profile.resolve[host].map { Endpoint($0.host, $0.port ?? 443) }
    }

    private struct Answer {
        var seen: OriginSeen
        var keys = GenuineKeys()
    }

    /// Servers may have two certificates, and show the one with the kind of key that their client can verify; and one name
    /// may stand for servers with different chains, halfway through a rotation. Which of them the app gets is not known
    /// here: where the first answer fits no pin, the others are asked for as well.
    private func ask(_ host: HostName) async -> Answer? {
        let pins = Set((profile.rule(for: host)?.pins ?? []).map(\.base64))
        let target = Endpoint(host, 443)
        let place = place(of: host)
        guard var answer = await ask(target, at: place) else { return nil }
        guard pins.isDisjoint(with: answer.seen.spki) else { return answer }
        let ofRSA = OriginOffer(signatureAlgorithms: Self.ofRSA)
        var others = [await ask(target, at: place, offering: ofRSA)]
        if profile.upstream.proxy == nil {
            let addresses = await ChainProbe.addresses(of: place ?? target, within: Self.patience)
            others += await withTaskGroup(of: [Answer?].self) { group in
                for address in addresses.prefix(Self.addressLimit) where addresses.count > 1 {
                    group.addTask {
                        [await ask(target, at: address), await ask(target, at: address, offering: ofRSA)]
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
        }
        for other in others.compactMap({ $0 }) {
            answer.keys.add(other.keys)
            for key in other.seen.spki where !answer.seen.spki.contains(key) { answer.seen.spki.append(key) }
        }
        return answer
    }

    /// rsa_pss_rsae and rsa_pkcs1 with SHA-256, 384 and 512 (RFC 8446 §4.2.3).
    private static let ofRSA: [UInt16] = [0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601]

    private func ask(
        _ target: Endpoint, at place: Endpoint?, offering offer: OriginOffer? = nil,
        within seconds: Double = OriginProbes.patience
    ) async -> Answer? {
        let host = target.host
        let probe = ChainProbe(
            target, at: place, through: profile.upstream.proxy.map { UpstreamProxy($0) }, trust: trust,
            offering: offer, within: seconds)
        guard case .chain(let certificates, let refusal) = await probe.ask(), let leaf = certificates.first else {
            return nil
        }
        var seen = OriginSeen(
            host: host, verified: refusal == nil, certificates: certificates.map(CertificateFacts.init),
            spki: certificates.map(\.spkiSHA256Base64), error: refusal)
        var keys = GenuineKeys()
        keys.add(leaf: leaf, issuers: Array(certificates.dropFirst()))
        guard refusal == nil,
            let path = try? trust.path(from: leaf, among: Array(certificates.dropFirst()), for: host),
            path.problem == nil, let root = path.certificates.last
        else { return Answer(seen: seen, keys: keys) }
        keys.add(leaf: leaf, issuers: Array(path.certificates.dropFirst()))
        for certificate in path.certificates where !seen.spki.contains(certificate.spkiSHA256Base64) {
            seen.spki.append(certificate.spkiSHA256Base64)
        }
        seen.anchor = anchor(root)
        return Answer(seen: seen, keys: keys)
    }

    private func anchor(_ root: Certificate) -> OriginSeen.Anchor {
        let named = profile.upstream.roots.flatMap { (try? Certificate.readAll(path: $0)) ?? [] }
        if named.contains(root) { return .profile }
        return AddedRoots.all().contains(root) ? .added : .public
    }
}

extension GenuineKeys? {
    /// What is not known leaves the whole unknown.
    fileprivate mutating func add(_ other: GenuineKeys?) {
        guard let other else { return self = nil }
        self?.add(other)
    }
}
