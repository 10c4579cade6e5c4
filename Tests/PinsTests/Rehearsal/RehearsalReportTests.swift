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
            ], from: Self.today)
        #expect(events.map(\.event) == ["leaf expires", "intermediate expires"])
        #expect(events.map(\.breaks) == [[], ["1.2.3"]])
        #expect(events.map(\.isUnclear) == [false, false])
        #expect(timeline.spans(events, from: Self.today).map(\.breaks) == [later])
    }

    /// A root that Mozilla's schedule takes out one day.
    private static let root = KnownRoot.all.first { root in root.mozillaUntil.map { $0 > today } ?? false }

    @Test("other builds break by what their files declare, until their pins are off; CAs' plans are told")
    func others() throws {
        let root = try #require(Self.root)
        let key = Base64.encode(root.key)
        let leaf = Base64.encode([UInt8](repeating: 1, count: 32))
        func declared(_ pin: String, expires: CalendarDate? = nil) -> PinFile {
            let host = DeclaredHost(
                "api.test", pins: [DeclaredPin(base64: pin, line: 1)], expires: expires, format: .androidNSC, line: 1)
            return PinFile(path: "f", format: .androidNSC, hosts: [host])
        }
        let soon = CalendarDate(year: 2027, month: 1, day: 1)
        let chain = ChainKeys(leaf: leaf, issuers: [key])
        let timeline = RehearsalTimeline(
            host: "api.test", judge: RehearsalJudge(Rehearsing.pinned([key]) { $0.genuine = chain }), build: "3",
            chains: [nil: chain],
            others: [
                ComparedBuild(name: "1", files: [declared(leaf, expires: soon)]),
                ComparedBuild(name: "2", files: [declared(leaf)]), ComparedBuild(name: "none", files: []),
                ComparedBuild(name: "dead", files: [declared(Base64.encode([UInt8](repeating: 9, count: 32)))]),
            ])
        let ends = CalendarDate(year: 2027, month: 6, day: 1)
        let events = timeline.events(
            [DatedCertificate(role: .leaf, subject: "", key: leaf, ends: ends)], from: Self.today)
        #expect(events.first?.event == "pins of 1 are off from here on")
        // By then the one looks at no pin, the other pins the leaf, and the third goes with any leaf below this root.
        #expect(events.first { $0.event == "leaf expires" }?.breaks == ["2", "dead"])
        let plan = try #require(events.first { $0.isOfCA })
        #expect(plan.event.hasPrefix(root.name) && plan.breaks == ["3", "dead"])
        let spans = timeline.spans(events, from: Self.today)
        #expect(spans.map(\.name) == ["3", "1", "2", "dead"])
        #expect(spans.map(\.breaks) == [plan.date, nil, ends, Self.today] && spans[1].unprotected == soon)
        #expect(spans.map(\.isSeen) == [true, false, false, false])
    }

    @Test("what follows the end of a chain of the team's own is judged by that chain")
    func ownTimeline() {
        let judge = RehearsalJudge(Rehearsing.pinned(["leaf", "next"]))
        let own = ChainKeys(leaf: "next", issuers: ["root"])
        let timeline = RehearsalTimeline(host: "api.test", judge: judge, build: "1", chains: ["next": own])
        let leaf = DatedCertificate(chain: "next", role: .leaf, subject: "", key: "next", ends: Self.today)
        #expect(timeline.events([leaf], from: Self.today).map(\.event) == ["leaf of next expires"])
        #expect(timeline.events([leaf], from: Self.today).map(\.breaks) == [["1"]])
        var over = leaf
        over.ends = CalendarDate(daysSince1970: Self.today.daysSince1970 - 1)
        #expect(timeline.events([over], from: Self.today).isEmpty)
    }
}
