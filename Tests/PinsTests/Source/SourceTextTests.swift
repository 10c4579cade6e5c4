import Testing

@testable import Pins

@Suite("Source code as tokens")
struct SourceTextTests {
    private func strings(_ text: String, _ language: SourceLanguage) -> [String?] {
        let source = SourceText(text, language)
        return source.tokens.indices.filter { source.tokens[$0].isString }.map { source.constant(at: $0) }
    }

    @Test(
        "strings of each language",
        arguments: [
            (
                SourceLanguage.kotlin, #""a\"b\n" "$x" "c\$d" """raw \n "q" """ "#,
                ["a\"b\n", nil, "c$d", "raw \\n \"q\" "]
            ),
            (.java, "\"a\\u0041\" '\"' \"\"\"\n    one\n      two\n    \"\"\"", ["aA", "one\n  two"]),
            (.swift, ##""a\(b)c" #"raw \n "q""# "x\u{41}" "##, [nil, "raw \\n \"q\"", "xA"]),
            (.swift, "\"\"\"\n    one\n    two\n    \"\"\"", ["one\ntwo"]),
            (.objectiveC, "@\"a\" @\"b\" 'c' \"d\" // @\"no\"", ["a", "b", "d"]),
            (.dart, #"'a' r'\n$x' "b$c" '''two's''' "#, ["a", "\\n$x", nil, "two's"]),
            (.cpp, "R\"x(a\"b)x\" \"c\" 1'000 'd'", ["a\"b", "c"]),
            (.script, "'a' `b` `c${d}`; f(/it's \"re\"/, x / 2 / 'e')", ["a", "b", nil, "e"]),
            (.python, "'a' r'\\d' \"\"\"b\"\"\" # 'no'\nf'{x}'", ["a", "\\d", "b", "{x}"]),
        ] as [(SourceLanguage, String, [String?])])
    func literals(_ language: SourceLanguage, _ text: String, _ expected: [String?]) {
        #expect(strings(text, language) == expected)
    }

    @Test("comments nest in Kotlin, Swift and Dart, and in no other language")
    func comments() {
        let text = "/* a /* \"b\" */ \"c\" */ \"d\" // \"e\"\n\"f\""
        #expect(strings(text, .kotlin) == ["d", "f"] && strings(text, .swift) == ["d", "f"])
        #expect(strings(text, .java) == ["c", "d", "f"])
    }

    @Test("each token has its line, whatever stands before it")
    func lines() {
        let source = SourceText("a /*\n*/ \"\"\"x\ny\"\"\" b\n// c\n\nd", .kotlin)
        #expect(source.tokens.map(\.line) == [1, 2, 3, 6])
    }

    @Test("an apostrophe or a quotation mark that does not end on its line takes nothing with it")
    func unterminated() {
        #expect(strings("#pragma mark - Don't\n@\"a\"\n#error it's\n@\"b\"", .objectiveC) == ["a", "b"])
        #expect(strings("x = \"open\ny = \"b\"", .java) == ["open", "b"])
    }

    @Test("what #if 0 takes out is gone, and what DEBUG alone has is told apart")
    func conditions() {
        let text = """
            #if 0
            a
            #endif
            #if DEBUG
            b
            #else
            c
            #endif
            #if !DEBUG
            d
            #else
            e
            #endif
            """
        let tokens = SourceText(text, .objectiveC).tokens
        #expect(tokens.map(\.text) == ["b", "c", "d", "e"])
        #expect(tokens.map(\.isDebugOnly) == [true, false, false, true])
    }

    @Test("brackets have partners, and those without one do not hide the others'")
    func brackets() {
        let source = SourceText("f(a, [b, c], {d(e)}) } g(h)", .kotlin)
        #expect(source.parts(of: 1).count == 3 && source.end(of: 1) == 16)
        #expect(source.parts(of: 19).map { source.excerpt($0) } == ["h"])
        #expect(SourceText(String(repeating: "(", count: 5000), .java).parts(of: 0).isEmpty)
    }

    @Test(
        "numbers in each notation",
        arguments: [
            ("0x1F", 31), ("1_000", 1000), ("0b101", 5), ("12L", 12), ("0xFFu", 255), ("3.5", nil),
            ("99999999999999999999", nil), ("0x", nil),
        ] as [(String, Int?)])
    func numbers(_ text: String, _ expected: Int?) {
        #expect(SourceText(text, .kotlin).tokens.first?.number == expected)
    }

    @Test(
        "a file's language is told by its name, and else by its words",
        arguments: [
            ("a.kt", "", SourceLanguage.kotlin), ("a.m", "", .objectiveC), ("a.h", "#import <X>", .objectiveC),
            ("a.h", "int x;", .cpp), ("a.tsx", "", .script),
            ("x", "import 'package:dio/dio.dart';", .dart),
            ("x", "package a\nfun f() { val x = 1 }", .kotlin),
            ("x", "package a;\npublic class B { }", .java),
            ("x", "import Foundation\nlet x = 1", .swift),
            ("x", "@implementation A\n- (void)b { [c d]; }\n@end\nNSString *e;", .objectiveC),
            ("x", "const https = require('https');", .script),
            ("x", "import requests\nrequests.get(u, verify=False)", .python),
        ] as [(String, String, SourceLanguage)])
    func languages(_ path: String, _ text: String, _ expected: SourceLanguage) {
        #expect(SourceLanguage(path: path, text: text) == expected)
    }
}
