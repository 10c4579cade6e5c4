import Testing

@testable import Filters

@Suite struct FilterTextTests {
    /// A small generator with a fixed seed (SplitMix64).
    struct Dice {
        var state: UInt64
        mutating func roll(_ sides: Int) -> Int {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = state
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return Int((z ^ (z >> 31)) % UInt64(sides))
        }
    }

    @Test("case folds letter by letter, and never into ASCII")
    func folding() {
        let fold = { (text: String) in String(decoding: CaseFolding.folded(text.utf8), as: UTF8.self) }
        #expect(fold("ÄÖÜ ẞ ABCxyz") == "äöü ß abcxyz")
        #expect(fold("ΣΊΣΥΦΟΣ") == fold("σίσυφος"))
        #expect(fold("ПРИВЕТ 中文 🦊") == "привет 中文 🦊")
        #expect(fold("\u{212a}\u{17f}\u{131}\u{130}") == "\u{212a}\u{17f}\u{131}\u{130}")
        for value in UInt32(0)..<0x1_2000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let folded = CaseFolding.fold(scalar)
            if CaseFolding.fold(folded) != folded || (folded.value < 0x80) != (value < 0x80) {
                Issue.record("U+\(value)")
            }
        }
    }

    @Test("bytes that are no UTF-8 stay, and do not hide what is around them")
    func invalid() {
        for bytes: [UInt8] in [
            [0xff], [0xc3], [0xe2, 0x82], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80], [0x80, 0x80],
        ] {
            #expect(CaseFolding.folded(bytes) == bytes)
            #expect(FilterPattern("äb").isPart(of: bytes + Array("xÄBx".utf8) + bytes))
            #expect(FilterPattern("ab").isPart(of: bytes + Array("xABx".utf8) + bytes))
        }
        #expect(CaseFolding.folded([0xc3, 0x41]) == [0xc3, 0x61])
    }

    @Test("a needle is found wherever it is, as a plain search finds it")
    func needles() {
        var dice = Dice(state: 7)
        func text(_ length: Int, _ letters: Int) -> [UInt8] {
            (0..<length).map { _ in Array("abABcdxyz".utf8)[dice.roll(letters)] }
        }
        func plainEnd(_ needle: [UInt8], _ text: [UInt8], _ fold: Bool) -> Int? {
            let (a, b) = fold ? (CaseFolding.folded(needle), CaseFolding.folded(text)) : (needle, text)
            guard a.count <= b.count else { return nil }
            return (0...(b.count - a.count)).first { Array(b[$0..<($0 + a.count)]) == a }.map { $0 + a.count }
        }
        for round in 0..<4000 {
            let needle = text(1 + dice.roll(6), 2 + dice.roll(4))
            let haystack = text(dice.roll(60), 2 + dice.roll(4))
            let isExact = round % 2 == 0
            let prepared = Needle(String(decoding: needle, as: UTF8.self), isCaseSensitive: isExact)
            let expected = plainEnd(needle, haystack, !isExact)
            #expect(prepared.end(in: haystack, from: 0) == expected)
            #expect(prepared.walk(haystack) == expected)
        }
    }

    @Test("what would make a search slow is still found in time in proportion to the text")
    func hostile() {
        let needle = Needle("b" + String(repeating: "a", count: 400), isCaseSensitive: false)
        var text = [UInt8](repeating: 0x61, count: 1 << 20)
        #expect(needle.end(in: text, from: 0) == nil)
        text[900_000] = 0x42
        #expect(needle.end(in: text, from: 0) == 900_401)
        let long = Needle(String(repeating: "xy", count: 400) + "z", isCaseSensitive: true)
        #expect(long.end(in: Array(String(repeating: "xy", count: 5000).utf8) + [0x7a], from: 0) == 10_001)
    }

    @Test("stars stand for anything, in whole values and in parts")
    func stars() {
        let whole = { (segments: [String], text: String) in FilterPattern(segments: segments).isAll(of: text) }
        #expect(
            whole(["a", "b"], "ab") && whole(["a", "b"], "a/x/b") && !whole(["a", "b"], "abc")
                && !whole(["ab", "bc"], "abc"))
        #expect(
            whole(["", "x", ""], "axb") && whole(["", ""], "") && whole(["", "", ""], "a") && !whole([""], "a")
                && whole([""], ""))
        #expect(whole(["a", "b", "a"], "aba") && !whole(["a", "b", "a"], "aa") && whole(["Ä", "ö"], "äxÖ"))
        let part = { (segments: [String], text: String) in
            FilterPattern(segments: segments).isPart(of: Array(text.utf8))
        }
        #expect(
            part(["a", "b"], "xxaxxbxx") && !part(["a", "b"], "b a") && part(["aa", "a"], "aaa")
                && !part(["aa", "aa"], "aaa"))
        #expect(FilterPattern(segments: ["a", "", "b"]) == FilterPattern(segments: ["a", "b"]))
    }

    @Test("no soup of tokens traps, and what is read is read again from its normal form")
    func soup() throws {
        let tokens = [
            "a", "or", "and", "not", "-", "(", ")", " ", "  ", "\"", "'", "\\", "*", ",", ":", "=", "/", "/i", "..",
            ">", "<=", "host:",
            "path:", "status:", "4xx", "200", "size:", "1M", "dur:", "5ms", "1h2m", "body:", "header:", "x-a", "url:",
            "is:", "failed",
            "kind:", "http", "tls:", "1.2", "after:", "2026-01-01", "T10:00", "Z", "before:", "port:", "8*", "ja4:",
            "client:", "[", "]",
            "::1", "é", "Ä", "🦊", "\u{301}", "\u{a0}", "\n", "\r\n", "tag:", "filter:", "x", "\\u{", "e9}", "\u{0}",
            "|", "!", "[a-z]", "req.size:",
        ]
        var dice = Dice(state: 42)
        var read = 0
        let book = FilterBook(filters: [.init(name: "x", text: "a or b"), .init(name: "a", text: "filter:a")])
        for _ in 0..<12_000 {
            let text = (0...dice.roll(9)).map { _ in tokens[dice.roll(tokens.count)] }.joined()
            do throws(FilterFault) {
                let filter = try Filter.parse(text, in: .with(book))
                read += 1
                _ = filter.matches(Morning.login.flow, Morning.login)
                let again = try Filter.parse(filter.description, in: .sample)
                if again != filter { Issue.record("\(text.debugDescription) became \(filter), and that \(again)") }
            } catch {
                #expect(error.text != text || error.range.upperBound <= text.count, "\(text.debugDescription)")
                _ = (error.corrected, error.utf16Range, error.description)
                if (try? Filter.parse(text, in: .with(book))) != nil {
                    Issue.record(
                        "the normal form of \(text.debugDescription), \(error.text.debugDescription), is refused: \(error.description)"
                    )
                }
            }
        }
        #expect(read > 1500)
    }

    @Test("local times follow the zone's changes")
    func zones() throws {
        // Central Europe: an hour ahead, two from 2026-03-29T01:00Z on.
        let change = 1_774_746_000.0
        let context = FilterContext(now: change, localOffset: { $0 < change ? 3600 : 7200 }, regex: SampleRegex.compile)
        for (text, utc) in [
            ("2026-03-29T01:59", "2026-03-29T00:59:00Z"), ("2026-03-29T03:00", "2026-03-29T01:00:00Z"),
            ("2026-03-29", "2026-03-28T23:00:00Z"), ("2026-03-30", "2026-03-29T22:00:00Z"),
            ("00:00", "2026-03-28T23:00:00Z"),
        ] { #expect(try Filter.parse("after:\(text)", in: context).description == "after:\(utc)") }
    }

    @Test("the normal form")
    func normalForm() throws {
        for (text, normal) in [
            ("HOST:a", "host:a"), ("a AND b", "a b"), ("(a b) c", "a b c"), ("(a or b) or c", "a or b or c"),
            ("a (b or c)", "a (b or c)"),
            ("not a", "-a"), ("not (a b)", "-(a b)"), ("-(-a)", "-(-a)"), ("\"a b\"", "\"a b\""),
            ("status:4xx", "status:400..499"),
            ("status:>399", "status:>=400"), ("size:>1M", "size:>1M"), ("size:>=1024", "size:>=1K"),
            ("dur:>0.5s", "dur:>500ms"), ("dur:<1m", "dur:<1m"),
            ("res.size:1k", "size:1K"), ("before:10m", "before:2026-01-01T11:50:00Z"),
            ("after:1.5s", "after:2026-01-01T11:59:58.500000Z"),
            ("kind:web*", "kind:websocket"), ("tls:>=1.2", "tls:1.2,1.3"), ("path:/v1/*", "path:/v1/*"),
            ("header:X-A=\"B\"", "header:X-A=\"B\""),
            ("header:x-a=b", "header:x-a=b"), ("header:\"x-a=b c\"", "header:\"x-a=b c\""),
            ("body:/a\\/b/i", "body:/a\\/b/i"), ("ja4:t13d", "ja4:t13d*"),
            ("host:[::1]", "host:::1"), ("\"or\"", "\"or\""), ("port:8*,443", "port:443 or port:8*"),
            ("a\\*b", "\"a\\*b\""), ("\"\\t\\u{7}\"", "\"\\t\\u{7}\""),
        ] { #expect(try Filter.sample(text).description == normal) }
    }
}
