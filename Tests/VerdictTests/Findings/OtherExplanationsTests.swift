import Facts
import Policy
import Report
import Testing

@testable import Verdict

private func note(_ verdict: HostVerdict) throws -> String {
    try #require(verdict.findings.first { $0.id == "other-explanations" }).text
}

@Test("a proof says what else could explain the refusals, and what of it a control has excluded")
func explanations() throws {
    var run = Edited()
    run.edit("api.test", in: run.numbers(.trustedCA)) { $0.unlike = ["root-name", "sct", "of-tomorrow"] }
    let text = try note(run.verdict())
    #expect(text.contains("Certificate Transparency, is excluded: cdn.test took one of the same CA"))
    #expect(text.contains("a rule for this host alone is not"))
    #expect(
        text.contains("differs from the genuine one in of-tomorrow, the root's name and Certificate Transparency's"))
    // S2c excludes less, and says by whose word.
    let alone = App(visits: [.pinned("api.test")])
    let verdict = try alone.judge(.test(controls: [], onlyPins: true)).host("api.test")
    #expect(try note(verdict).contains("by the profile's word alone"))
    // Where nothing is proven, there is nothing to explain.
    #expect(try alone.judge(.test(controls: [])).host("api.test").has("other-explanations") == false)
}
