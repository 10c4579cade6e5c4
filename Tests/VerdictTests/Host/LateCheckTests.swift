import Facts
import Policy
import Testing

@testable import Verdict

/// A client that sends its request under `trusted-ca`, and refuses what else is forged.
private let sending = App(visits: [
    .accepting("cdn.test"),
    App.Visit(host: "api.test") { attack, _ in attack.isTrustedChain ? [.request(96)] : [.alert(46)] },
])

private func judged(_ change: (inout Edited) -> Void) throws -> Subtype? {
    var run = Edited(sending, coldStarts: 2)
    change(&run)
    return try run.verdict().subtype
}

extension Edited {
    fileprivate mutating func exits(_ exit: Int, in numbers: [Int], timedOut: Bool = false) {
        records = records.map { record in
            guard case .trialEnded(var end) = record, numbers.contains(end.trial) else { return record }
            end.exit = exit
            end.timedOut = timedOut
            return .trialEnded(end)
        }
    }
}

@Test("data and then off without waiting for the answer, or with a word about the certificate, is a check too late")
func brokeOff() throws {
    #expect(try judged { _ in } == .plain)
    #expect(try judged { $0.edit("api.test", in: $0.numbers(.trustedCA), { $0.bytesDown = 0 }) } == .leak)
    #expect(
        try judged { run in
            run.edit("api.test", in: run.numbers(.trustedCA)) {
                $0.alerts = [Alert(from: .client, level: 2, code: 46, epoch: .application, ms: 25)]
            }
        } == .leak)
    // One that was answered and content is not late.
    #expect(try judged { $0.edit("api.test", in: [$0.numbers(.trustedCA)[0]], { $0.bytesDown = 0 }) } == .plain)
    // Nor is one that waited, and in the end went, or that somebody else ended.
    #expect(
        try judged { run in
            run.edit("api.test", in: run.numbers(.trustedCA)) {
                $0.bytesDown = 0
                $0.close?.ms = 30_000
            }
        } == .plain)
    #expect(
        try judged { run in
            run.edit("api.test", in: run.numbers(.trustedCA)) {
                $0.bytesDown = 0
                $0.close?.by = .gate
            }
        } == .plain)
}

@Test("COMMAND that fails under trusted-ca, and only there, has looked; it decides nothing else")
func commandComplained() throws {
    #expect(try judged { $0.exits(1, in: $0.numbers(.trustedCA)) } == .leak)
    #expect(try judged { $0.exits(1, in: [$0.numbers(.trustedCA)[0]]) } == .plain)
    #expect(try judged { $0.exits(1, in: $0.numbers(.trustedCA), timedOut: true) } == .plain)
    #expect(try judged { $0.exits(1, in: $0.numbers(.trustedCA) + [$0.numbers(.passthrough)[0]]) } == .plain)
    // It may have failed of another connection, which was refused and carried nothing.
    var beside = Edited(
        App(visits: sending.visits + [.always("api.test", .alert(46))]), .test(), coldStarts: 2)
    beside.exits(1, in: beside.numbers(.trustedCA))
    #expect(try beside.verdict().subtype == .plain)
    // It may have failed of a host that is pinned.
    var run = Edited(
        App(visits: sending.visits + [.always("feed.test", .alert(46))]),
        .test(refuse: ["api.test", "feed.test"]), coldStarts: 2)
    run.exits(1, in: run.numbers(.trustedCA))
    #expect(try run.verdict(.test(refuse: ["api.test", "feed.test"])).subtype == .plain)
    // And a proof does not ask for it.
    var proven = Edited()
    proven.exits(1, in: Array(1...40))
    #expect(try proven.verdict().verdict == .provenPinned)
}

@Test("COMMAND that fails where the host did not answer as usual has another reason for it than a pin")
func commandHadAnotherReason() throws {
    func failing(_ change: (inout Observation) -> Void) throws -> Subtype? {
        try judged { run in
            run.exits(1, in: run.numbers(.trustedCA))
            run.edit("api.test", in: run.numbers(.trustedCA), change)
        }
    }
    #expect(try failing { $0.status = 200 } == .leak)
    // The origin asks for a client certificate, as it does of the app, and the proxy has none: it is shown the door.
    #expect(
        try failing { seen in
            seen.upstream?.asksForCertificate = true
            seen.bytesDown = 0
            seen.close = .init(by: .origin, how: .closeNotify, ms: 25)
        } == .plain)
    #expect(try failing { $0.upstream?.asksForCertificate = true } == .plain)
    #expect(try failing { $0.status = 401 } == .plain)
    #expect(try failing { $0.upstream?.error = "connection reset" } == .plain)
    #expect(try failing { $0.error = "origin: unexpected end" } == .plain)
    #expect(try failing { $0.close = .init(by: .origin, how: .rst, ms: 25) } == .plain)
    #expect(try failing { $0.close = .init(by: .origin, how: .fin, ms: 25) } == .leak)
    // A server that serves with and without a certificate has turned nobody away.
    #expect(
        try failing { seen in
            seen.upstream?.asksForCertificate = true
            seen.status = 200
        } == .leak)
}

@Test("the witnesses of a check that came too late can be named")
func witnesses() {
    var run = Edited(sending, coldStarts: 2)
    run.edit("api.test", in: run.numbers(.trustedCA), { $0.bytesDown = 0 })
    let file = CaseFile(profile: .test(), runs: [RunEvidence(run.records)])
    let late = LateCheck(file: file, review: Review(file, "api.test", expect: .refuse))
    #expect(late.witnesses.map(\.trial.number) == run.numbers(.trustedCA))
}
