import Embedded
import Evidence
import Facts
import Loop
import Policy
import Proxy
import TLS
import Verdict

/// Shows, before every run, that this gate can tell a pinned client from an unpinned one.
///
/// Two embedded clients go through the very proxy, CA and judge of the run, to an embedded origin. One insists on the
/// origin's key, the other on nothing; a third name is the control that both may visit. A gate that does not come to
/// `proven-pinned` and `not-pinned` here gives no verdict at all.
package struct SelfTest: Sendable {
    private let proxy: ProxyServer
    private let router: ObservationRouter
    private let authority: CertificateAuthority

    package init(proxy: ProxyServer, router: ObservationRouter, authority: CertificateAuthority) {
        self.proxy = proxy
        self.router = router
        self.authority = authority
    }

    /// Names below the reserved domain, which constrained CAs permit as well.
    private enum Name {
        static let pinned = "pinned.self-test.pinproof.invalid"
        static let unpinned = "unpinned.self-test.pinproof.invalid"
        static let control = "control.self-test.pinproof.invalid"
    }

    /// Leaves the plan and the roots of the proxy changed: the next `apply` sets the run's own.
    package func run() async -> SelfTestResult {
        let started = MonotonicClock.now
        var problems: [String]
        do {
            problems = try await verdicts().compactMap(Self.problem)
        } catch {
            problems = ["it could not be run: \(error)"]
        }
        return SelfTestResult(
            passed: problems.isEmpty, problems: problems, ms: ((MonotonicClock.now - started) * 1e4).rounded() / 10)
    }

    private static func problem(_ verdict: HostVerdict) -> String? {
        let (wanted, who): (VerdictWord, String) =
            verdict.host == Name.pinned ? (.provenPinned, "the pinned client") : (.notPinned, "the unpinned client")
        guard verdict.verdict != wanted else { return nil }
        return "\(who) was judged \(verdict.verdict.rawValue), not \(wanted.rawValue): \(verdict.why)"
    }

    private func verdicts() async throws -> [HostVerdict] {
        let origin = try EmbeddedOrigin(now: WallClock.now)
        let profile = try profile(origin)
        let seen = Locked<[Observation]>([])
        router.route(to: ObservationRouter.Sink(observed: { one in seen.withLock { $0.append(one) } }))
        defer { router.route(to: .none) }
        let proxyTrust = try TrustStore(systemRoots: false, roots: [origin.root])
        let appTrust = try TrustStore(systemRoots: false, roots: [origin.root, authority.root])

        var records: [EvidenceRecord] = [
            .header(header(profile)), .selfTest(SelfTestResult(passed: true, problems: [], ms: 0)),
        ]
        for (index, attack) in [nil, Attack.trustedCA, .untrustedCA, nil].enumerated() {
            let phase = attack.map { Plan.Phase.attack($0, $0.variants[0], only: []) } ?? .passthrough
            let trial = index + 1
            try await proxy.apply(Plan(profile: profile, phase: phase, trial: trial), trust: proxyTrust)
            records.append(
                .trialStarted(
                    TrialStart(
                        trial: trial, attack: attack?.id ?? .passthrough, variant: nil, only: [], at: WallClock.now)))
            for name in [Name.pinned, Name.unpinned, Name.control] {
                guard let host = HostName(name) else { continue }
                _ = await EmbeddedClient(
                    proxy: proxy.address, target: Endpoint(host, 443), trust: appTrust,
                    pin: name == Name.pinned ? origin.pin : nil
                ).get()
            }
            await proxy.settle()
            await proxy.endConnections()
            records += seen.withLock { seen in
                defer { seen = [] }
                return seen.map(EvidenceRecord.connection)
            }
            records.append(.trialEnded(TrialEnd(trial: trial, exit: 0, seconds: 0, at: WallClock.now)))
        }
        records.append(.runEnded(RunEnd(interrupted: false, seconds: 0, at: WallClock.now)))
        return Judge.judge(profile: profile, runs: [RunEvidence(records)]).hosts
    }

    private func profile(_ origin: EmbeddedOrigin) throws -> Profile {
        let hosts = [Name.pinned, Name.unpinned, Name.control].compactMap { HostName($0) }
        return Profile(
            name: "self-test",
            rules: [
                HostRule(pattern: HostPattern(exactly: hosts[0]), expect: .refuse, pins: [origin.pin]),
                HostRule(pattern: HostPattern(exactly: hosts[1]), expect: .refuse),
            ],
            controls: [HostPattern(exactly: hosts[2])], coldStarts: 1,
            resolve: Dictionary(
                uniqueKeysWithValues: hosts.map {
                    ($0, Destination(HostName(origin.address.address), origin.address.port))
                }))
    }

    private func header(_ profile: Profile) -> RunHeader {
        RunHeader(
            pinproof: "", openssl: "", libevent: "", started: "", profile: profile.name, profileSHA256: "",
            ca: RunHeader.CA(sha256: authority.root.sha256, scope: []), coldStarts: 1,
            attacks: [.trustedCA, .untrustedCA], options: [:])
    }
}
