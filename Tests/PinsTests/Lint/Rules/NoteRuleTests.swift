import Facts
import Testing

@testable import Pins

@Suite("rules that hand on what readers note")
struct NoteRuleTests {
    typealias S = LintSamples

    @Test(
        "a note becomes a finding at its line",
        arguments: [
            (PinNote.ID.neverMatches, "L40", LintFinding.Severity.warning), (.misplaced, "L41", .warning),
            (.unresolved, "L42", .note), (.versionsDiffer, "L43", .note),
        ])
    func note(_ id: PinNote.ID, _ rule: String, _ severity: LintFinding.Severity) {
        let found = S.found(rule, S.file([S.good()], notes: [PinNote(id, line: 17, "the reader's own words")]))
        #expect(found?.severity == severity && found?.line == 17 && found?.text == "the reader's own words")
        #expect(S.found(rule, S.file([S.good()])) == nil)
    }

    @Test("notes that only say how something is read are no findings")
    func silent() {
        let silent: [PinNote.ID] = [.shadows, .debugOverrides, .otherHosts, .union, .expiration, .reportOnly]
        let notes = silent.map { PinNote($0, line: 1, "x") }
        #expect(S.findings([S.file([S.good()], notes: notes)]).isEmpty)
    }
}
