import Facts
import Testing

@testable import Filters

@Suite struct FilterFaultTests {
    private static func fault(_ text: String, _ context: FilterContext = .sample) -> FilterFault? {
        do throws(FilterFault) {
            _ = try Filter.parse(text, in: context)
            return nil
        } catch {
            return error
        }
    }

    /// What was written, the column, the words, and the text with the correction in it.
    private func check(_ table: [(String, Int, String, String?)]) {
        for (text, column, message, corrected) in table {
            let fault = Self.fault(text)
            #expect(fault?.column == column, "\(text)")
            #expect(fault?.message == message, "\(text)")
            #expect(fault?.corrected == corrected, "\(text)")
            if let corrected { #expect(Self.fault(corrected)?.column != column, "\(corrected)") }
        }
    }

    @Test("a word before a colon that is not known")
    func keys() {
        check([
            ("mehtod:POST", 1, "\"mehtod:\" is not known", "method:POST"),
            ("host:a mehtod:POST", 8, "\"mehtod:\" is not known", "host:a method:POST"),
            ("(a or -statis:200)", 8, "\"statis:\" is not known", "(a or -status:200)"),
            ("domain:a", 1, "\"domain:\" is not known", "host:a"),
            ("larger-than:1M", 1, "\"larger-than:\" is not known", "size:>1M"),
            ("zzzzzz:1", 1, "\"zzzzzz:\" is not known", nil),
            ("reg.body:x", 1, "\"reg.body:\" is not known", "req.body:x"),
            ("localhost:8080", 1, "\"localhost:\" is not known", nil),
            ("status>=400", 1, "\"status\" has no colon behind it", "status:>=400"),
            ("!host:a", 1, "\"!\" negates nothing here", "-host:a"),
            ("a || b", 3, "\"||\" joins nothing here", "a or b"),
            ("a & b", 3, "\"&\" joins nothing here", "a or b".replacing(" or ", with: " and ")),
        ])
        #expect(
            Self.fault("http://a:80/") == nil && Self.fault("api.example.com:443") == nil
                && Self.fault("!important") == nil)
    }

    @Test("values that are missing or of another kind")
    func values() {
        check([
            ("host:", 1, "\"host:\" has no value", nil), ("a host: or b", 3, "\"host:\" has no value", nil),
            ("(host:)", 2, "\"host:\" has no value", nil),
            ("host: a", 1, "\"host:\" has a blank before its value", "host:a"),
            ("host: status:200", 1, "\"host:\" has no value", nil),
            ("host:(a or b)", 6, "\"host:\" takes no parentheses", nil),
            ("method:POST,,PUT", 13, "a value is missing at this comma", nil),
            ("method:POST,", 12, "a value is missing at this comma", nil),
            ("method:,POST", 8, "a value is missing at this comma", nil),
            ("method:POST, PUT", 12, "there is a blank behind the comma", "method:POST,PUT"),
            ("status:abc", 8, "\"abc\" is no status", nil),
            ("status:=>400", 8, "\"=>400\" is no status", "status:>=400"),
            ("status:200-299", 8, "\"200-299\" is no status", "status:200..299"),
            ("status:299..200", 8, "the range ends before it begins", "status:200..299"),
            ("status:4xxx", 8, "\"4xxx\" is no status", nil), ("status:200,4yy", 12, "\"4yy\" is no status", nil),
            ("status:..", 8, "\"..\" is no status", nil),
            ("status:>", 8, "\">\" is no status", nil), ("status:-1", 8, "\"-1\" is no status", nil),
            ("size:>1X", 6, "\">1X\" is no size", nil), ("size:1.M", 6, "\"1.M\" is no size", nil),
            ("size:99999999999G", 6, "\"99999999999G\" is no size", nil),
            ("dur:>1q", 5, "\">1q\" is no duration", nil), ("dur:1m30", 5, "\"1m30\" is no duration", nil),
            ("id:99999999999999999999", 4, "\"99999999999999999999\" is no number", nil),
            ("id:1.5", 4, "\"1.5\" is no number", nil),
            ("after:soon", 7, "\"soon\" is no time", nil), ("after:2026-02-30", 7, "\"2026-02-30\" is no time", nil),
            ("before:2026-01-01T25:00", 8, "\"2026-01-01T25:00\" is no time", nil),
            ("before:10", 8, "\"10\" is no time", nil),
            ("is:redirct", 4, "\"is:\" knows no \"redirct\"", "is:redirect"),
            ("is:ws", 4, "\"is:\" knows no \"ws\"", "is:websocket"),
            ("is:zzzz", 4, "\"is:\" knows no \"zzzz\"", nil),
            ("kind:websockt", 6, "\"kind:\" knows no \"websockt\"", "kind:websocket"),
            (
                "failure:client-refused", 9, "\"failure:\" knows no \"client-refused\"",
                "failure:client-refused-certificate"
            ),
            ("tls:1.4", 5, "\"tls:\" knows no \"1.4\"", "tls:1.0"),
            ("is:open,faild", 9, "\"is:\" knows no \"faild\"", "is:open,failed"),
            ("host:/^api/", 6, "\"host:\" takes a whole value with *, and no regular expression", nil),
            ("header:a:b", 8, "a header's name and value are joined by \"=\"", "header:a=b"),
            ("header::path", 8, "pseudo-header fields are not among the headers", nil),
            ("header:=b", 8, "the header's name is missing before \"=\"", nil),
            ("header:a=", 9, "nothing stands after \"=\"", nil),
        ])
    }

    @Test("quotes, expressions and what joins terms")
    func syntax() {
        check([
            ("\"a b", 1, "this quote is not closed", nil), ("body:\"a", 6, "this quote is not closed", nil),
            ("host:a 'b", 8, "this quote is not closed", nil),
            ("\"\"", 1, "nothing stands between these quotes", nil),
            ("\"a\"b", 4, "the quoted text ends before this", nil),
            ("\"token\":\"x\"", 8, "the quoted text ends before this", nil),
            ("\"\\d\"", 2, "\"\\d\" stands for nothing in quotes", "\"\\\\d\""),
            ("\"\\u{110000}\"", 2, "\"\\u\" stands for nothing in quotes", "\"\\\\u{110000}\""),
            ("body:/[/", 7, "the regular expression is wrong: missing ]", nil),
            ("body:/a\\/(b/", 10, "the regular expression is wrong: missing )", nil),
            ("body:/(a/", 6, "the regular expression is wrong: not understood", nil),
            ("body:/a(b", 6, "the regular expression that begins here has no \"/\" at its end", nil),
            ("body:/a/g", 9, "behind a regular expression only \"i\" is known", "body:/a/i"),
            ("or a", 1, "nothing stands before \"or\"", nil), ("a or", 3, "nothing stands after \"or\"", nil),
            ("a or or b", 6, "nothing stands before \"or\"", nil),
            ("and", 1, "nothing stands before \"and\"", nil), ("a and", 3, "nothing stands after \"and\"", nil),
            ("a and or b", 7, "nothing stands before \"or\"", nil),
            ("(a or) b", 4, "nothing stands after \"or\"", nil), ("not", 1, "nothing stands after \"not\"", nil),
            ("a not or b", 3, "nothing stands after \"not\"", nil),
            ("-", 1, "nothing stands after \"-\"", nil), ("a - b", 3, "nothing stands after \"-\"", nil),
            ("()", 2, "nothing stands in these parentheses", nil), ("(a", 1, "this \"(\" is not closed", nil),
            ("a (b (c) ", 3, "this \"(\" is not closed", nil),
            ("a)", 2, "this \")\" closes nothing", nil), (")", 1, "nothing stands in these parentheses", nil),
            ("a\u{0}b", 2, "the control character U+0000 stands here", nil),
            ("a \u{1b}b", 3, "the control character U+001b stands here", nil),
        ])
    }

    @Test("columns and ranges count characters, and a browser's count its own units")
    func columns() throws {
        let fault = try #require(Self.fault("\"👩‍👩‍👧 é\" 🦊 mehtod:x"))
        #expect(fault.column == 9 && fault.range == 8..<15 && fault.utf16Range == 16..<23)
        #expect(fault.corrected == "\"👩‍👩‍👧 é\" 🦊 method:x")
        #expect(
            fault.cause == .commandLine && fault.explanations[0].message == "filter, column 9: \"mehtod:\" is not known"
        )
        #expect(fault.explanations[0].hints.first == "did you mean \"method:\"?")
    }

    @Test("limits are told")
    func limits() {
        #expect(Self.fault(String(repeating: "a", count: 8192)) == nil)
        #expect(
            Self.fault(String(repeating: "a", count: 8193))?.message == "it has 8193 bytes, and a filter may have 8192")
        let long = Self.fault(String(repeating: "(", count: 10_000_000))
        #expect(long?.message == "it has 10000000 bytes, and a filter may have 8192" && long?.text.count == 64)
        #expect(Self.fault(String(repeating: "a ", count: 256)) == nil)
        let many = Self.fault(String(repeating: "a ", count: 257))
        #expect(many?.column == 513 && many?.message == "there are more than 256 terms")
        let deep = Self.fault(String(repeating: "(", count: 8000))
        #expect(deep?.column == 33 && deep?.message == "these parentheses are more than 32 deep")
        #expect(Self.fault(String(repeating: "-(", count: 32) + "a" + String(repeating: ")", count: 32)) == nil)
        #expect(Self.fault(String(repeating: "-", count: 8000) + "a") == nil)
        #expect(Self.fault(String(repeating: "not ", count: 2000) + "a") == nil)
    }
}
