import Facts
import Policy
import Report
import Testing

@testable import Verdict

extension Edited {
    /// A watched run that proves, with flows put into trials.
    fileprivate static func watched(_ flows: [NetworkFlow] = [], gap: NetworkWatched? = nil) -> Edited {
        var run = Edited()
        run.records = run.records.flatMap { record -> [EvidenceRecord] in
            switch record {
            case .header(var header):
                header.watchesNetwork = true
                return [.header(header)]
            case .trialEnded(let end):
                let watched = gap.flatMap { $0.trial == end.trial ? $0 : nil } ?? NetworkWatched(trial: end.trial)
                return flows.filter { $0.trial == end.trial }.map { .flow($0) } + [.networkWatched(watched), record]
            default: return [record]
            }
        }
        return run
    }
}

private func flow(
    _ transport: NetworkFlow.Transport, in trial: Int = 2, host: HostName? = nil, names: [HostName] = [],
    hidesName: Bool = false, isCut: Bool = false, cleartext: Bool = false, to: String = "198.51.100.2:443"
) throws -> NetworkFlow {
    NetworkFlow(
        trial: trial, at: 1, transport: transport, from: try #require(Endpoint("192.0.2.1:50000")),
        to: try #require(Endpoint(to)), host: host, hidesName: hidesName, isCut: isCut, names: names,
        cleartext: cleartext)
}

@Suite struct NetworkReviewTests {
    @Test("a watched run without a flow proves, and says that it was watched")
    func clean() throws {
        let verdict = try Edited.watched().verdict()
        #expect(verdict.verdict == .provenPinned)
        #expect(verdict.has("network-watched"))
    }

    @Test("a run that was not watched proves as ever, and does not say that it was")
    func unwatched() throws {
        let verdict = try Edited().verdict()
        #expect(verdict.verdict == .provenPinned && !verdict.has("network-watched"))
    }

    @Test("a direct connection that names the host stands against the proof, worse while it is attacked")
    func direct() throws {
        let run = Edited.watched([try flow(.tcp, host: "api.test")])
        try run.lacks(.finding("direct-connection"))
        let finding = try #require(try run.verdict().findings.first { $0.id == "direct-connection" })
        #expect(finding.severity == .error)
        #expect(finding.text.contains("1 of them in trials that attack it"))
        guard case .flow = run.records[try #require(finding.evidence.first) - 1] else {
            Issue.record("the evidence line is no flow")
            return
        }
        let untouched = Edited.watched([try flow(.tcp, in: 1, host: "api.test")])
        try untouched.lacks(.finding("direct-connection"))
        #expect(try untouched.verdict().findings.first { $0.id == "direct-connection" }?.severity == .warning)
    }

    @Test("cleartext is told as such")
    func cleartext() throws {
        let run = Edited.watched([try flow(.tcp, host: "api.test", cleartext: true)])
        let finding = try #require(try run.verdict().findings.first { $0.id == "direct-connection" })
        #expect(finding.text.contains("in the clear"))
    }

    @Test("a flow without a name counts by its address, and one with another's name does not")
    func address() throws {
        try Edited.watched([try flow(.tcp, names: ["api.test", "else.test"])]).lacks(.finding("direct-connection"))
        let other = Edited.watched([try flow(.tcp, host: "else.test", names: ["api.test"])])
        let judgement = Judge.judge(profile: .test(), runs: [RunEvidence(other.records)])
        #expect(try judgement.host("api.test").verdict == .provenPinned)
        #expect(judgement.findings.map(\.id) == ["other-network-flows"])
    }

    @Test("behind an outer name of ECH the address decides")
    func hidden() throws {
        try Edited.watched([try flow(.quic, host: "outer.test", names: ["api.test"], hidesName: true)])
            .lacks(.finding("quic-seen"))
        let elsewhere = Edited.watched([try flow(.quic, host: "outer.test", hidesName: true)])
        #expect(try elsewhere.verdict().verdict == .provenPinned)
    }

    @Test("QUIC to nobody knows whom may be any host's; TCP to nobody knows where is nobody's")
    func unknown() throws {
        try Edited.watched([try flow(.quic)]).lacks(.finding("quic-seen"))
        try Edited.watched([try flow(.udp)]).lacks(.finding("quic-seen"))
        #expect(try Edited.watched([try flow(.tcp)]).verdict().verdict == .provenPinned)
        try Edited.watched([try flow(.tcp, hidesName: true, isCut: true)]).lacks(.finding("direct-connection"))
        #expect(try Edited.watched([try flow(.tcp, hidesName: true)]).verdict().verdict == .provenPinned)
        #expect(
            try Edited.watched([try flow(.tcp, names: ["cdn.test"], hidesName: true)]).verdict().verdict
                == .provenPinned)
        #expect(try Edited.watched([try flow(.udp, names: ["cdn.test"])]).verdict().verdict == .provenPinned)
    }

    @Test(
        "a watch with gaps proves nothing",
        arguments: [
            NetworkWatched(trial: 2, dropped: 1), NetworkWatched(trial: 2, untracked: 1),
            NetworkWatched(trial: 2, fault: "the network is down"),
        ])
    func gaps(_ gap: NetworkWatched) throws {
        try Edited.watched(gap: gap).lacks(.finding("network-watch-incomplete"))
    }

    @Test("a trial without its line was not watched")
    func missingLine() throws {
        var run = Edited.watched()
        run.records.removeAll { if case .networkWatched(let watched) = $0 { watched.trial == 2 } else { false } }
        try run.lacks(.finding("network-watch-incomplete"))
    }

    @Test("a witness stays a witness")
    func witness() throws {
        var run = Edited.watched([try flow(.tcp, host: "api.test")])
        run.edit("api.test", in: run.numbers(.trustedCA), { $0 = .like($0, .request(100)) })
        let verdict = try run.verdict()
        #expect(verdict.verdict == .notPinned && verdict.has("direct-connection"))
    }

    @Test("a host of a wildcard that is only ever reached directly is not passed over")
    func onlyDirect() throws {
        let run = Edited.watched([try flow(.tcp, host: "img.api.test")])
        let judgement = Judge.judge(
            profile: .test(refuse: ["api.test", "*.api.test"]), runs: [RunEvidence(run.records)])
        let verdict = try judgement.host("img.api.test")
        #expect(verdict.verdict == .notExercised && verdict.has("direct-connection"))
        #expect(judgement.result == .inconclusive)
    }

    @Test("of several runs all have to watch for the claim to say so")
    func merged() throws {
        let runs = [RunEvidence(Edited.watched().records), RunEvidence(Edited().records)]
        let verdict = try Judge.judge(profile: .test(), runs: runs).host("api.test")
        #expect(verdict.verdict == .provenPinned && !verdict.has("network-watched"))
    }
}
