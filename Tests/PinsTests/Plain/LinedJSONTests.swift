import Testing

@testable import Pins

@Suite("JSON with lines")
struct LinedJSONTests {
    @Test("every value has its line, duplicates stay")
    func lines() throws {
        let root = try LinedJSON.read(
            PinFileContent(
                "\u{feff}{\"a\":\n [1, -2.5e3, true,\n null, \"x\\n\\u00fc\"],\n\n \"b\": {}, \"a\": false}\n"))
        #expect(
            root.line == 1 && root.members.map(\.name) == ["a", "b", "a"] && root.members.map(\.line) == [1, 5, 5])
        #expect(root.members[0].value.array?.map(\.line) == [2, 2, 2, 3, 3])
        #expect(
            root.members[0].value.array?.map(\.value) == [
                .number("1"), .number("-2.5e3"), .bool(true), .null, .string("x\nü"),
            ])
        #expect(
            root["a"]?.bool == false && root.overwritten.map(\.line) == [1] && root.effective.map(\.name) == ["b", "a"])
    }

    @Test(
        "what is no JSON is refused with its line",
        arguments: [
            ("{\n\"a\": 1,\n}", 3, "a member's name was expected"), ("[1\n 2]", 2, "a comma or the end was expected"),
            ("{\"a\"\n 1}", 2, "a colon was expected"), ("[\n01]", 2, "a number is broken"),
            ("[tru]", 1, "a value was expected"),
            ("", 1, "it ends where a value was expected"), ("[1] 2", 1, "more follows the value"),
            ("[\"a\nb\"]", 1, "a string does not end in its line"), ("[\"a", 1, "a string does not end"),
            ("[\"a\\", 1, "a string does not end"),
            ("[\"\\x\"]", 1, "a string has an escape or a character that is not allowed"),
            ("// x\n{}", 1, "a value was expected"),
            ("[-]", 1, "a number is broken"), ("[", 1, "it ends where a value was expected"),
        ])
    func broken(_ text: String, _ line: Int, _ message: String) {
        #expect(throws: PinFileFault(line: line, "this is no JSON: " + message)) {
            try LinedJSON.read(PinFileContent(text))
        }
    }

    @Test("depth and number are bounded")
    func bounds() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: PinFileFault(line: 1, "it is nested more than 64 deep")) {
            try LinedJSON.read(PinFileContent(deep))
        }
        let many = "[" + String(repeating: "0,", count: LinedJSON.nodeLimit) + "0]"
        #expect(throws: PinFileFault(line: 1, "it has more than 200000 values, the most that are read")) {
            try LinedJSON.read(PinFileContent(many))
        }
    }
}
