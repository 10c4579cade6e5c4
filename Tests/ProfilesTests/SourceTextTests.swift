import Policy
import Testing

@testable import Profiles

@Suite struct SourceTextTests {
    private func complaint(_ bytes: [UInt8]) -> String {
        do throws(ProfileErrors) {
            _ = try ProfileLoader.parse(bytes, path: "p.yaml", files: noFiles)
            return "no complaint"
        } catch { return error.description.replacing("error: p.yaml", with: "") }
    }

    @Test("bytes that are not UTF-8 are placed, and UTF-16 is known by its mark")
    func notUTF8() {
        #expect(
            complaint(Array("version: 1\n# gr\u{FC}n ".utf8) + [0xFC]) == ":2:8: not UTF-8 text\nhint: save it as UTF-8"
        )
        #expect(
            complaint([0xFF, 0xFE, 0x76, 0]) == ":1:1: not UTF-8 text\nhint: it looks like UTF-16: save it as UTF-8")
        #expect(complaint(Array("version: 1".utf8) + [0xED, 0xA0, 0x80]).hasPrefix(":1:11: not UTF-8"))
    }

    @Test("control characters are placed; line breaks of any kind count as libyaml counts them")
    func controls() {
        #expect(
            complaint(Array("version: 1\r\n\r#\u{2028}\u{85}# \u{1B}".utf8))
                == ":5:3: character U+001B is not allowed in a profile\nhint: remove it")
        #expect(
            complaint([0]) == ":1:1: character U+0000 is not allowed in a profile\nhint: is this really a text file?")
        #expect(complaint(Array("version: 1 # \u{E000}".utf8)).hasPrefix(":1:14: character U+E000"))
        #expect(complaint(Array("version: 1\n\u{FEFF}".utf8)).hasPrefix(":2:1: character U+FEFF"))
    }

    @Test("a file without content is empty, one too large is not looked at")
    func sizes() {
        let hint = "hint: a profile begins with \"version: 1\"; see docs/profile.md"
        for text in ["", "\n \n", "# only a comment", "\u{FEFF}"] {
            #expect(complaint(Array(text.utf8)) == ": the profile is empty\n" + hint)
        }
        #expect(complaint([UInt8](repeating: 0xFF, count: 1_048_577)).hasPrefix(": 1048577 bytes are too many"))
    }

    @Test("places lead back to characters")
    func places() throws {
        let text = try SourceText(Array("ab\r\ncd\re".utf8))
        #expect(text.index(of: Place(2, 2)).map { text.scalars[$0] } == "d")
        #expect(text.index(of: Place(3, 1)).map { text.scalars[$0] } == "e")
        #expect(String(String.UnicodeScalarView(text.line(of: Place(2, 9)))) == "cd")
        for place in [Place(3, 2), Place(4, 1), Place(0, 1), Place(1, 0), Place(1, .max), Place(.max, 1)] {
            #expect(text.index(of: place) == nil)
        }
    }
}
