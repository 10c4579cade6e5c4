import Facts
import Testing

@testable import Pins

@Suite("a rehearsal as a whole")
struct RehearsalReportTests {
    private static let today = CalendarDate(year: 2026, month: 12, day: 1)

    private static func report(
        _ outcomes: [(Rehearsed.Outcome, isOwn: Bool)], fault: String? = nil, hostFault: String? = nil,
        isInterrupted: Bool = false, isRequired: Bool = true
    ) -> RehearsalReport {
        let scenarios = outcomes.enumerated().map { Rehearsed("c\($0)", $1.0, .seen, "why", isOwn: $1.isOwn) }
        let host = RehearsalReport.Host(
            host: "api.test", scenarios: scenarios, pins: [], certificates: [], fault: hostFault,
            isRequired: isRequired)
        return RehearsalReport(
            profile: "p", build: "1.2.3", today: today, hosts: [host], timeline: [], run: "runs/x", fault: fault,
            isInterrupted: isInterrupted)
    }

    @Test("the exit status is that of the team's own chains")
    func status() {
        #expect(Self.report([(.works, true), (.lockedOut, false)]).status == 0)
        #expect(Self.report([(.works, true), (.lockedOut, true), (.unclear, true)]).status == 1)
        #expect(Self.report([(.works, true), (.unclear, true)]).status == 2)
        #expect(Self.report([(.unclear, false)]).status == 0)
        #expect(Self.report([(.works, true)], fault: "the self-test failed").status == 3)
        #expect(Self.report([(.unclear, true)], hostFault: "no answer").status == 3)
        #expect(Self.report([(.works, true)], hostFault: "no answer", isRequired: false).status == 0)
        #expect(Self.report([(.works, true)], isInterrupted: true).status == 2)
        // A lock-out is a fact whatever else went wrong.
        #expect(Self.report([(.lockedOut, true)], fault: "the disk is full", isInterrupted: true).status == 1)
    }

    @Test("at the end of a certificate those builds break that another key in its place locks out")
    func timeline() {
        let judge = RehearsalJudge(Rehearsing.pinned(["issuer"]))
        let timeline = RehearsalTimeline(
            host: "api.test", judge: judge, build: "1.2.3", chains: [nil: Rehearsing.genuine])
        let later = CalendarDate(year: 2029, month: 1, day: 1)
        let events = timeline.events(
            [
                DatedCertificate(role: .intermediate, subject: "CN=i", key: "issuer", ends: later),
                DatedCertificate(role: .leaf, subject: "CN=l", key: "leaf", ends: Self.today),
            ], [PinExpiry(host: "api.test", date: later), PinExpiry(host: "other.test", date: later)])
        #expect(events.map(\.event) == ["leaf expires", "intermediate expires", "pins expire"])
        #expect(events.map(\.breaks) == [[], ["1.2.3"], []])
        #expect(events.map(\.isUnclear) == [false, false, false])
    }

    @Test("what follows the end of a chain of the team's own is judged by that chain")
    func ownTimeline() {
        let judge = RehearsalJudge(Rehearsing.pinned(["leaf", "next"]))
        let own = ChainKeys(leaf: "next", issuers: ["root"])
        let timeline = RehearsalTimeline(host: "api.test", judge: judge, build: "1", chains: ["next": own])
        let leaf = DatedCertificate(chain: "next", role: .leaf, subject: "", key: "next", ends: Self.today)
        #expect(timeline.events([leaf]).map(\.event) == ["leaf of next expires"])
        #expect(timeline.events([leaf]).map(\.breaks) == [["1"]])
    }
}
