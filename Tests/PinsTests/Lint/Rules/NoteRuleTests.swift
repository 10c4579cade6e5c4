import Facts
import Testing

@testable import Pins

@Suite("rules that hand on what readers note")
struct NoteRuleTests {
    typealias S = LintSamples

    @Test("a set that needs a second pin is rejected, and its missing backup is a warning as everywhere")
    func secondPin() {
        let fault = PinFileFault(line: 8, "TrustKit needs two pins to enforce", .failsClosed)
        let found = PinLint.findings(of: fault, path: "a.plist")
        #expect(found.map { "\($0.rule.id) \($0.severity) \($0.line)" } == ["L44 error 8", "L2 warning 8"])
        #expect(PinLint.findings(of: PinFileFault(line: 1, "the file ends"), path: "a.plist") == [])
    }

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

@Suite("what a platform rejects")
struct RejectedFileTests {
    @Test(
        "a reader's fault becomes a finding of the rule that it is about",
        arguments: [
            ("the pin \"abcd\" has 3 bytes, and a SHA-256 hash has 32: Android rejects the whole file", "L1"),
            ("Cronet refuses a pin of 31 bytes: SHA-256 has 32", "L1"),
            ("TrustKit raises an exception: example.com has 1 different pin, and needs 2", "L2"),
            ("the domain example.com stands twice", "L44"), ("a <certificates> has no src", "L44"),
        ])
    func fault(_ message: String, _ rule: String) {
        let found = PinLint.finding(of: PinFileFault(line: 8, message, .failsClosed), path: "a.xml")
        #expect(found?.rule.id == rule && found?.severity == .error && found?.line == 8)
        #expect(found?.text.hasSuffix("(the app fails closed)") == true && found?.fix.hasSuffix(".") == false)
    }

    @Test("what nobody can read is no finding")
    func unreadable() {
        #expect(PinLint.finding(of: PinFileFault(line: 1, "the file ends within <a>"), path: "a.xml") == nil)
        let open = PinLint.finding(of: PinFileFault(line: nil, "x\u{1b}", .failsOpen, hints: ["h"]), path: "a.xml")
        #expect(open?.line == 1 && open?.text == "x\\u{1b} (the app fails open)" && open?.fix.hasSuffix("; h") == true)
    }
}
