import Testing

@testable import Facts

struct JSONValueTests {
    private func written(_ text: String) throws -> String {
        var json = JSONWriter()
        json.value(try JSONValue.parse(text.utf8))
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test(
        "a text is written as it was read: order, duplicates and digits survive",
        arguments: [
            #"{"b":1.50,"a":12345678901234567890,"b":-0}"#, "[]", "{}", "[1,[2,[3]],{\"a\":[]}]", "null", "true",
            "-1.5e+30",
            #""é\u0000\n""#,
        ])
    func roundTrip(text: String) throws {
        #expect(try JSONValue.parse(try written(text).utf8) == JSONValue.parse(text.utf8))
        #expect(try written(written(text)) == written(text))
    }

    @Test("numbers keep their digits, members their order and duplicates")
    func digits() throws {
        let text = #"{"b":1.50,"a":12345678901234567890,"b":-0}"#
        #expect(try written(text) == text)
    }

    @Test("escapes are read as what they stand for")
    func escapes() throws {
        #expect(try JSONValue.parse(#""\ud83d\ude00\"\\\/\b\f\n\r\tA""#.utf8) == .string("😀\"\\/\u{8}\u{c}\n\r\tA"))
        // Half a pair is no character.
        #expect(try JSONValue.parse(#""\ud83dx""#.utf8) == .string("\u{fffd}x"))
    }

    @Test(
        "what is no JSON is told with its place",
        arguments: [
            ("", 0), ("{", 1), ("[1,]", 3), ("{\"a\" 1}", 5), ("01", 1), ("1.", 2), ("\"a", 2), ("tru", 0),
            ("[1] x", 4),
            ("\"\\x\"", 2), ("-", 1), ("\"\\u12g4\"", 3), ("\"\u{1}\"", 1), ("{a:1}", 1), ("nul", 0),
        ])
    func faults(text: String, offset: Int) {
        let fault = #expect(throws: JSONFault.self) { try JSONValue.parse(text.utf8) }
        #expect(fault?.offset == offset)
    }

    @Test("a text that is nested too deep is refused, and not followed")
    func depth() {
        let text = String(repeating: "[", count: 100_000)
        #expect(throws: JSONFault.self) { try JSONValue.parse(text.utf8) }
        let deep = String(repeating: "[", count: 256) + String(repeating: "]", count: 256)
        #expect(throws: Never.self) { try JSONValue.parse(deep.utf8) }
    }

    @Test("bytes that are no UTF-8 are a fault, and no trap")
    func bytes() {
        #expect(throws: JSONFault.self) { try JSONValue.parse([0x22, 0xff, 0x22]) }
    }

    @Test(
        "a string is the same text whether it is plain, has escapes or is no ASCII, wherever that begins",
        arguments: [
            ("", ""), ("plain", "plain"), ("aé", "aé"), (#"a\n"#, "a\n"), (#"\u00e9é"#, "éé"), ("é\\\"x", "é\"x"),
            (String(repeating: "long ", count: 20), String(repeating: "long ", count: 20)),
        ])
    func strings(text: String, meaning: String) throws {
        #expect(try JSONValue.parse("[\"\(text)\"]".utf8) == .array([.string(meaning)]))
        #expect(try JSONValue.parse("{\"\(text)\":1}".utf8) == .object([JSONValue.Member(meaning, .number("1"))]))
    }

    @Test("looking at a member of what has none finds nothing")
    func looking() throws {
        let value = try JSONValue.parse(#"{"a":{"n":1e2,"big":1e400,"s":"x"},"l":[1]}"#.utf8)
        #expect(value["a"]?["n"]?.int == 100)
        #expect(value["a"]?["big"]?.int == nil)
        #expect(value["a"]?["s"]?.string == "x")
        #expect(value["l"]?["a"] == nil)
        #expect(value["l"]?.array?.count == 1)
    }
}
