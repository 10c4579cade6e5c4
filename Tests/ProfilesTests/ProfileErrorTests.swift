import Loop
import Testing

@testable import Profiles

@Suite struct ProfileErrorTests {
    @Test("a mistake is one line with file, line and column, and its hint another")
    func shape() {
        let error = ProfileError(
            .unknownKey("hots", .top, nearest: "hosts"), path: "profiles/strict.yaml", place: Place(7, 3))
        #expect(
            "\(error)" == """
                error: profiles/strict.yaml:7:3: unknown key "hots"
                hint: did you mean "hosts"?
                """)
    }

    @Test("all mistakes of a file are reported at once, in the order of its lines")
    func order() {
        let text = """
            version: 2
            cold_starts: 0
            hots: {}
            hosts:
              b.test: { expect: refuse, required: maybe }
              a.test: { expect: refused }
            controls: [a.test, b.test]
            upstream: { proxy: ftp://x:1 }
            """
        do throws(ProfileErrors) {
            _ = try parsed(text)
            Issue.record("accepted")
        } catch {
            #expect(error.errors.map { $0.place?.line } == [1, 2, 3, 5, 6, 7, 8])
        }
    }

    @Test("what an alias repeats is said once")
    func once() {
        let text = """
            hosts:
              a.test: { expect: refuse, pins: &p [sha256/AAAA] }
              b.test: { expect: refuse, pins: *p }
            """
        #expect(complaint(in: text).split(separator: "\n").count { $0.contains("AAAA") } == 1)
    }

    @Test("a flood of mistakes is cut, and counted")
    func flood() {
        let text = complaint(in: (0..<100).map { "key\($0): 1\n" }.joined())
        #expect(text.split(separator: "\n").count == 2 * ProfileErrors.shownAtMost + 1)
        #expect(text.hasSuffix("\n and 80 more"))
    }

    @Test("nothing from the file reaches the terminal raw, or at length")
    func printableText() {
        #expect(complaint(in: "\"\\e[31m\\u202e\": 1").hasPrefix("2:1: unknown key \"\\u{1b}[31m\\u{202e}\"\n"))
        #expect(printable(String(repeating: "x", count: 1_000)) == String(repeating: "x", count: 100) + "…")
        let lines = complaint(in: "a\\b: 1\n\"c\\nd\": 1").split(separator: "\n")
        #expect(lines[0] == "2:1: unknown key \"a\\b\"")
        #expect(lines[2] == "3:1: unknown key \"c\\u{a}d\"")
    }

    @Test("every fault has words, and each message fits the rules: lower case, one line, no full stop")
    func wording() {
        let faults: [ProfileError.Fault] = [
            .file(.missing), .file(.directory), .file(.notReadable), .file(.special), .file(.readable),
            .file(.failed(SystemError("open", 40))),
            .tooLarge(bytes: 1), .notUTF8(looksLikeUTF16: true), .notUTF8(looksLikeUTF16: false),
            .forbiddenCharacter("\u{0}"), .forbiddenCharacter("\u{7F}"), .empty, .anotherDocument, .unquotedStar("*.x"),
            .unknownAlias("x"), .tag("!x"), .tooDeep, .tooManyNodes, .missingKey("version", .top),
            .syntax(problem: "x", context: "while y", contextLine: 3, cause: .other),
            .repeatedKey("a", .upstream, firstLine: 1), .tooMany("hosts", count: 3, limit: 2),
            .material(.entry(of: "roots", .upstream), written: "a", resolved: "b", .notReadable),
            .notAPair(host: "h", count: 1), .nothingLent(host: "h"), .lentWithoutRefusal(host: "h", expect: nil),
            .anchorsWithoutRefusal(host: "h", expect: .accept), .noHosts, .interceptsOthers, .nothingToPermit,
        ]
        for fault in faults {
            let error = ProfileError(fault, path: "p", place: nil)
            for line in [error.message] + error.hints {
                #expect(!line.isEmpty && !line.contains("\n") && !line.hasSuffix("."), "\(line)")
                #expect(
                    line.first?.isLowercase == true || line.first?.isLetter == false || line.hasPrefix("YAML"),
                    "\(line)")
            }
        }
    }
}
