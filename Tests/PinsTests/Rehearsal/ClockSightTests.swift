import Facts
import Testing

@testable import Pins

@Suite("an app on days to come")
struct ClockSightTests {
    private let early = RehearsalSight.refused(.init(alert: "certificate_expired"))

    private func judge(
        _ sight: RehearsalSight, without: RehearsalSight = .nothing(nil), control: String? = nil,
        _ evidence: RehearsalEvidence = Rehearsing.pinned(["leaf"], { $0.scope = .any })
    ) throws -> Rehearsed {
        let day = try #require(CalendarDate("2027-06-02"))
        let clock = ClockSight(day: day, sight: sight, withoutClock: without, control: control)
        return RehearsalJudge(evidence).judge(clock)
    }

    @Test("one that takes an unknown key has pins that are off by then")
    func off() throws {
        let one = try judge(.accepted)
        #expect(one.name == "clock-2027-06-02")
        #expect(one.outcome == .works && one.isProtected == false && one.basis == .seen)
    }

    @Test("one that still refuses has pins that hold, where it is seen that it took the clock")
    func holds() throws {
        let byControl = try judge(Rehearsing.refusal, without: Rehearsing.refusal, control: "cdn.test")
        #expect(byControl.outcome == .works && byControl.isProtected == true)
        // It got up to the pins with the clock, and stopped at the dates without.
        let byItself = try judge(Rehearsing.refusal, without: early)
        #expect(byItself.outcome == .works && byItself.isProtected == true)
    }

    @Test("a refusal that may be of the dates says nothing")
    func unclear() throws {
        // A control's clock is not the app's, where the app speaks of the dates.
        let besides = try judge(early, without: early, control: "cdn.test")
        for one in [
            besides, try judge(early, without: early), try judge(Rehearsing.refusal, without: Rehearsing.refusal),
        ] {
            #expect(one.outcome == .unclear && one.isProtected == nil)
            #expect(one.why.contains("PINPROOF_CLOCK"))
        }
        #expect(try judge(.nothing("no route")).why.hasSuffix("did not come to this host: no route"))
        #expect(try judge(.mixed).outcome == .unclear)
    }

    @Test("one without pins, or one that never worked, needs no clock")
    func others() throws {
        let open = RehearsalEvidence(genuine: Rehearsing.genuine, unknownKey: .accepted)
        #expect(try judge(.nothing(nil), open).isProtected == false)
        #expect(try judge(.accepted, RehearsalEvidence(worked: false)).outcome == .unclear)
    }
}
