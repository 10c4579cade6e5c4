import Facts
import Testing

@testable import Pins

@Suite("rules that hand on what readers note")
struct NoteRuleTests {
    typealias S = LintSamples

    @Test(
        "a set that needs a second pin is rejected, and lacks a backup as anywhere: two things, in words of their own")
    func secondPin() {
        let fault = PinFileFault(line: 8, "TrustKit needs two pins to enforce", .failsClosed, host: "a.example.com")
        let found = PinLint.findings(of: fault, path: "a.plist")
        #expect(found.map { "\($0.rule.id) \($0.severity) \($0.line)" } == ["L44 error 8", "L2 warning 8"])
        #expect(found.allSatisfy { $0.host == "a.example.com" } && found[0].text != found[1].text)
        #expect(found[1].text.hasPrefix("a.example.com has one pin, and no backup"))
        let none = PinFileFault(line: 8, "TrustKit refuses a.example.com: it has no pin, and needs two", .failsClosed)
        #expect(PinLint.findings(of: none, path: "a.plist").map(\.rule.id) == ["L44"])
        #expect(PinLint.findings(of: PinFileFault(line: 1, "the file ends"), path: "a.plist") == [])
    }

    @Test(
        "a note becomes a finding at its line",
        arguments: [
            (PinNote.ID.neverMatches, "L40", LintFinding.Severity.warning), (.misplaced, "L41", .warning),
            (.unresolved, "L42", .note), (.versionsDiffer, "L43", .note), (.expiryNotTaken, "L45", .warning),
        ])
    func note(_ id: PinNote.ID, _ rule: String, _ severity: LintFinding.Severity) {
        let found = S.found(rule, S.file([S.good()], notes: [PinNote(id, line: 17, "the reader's own words")]))
        #expect(found?.severity == severity && found?.line == 17 && found?.text == "the reader's own words")
        #expect(S.found(rule, S.file([S.good()])) == nil)
    }

    @Test("a note is about the host that its reader names, else the one entry at its line")
    func host() {
        func found(_ note: PinNote, _ hosts: [DeclaredHost]) -> String? {
            S.found("L42", S.file(hosts, notes: [note]))?.host
        }
        let one = S.host("a.example.com", [S.pin(1, line: 4), S.pin(2, line: 5)], .alamofire)
        let other = S.host("b.example.com", .itself, [S.pin(3, line: 4), S.pin(2, line: 5)], .alamofire, line: 9)
        #expect(found(PinNote(.unresolved, line: 3, "x"), [one, other]) == "a.example.com")
        #expect(found(PinNote(.unresolved, line: 4, "x"), [one, other]) == nil)
        #expect(found(PinNote(.unresolved, line: 77, "x"), [one]) == nil)
        #expect(found(PinNote(.unresolved, line: 77, "x", host: "b.example.com"), [one, other]) == "b.example.com")
        let unknown = S.host(nil, [], [S.pin(1, line: 4), S.pin(2, line: 5)])
        #expect(found(PinNote(.unresolved, line: 3, "x"), [unknown, one]) == nil)
        let malformed = S.file([one], notes: [PinNote(.malformedPin, line: 3, "x")])
        #expect(S.found("L1", malformed)?.host == "a.example.com")
        let bundle = S.file([S.host("a.example.com", [], .alamofire)], notes: [PinNote(.certificatePins, line: 3, "x")])
        #expect(S.found("L5", bundle)?.host == "a.example.com")
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
            ("TrustKit raises an exception: example.com has 1 different pin, and needs 2", "L44"),
            ("the domain example.com stands twice", "L44"), ("a <certificates> has no src", "L44"),
        ])
    func fault(_ message: String, _ rule: String) {
        let found = PinLint.findings(of: PinFileFault(line: 8, message, .failsClosed), path: "a.xml").first
        #expect(found?.rule.id == rule && found?.severity == .error && found?.line == 8)
        #expect(found?.text.hasSuffix("(the app fails closed)") == true && found?.fix.hasSuffix(".") == false)
    }

    @Test("what nobody can read is no finding")
    func unreadable() {
        #expect(PinLint.findings(of: PinFileFault(line: 1, "the file ends within <a>"), path: "a.xml").isEmpty)
        let fault = PinFileFault(line: nil, "x\u{1b}", .failsOpen, hints: ["h"])
        let open = PinLint.findings(of: fault, path: "a.xml").first
        #expect(open?.line == 1 && open?.text == "x\\u{1b} (the app fails open)" && open?.fix.hasSuffix("; h") == true)
    }
}
