import Facts
import Policy
import Testing

@testable import Report
@testable import Verdict

/// A run that would prove, in which an answer of the control named the pins.
private var served: Edited {
    var run = Edited()
    run.edit("api.test", in: Array(run.numbers("expired").suffix(1))) { $0.pinsServedBy = ["cdn.test"] }
    return run
}

@Test("pins that an unpinned host serves stand in the way of a proof")
func pinsServed() throws {
    #expect(try !Edited().verdict().has("pins-from-unpinned-host"))
    try served.lacks(.finding("pins-from-unpinned-host"))
    let finding = try served.verdict().finding("pins-from-unpinned-host")
    #expect(finding.severity == .error)
    #expect(finding.text.contains("in the answers of cdn.test, which the app asks without a pin"))
    #expect(finding.evidence.count == 1)
    #expect(FindingAdvice.text(for: finding.id)?.contains("sign the set of pins") == true)
}

@Test("a team that signs its set of pins waives it")
func signedSet() throws {
    var profile = Profile.test()
    let until = try #require(CalendarDate("2027-01-31"))
    profile.waivers = [Waiver(finding: "pins-from-unpinned-host", host: "api.test", until: until, reason: "signed")]
    let verdict = try served.verdict(profile)
    #expect(verdict.verdict == .provenPinned)
    #expect(try verdict.finding("pins-from-unpinned-host").waived?.reason == "signed")
}
