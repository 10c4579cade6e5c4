import Facts
import Policy
import Report
import Testing

@testable import Verdict

private func judged(_ untouched: @escaping @Sendable (Int) -> Bool?, control: Bool = true) throws -> HostVerdict {
    var visit = App.Visit.pinned("api.test")
    visit.untouched = untouched
    return try App(visits: (control ? [.accepting("cdn.test")] : []) + [visit]).judge(.test()).host("api.test")
}

@Suite struct NoRecoveryTests {
    @Test("an app that does not come back after the attacks shows no recovery, whether it asks or not")
    func lockedOut() throws {
        for answer in [Bool?.none, .some(false)] {
            let finding = try judged({ $0 == 1 ? true : answer }).finding("no-recovery")
            #expect(finding.severity == .warning)
            #expect(finding.text.contains("last passthrough"))
            #expect(try judged({ $0 < 3 ? true : answer }).finding("no-recovery").text.contains("last passthrough"))
            // A pause between the attacks alone.
            #expect(try judged({ $0 == 2 ? answer : true }).finding("no-recovery").text.contains("between"))
        }
        #expect(try judged({ $0 == 1 ? true : nil }, control: false).has("no-recovery"))
    }

    @Test("an app that visits the host in some starts only remembers nothing, as it skipped it unrefused as well")
    func occasional() throws {
        var run = Edited()
        let (passthroughs, first) = (run.numbers(.passthrough), try #require(run.numbers(.trustedCA).first))
        run.edit("api.test", in: Array(passthroughs.dropFirst()), remove: true)
        #expect(try run.verdict().has("no-recovery"))
        // Silent before anything was refused.
        run.edit("api.test", in: [first], remove: true)
        #expect(try !run.verdict().has("no-recovery"))
        // Every second start: it is there in an untouched one after refusals.
        var second = Edited()
        second.edit("api.test", in: second.trials.keys.filter { $0.isMultiple(of: 2) }, remove: true)
        #expect(try second.verdict().attacks.contains { $0.attack != .passthrough })
        #expect(try !second.verdict().has("no-recovery"))
    }

    @Test("an outage of everything, of the origin or of the only host is nobody's fault")
    func outages() throws {
        #expect(try !judged({ $0 == 1 }, control: false).has("no-recovery"))
        #expect(try !judged({ $0 == 2 ? nil : true }, control: false).has("no-recovery"))
        var control = App.Visit.accepting("cdn.test")
        control.untouched = { $0 == 1 }
        var pinned = App.Visit.pinned("api.test")
        pinned.untouched = { $0 == 1 }
        #expect(try !App(visits: [control, pinned]).judge(.test()).host("api.test").has("no-recovery"))
        var origin = Edited()
        let passthroughs = origin.numbers(.passthrough)
        origin.edit("api.test", in: Array(passthroughs.dropFirst())) { seen in
            seen.passthroughData = false
            seen.upstream = .init(error: "connection refused")
        }
        #expect(try !origin.verdict().has("no-recovery"))
    }

    @Test("an origin that resets, closes or says nothing in one passthrough is no doing of the app that asked it")
    func hiccups() throws {
        typealias Hiccup = @Sendable (inout Observation) -> Void
        let hiccups: [Hiccup] = [
            { $0.close = .init(by: .origin, how: .rst, ms: 5) },
            { ($0.serverAnswered, $0.close) = (false, .init(by: .origin, how: .fin, ms: 5)) },
            { ($0.serverAnswered, $0.close) = (false, .init(by: .client, how: .fin, ms: 5000)) },
            { ($0.clientAsked, $0.close) = (true, .init(by: .client, how: .fin, ms: 5000)) },
        ]
        for hiccup in hiccups {
            var run = Edited()
            let second = run.numbers(.passthrough)[1]
            run.edit("api.test", in: [second]) { seen in
                seen.passthroughData = false
                seen.requests = 0
                hiccup(&seen)
            }
            #expect(try !run.verdict().has("no-recovery"))
        }
    }
}
