import Testing

@testable import Facts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct JSONWriterTests {
    func written(_ layout: JSONWriter.Layout = .compact, _ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter(layout: layout)
        body(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test("commas stand between values and nowhere else")
    func commas() {
        let text = written {
            $0.beginObject()
            $0.field("a", 1)
            $0.key("b")
            $0.beginArray()
            $0.beginObject()
            $0.endObject()
            $0.value("x")
            $0.beginArray()
            $0.endArray()
            $0.null()
            $0.endArray()
            $0.field("c", true)
            $0.field("d", orNull: nil)
            $0.endObject()
        }
        #expect(text == #"{"a":1,"b":[{},"x",[],null],"c":true,"d":null}"#)
    }

    @Test("indented containers have a line for each value, inline ones stay on theirs")
    func indented() {
        let text = written(.indented) {
            $0.beginObject()
            $0.key("hosts")
            $0.beginArray()
            $0.beginObject()
            $0.field("host", "a")
            $0.field("evidence", ["1", "2"])
            $0.key("tally")
            $0.beginObject(inline: true)
            $0.field("data", 0)
            $0.field("list", [], inline: false)
            $0.field("alert", 1)
            $0.endObject()
            $0.endObject()
            $0.endArray()
            $0.field("none", [], inline: false)
            $0.endObject()
        }
        #expect(
            text == """
                {
                  "hosts": [
                    {
                      "host": "a",
                      "evidence": ["1", "2"],
                      "tally": {"data": 0, "list": [], "alert": 1}
                    }
                  ],
                  "none": []
                }
                """)
    }

    @Test(
        "strings are escaped as JSON asks, and controls that JSON allows too",
        arguments: [
            ("plain", #""plain""#), (#"a"b\c"#, #""a\"b\\c""#), ("\n\r\t\u{0}\u{1b}", #""\n\r\t\u0000\u001b""#),
            ("\u{7f}\u{9b}", #""\u007f\u009b""#), ("é試😀", #""é試😀""#), ("ok\u{202e}no", #""ok\u202eno""#),
            ("\u{e0041}", #""\udb40\udc41""#), ("\u{2028}", #""\u2028""#), ("", #""""#),
        ])
    func strings(_ text: String, _ expected: String) {
        #expect(written { $0.value(text) } == expected)
    }

    @Test("every Unicode scalar of the first planes comes back through another JSON reader")
    func allScalars() throws {
        var text = ""
        for value in UInt32(0)...0x2ffff {
            if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
        }
        var json = JSONWriter()
        json.field([text])
        #expect(!json.bytes.contains { $0 < 0x20 || $0 == 0x7f })
        let back = try JSONDecoder().decode([String].self, from: Data(json.bytes))
        #expect(back.first.map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test(
        "integers are written whole",
        arguments: [
            (0, "0"), (7, "7"), (-1, "-1"), (1234567890, "1234567890"), (Int.max, "\(Int.max)"), (.min, "\(Int.min)"),
        ])
    func integers(_ number: Int, _ expected: String) {
        #expect(written { $0.value(number) } == expected)
        #expect(written { $0.value(UInt64.max) } == "18446744073709551615")
    }

    @Test(
        "numbers are as short as they can be",
        arguments: [
            (0.0, "0"), (12.0, "12"), (0.5, "0.5"), (12.345, "12.345"), (-0.25, "-0.25"), (0.000001, "0.000001"),
            (1_767_225_600.123456, "1767225600.123456"), (1e300, "1e+300"), (0.1 + 0.2, "0.30000000000000004"),
        ])
    func doubles(_ number: Double, _ expected: String) {
        #expect(written { $0.value(number) } == expected)
    }

    @Test("numbers read back as the same numbers, on both ways of writing them")
    func exactDoubles() throws {
        var generator = SystemRandomNumberGenerator()
        var numbers: [Double] = [
            .leastNonzeroMagnitude, .greatestFiniteMagnitude, -0.0, 0x1p53, 0x1p53 / 1e6, 1e16, 1e15,
        ]
        for _ in 0..<2_000 {
            numbers.append(
                Double(Int64.random(in: -9_000_000_000_000_000...9_000_000_000_000_000, using: &generator)) / 1e6)
            numbers.append(.random(in: -1e5...1e5, using: &generator))
            let any = Double(bitPattern: .random(in: 0...UInt64.max, using: &generator))
            if any.isFinite { numbers.append(any) }
        }
        for number in numbers {
            let text = written { $0.value(number) }
            #expect(Double(text)?.bitPattern == number.bitPattern, "\(number) became \(text)")
        }
    }

    @Test("what JSON cannot say becomes null", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(_ number: Double) {
        #expect(written { $0.value(number) } == "null")
    }
}

extension JSONWriter {
    fileprivate mutating func field(_ texts: [String]) {
        beginArray()
        for text in texts { value(text) }
        endArray()
    }
}
