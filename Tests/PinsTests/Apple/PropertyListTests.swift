import Facts
import Testing

@testable import Pins

@Suite("property lists")
struct PropertyListTests {
    @Test("XML has every kind of value, with its line")
    func xml() throws {
        let root = try PropertyList.read(
            PinFileContent(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">
                <dict>
                  <key>a</key> <string>x &amp; y</string>
                  <key>b</key>
                  <array><true/><false/>
                    <integer> -7 </integer><integer>0xFF</integer><integer>18446744073709551615</integer></array>
                  <key>c</key><real>1.5</real>
                  <key>d</key><date>2027-01-31T00:00:00Z</date>
                  <key>e</key><data>
                    AAEC
                    Aw==
                  </data>
                  <key>f</key><dict/>
                </dict>
                </plist>
                """))
        #expect(root.line == 4 && root.entries.map(\.key) == ["a", "b", "c", "d", "e", "f"])
        #expect(root.entries.map(\.line) == [5, 6, 9, 10, 11, 15])
        #expect(root["a"]?.string == "x & y")
        #expect(
            root["b"]?.array?.map(\.value) == [
                .boolean(true), .boolean(false), .integer(-7), .integer(255), .integer(-1),
            ])
        #expect(root["b"]?.array?.map(\.line) == [7, 7, 8, 8, 8])
        #expect(root["c"]?.value == .real(1.5) && root["d"]?.value == .date(1_801_353_600))
        #expect(root["e"]?.value == .data([0, 1, 2, 3]) && root["f"]?.value == .dictionary([]))
        #expect(root["g"] == nil && root["a"]?["b"] == nil)
    }

    @Test("of keys that stand there twice the last counts")
    func duplicates() throws {
        let root = try PropertyList.read(
            PinFileContent("<plist><dict><key>a</key><true/><key>a</key><false/></dict></plist>"))
        #expect(root["a"]?.boolean == false && root.entries.count == 2)
    }

    @Test("a piece that begins with a key is the inside of a dictionary")
    func fragment() throws {
        let root = try PropertyList.read(PinFileContent("\n<key>a</key>\n<dict><key>b</key><true/></dict>\n"))
        #expect(root["a"]?["b"]?.boolean == true && root.entry("a")?.line == 2)
    }

    @Test(
        "what is broken is refused with its line",
        arguments: [
            ("<plist>\n</plist>", 1, "<plist> has 0 values, and not one"),
            ("<plist><dict>\n<key>a</key>\n<key>b</key><true/></dict></plist>", 2, "the key \"a\" has no value"),
            ("<plist><dict>\n<key>a</key></dict></plist>", 2, "the key \"a\" has no value"),
            ("<plist><dict>\n<true/></dict></plist>", 2, "<true> stands in a <dict> without a key"),
            ("<plist>\n<integer>x</integer></plist>", 2, "<integer> has no whole number in it: \"x\""),
            ("<plist><dict>\n<key>a</key><bool/></dict></plist>", 2, "<bool> is nothing that a property list has"),
            ("<plist><data>?</data></plist>", 1, "<data> has no base64 in it"),
            ("<plist><date>soon</date></plist>", 1, "<date> has no date like 2027-01-31T00:00:00Z in it: \"soon\""),
            ("<plist><dict>\n<key>a</key>", 2, "the file ends within <dict> of line 1"),
            ("{\"a\": 1}", 1, "this is no property list"),
        ])
    func broken(_ text: String, _ line: Int, _ message: String) {
        let isOfXML = message.hasPrefix("the file ends")
        let fault = isOfXML ? PinFileFault.syntax(line: line, message, nil) : PinFileFault(line: line, message)
        #expect(throws: fault) { try PropertyList.read(PinFileContent(text)) }
    }

    @Test("the old style is refused with what to do", arguments: ["{ a = b; }", "\n{\n  \"a.b\" = { c = d; };\n}\n"])
    func oldStyle(_ text: String) {
        #expect(PropertyListForm(of: PinFileContent(text)) == .oldStyle)
        #expect(
            throws: PinFileFault(
                line: 1, "it is a property list of the old style ({ key = value; }), which is not read",
                hints: ["convert it first: plutil -convert xml1 FILE"])
        ) { try PropertyList.read(PinFileContent(text)) }
    }

    @Test("UTF-16 with its mark is read")
    func utf16() throws {
        let bytes: [UInt8] = "\u{feff}<plist><string>ü</string></plist>".utf16.reduce(into: []) {
            $0 += [UInt8(truncatingIfNeeded: $1), UInt8(truncatingIfNeeded: $1 >> 8)]
        }
        #expect(try PropertyList.read(PinFileContent(bytes)).string == "ü")
    }

    @Test(
        "truth is what Foundation's boolValue says",
        arguments: [
            (PropertyList.Value.boolean(true), true), (.integer(2), true), (.integer(0), false), (.string("YES"), true),
            (.string("true"), true), (.string("  -001"), true), (.string("00"), false), (.string("NO"), false),
            (.string(""), false), (.string("on"), false), (.array([]), nil), (.data([1]), nil),
        ] as [(PropertyList.Value, Bool?)])
    func truth(_ value: PropertyList.Value, _ expected: Bool?) {
        #expect(PropertyList(value).truth == expected)
    }
}
