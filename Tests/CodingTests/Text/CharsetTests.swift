import Testing

@testable import Coding

private func text(_ digits: String, _ charset: String?) -> String { Charset.text(hex(digits), charset: charset).text }

@Suite("charsets")
struct CharsetTests {
    @Test(
        "texts of many charsets are read",
        arguments: [
            ("shift_jis", "93fa967b8cea8740b1eee0", "日本語①ｱ髙"),
            ("euc-jp", "c6fccbdcb8eca5c6a5ada5b9a5c8", "日本語テキスト"),
            ("iso-2022-jp", "1b2442467c4b5c1b284220616263", "日本 abc"),
            ("euc-kr", "c7d1b1b9beee208c63", "한국어 똠"),
            ("gb18030", "d6d0cec495328236a8b9", "中文𠀀ü"),
            ("gbk", "bcf2cce5d6d0cec4", "简体中文"),
            ("big5", "c163c5e9a4a4a4e5", "繁體中文"),
            ("koi8-r", "f0d2c9d7c5d4", "Привет"),
            ("windows-1251", "cff0e8e2e5f220a2", "Привет ў"),
            ("iso-8859-2", "5a61bff3b3e6", "Zażółć"),
            ("iso-8859-15", "313020a4", "10 €"),
            ("windows-1258", "7469eaec6e67", "tiếng"),
            ("windows-874", "e4b7c2", "ไทย"),
            ("ibm866", "8fe0a8a2a5e2", "Привет"),
            ("macintosh", "6361668e", "café"),
            ("windows-1255", "f9ece5ed", "שלום"),
            ("iso-8859-8-i", "f9ece5ed", "שלום"),
            ("x-mac-cyrillic", "8ff0e8e2e5f2", "Привет"),
        ])
    func texts(_ charset: String, _ digits: String, _ expected: String) {
        let (text, name) = Charset.text(hex(digits), charset: charset)
        #expect(text == expected && name == charset)
    }

    @Test("labels are those of the Encoding Standard, with regard neither to case nor to white space and quotes")
    func labels() {
        for (label, name) in [
            ("ISO-8859-1", "windows-1252"), (" \"UTF8\"\n", "utf-8"), ("us-ascii", "windows-1252"),
            ("x-sjis", "shift_jis"),
            ("ks_c_5601-1987", "euc-kr"), ("GB2312", "gbk"), ("utf-16", "utf-16le"), ("latin2", "iso-8859-2"),
        ] {
            #expect(Charset.name(of: label) == name)
        }
        for label in ["", " ", "utf-9", "utf-7", "iso-2022-kr", "UTF-8//IGNORE", "../x"] {
            #expect(Charset.name(of: label) == nil)
        }
    }

    @Test("this system's iconv has every charset")
    func all() {
        for name in CharsetNames.all where !name.hasPrefix("utf-16") {
            let (text, used) = Charset.text("abc".utf8, charset: name)
            #expect(text == "abc" && used == name, "\(name)")
        }
    }

    @Test("a byte order mark says more than the label")
    func marks() {
        for label in [nil, "utf-8", "shift_jis", "unknown"] {
            #expect(Charset.text(hex("efbbbf c3a9"), charset: label) == ("é", "utf-8"))
            #expect(Charset.text(hex("feff 00e9 d83d de00"), charset: label) == ("é😀", "utf-16be"))
            #expect(Charset.text(hex("fffe e900 3dd8 00de"), charset: label) == ("é😀", "utf-16le"))
        }
        #expect(text("e900 3dd8 00de", "utf-16") == "é😀" && text("00e9", "utf-16be") == "é")
    }

    @Test("without a known label it is UTF-8 where it is that, else windows-1252")
    func unlabelled() {
        for label in [nil, "", "unknown"] {
            #expect(Charset.text("é 中".utf8, charset: label) == ("é 中", "utf-8"))
            #expect(Charset.text(hex("e9 20 80 81"), charset: label) == ("é €\u{81}", "windows-1252"))
            #expect(Charset.text([], charset: label) == ("", "utf-8"))
        }
    }

    @Test("every byte of windows-1252 is a character of its own")
    func windows1252() {
        let (text, _) = Charset.text(Array(0...255), charset: "iso-8859-1")
        #expect(text.unicodeScalars.count == 256 && Set(text.unicodeScalars).count == 256)
        #expect(Array(text.unicodeScalars)[0x9f] == "Ÿ" && Array(text.unicodeScalars)[0xff] == "ÿ")
    }

    @Test("what cannot be read is replaced, and what stands around it is kept")
    func replaced() {
        #expect(text("61 ff 62", "utf-8") == "a\u{fffd}b")
        #expect(text("61 ff 62", "euc-kr") == "a\u{fffd}b")
        #expect(text("61 88", "shift_jis") == "a\u{fffd}")
        #expect(text("61 00 62", "utf-16le") == "a\u{fffd}" && text("3dd8 6100", "utf-16le") == "\u{fffd}a")
        #expect(text("1b 24 42 46 7c 1b 28 42 ff 61", "iso-2022-jp") == "日\u{fffd}a")
    }

    @Test("a long text comes out whole, wherever its characters stand")
    func long() {
        // Three bytes of UTF-8 for two: what one call writes ends in the middle of characters.
        for shift in 0..<3 {
            let bytes = Array(repeating: UInt8(0x61), count: shift) + repeatElement(hex("93fa"), count: 30_000).joined()
            let expected = String(repeating: "a", count: shift) + String(repeating: "日", count: 30_000)
            #expect(Charset.text(bytes, charset: "shift_jis").text == expected)
        }
    }

    @Test("bytes of any kind give text in every charset, and never trap")
    func hostile() {
        var generator = SeededGenerator(seed: 9)
        for name in CharsetNames.all {
            for _ in 0..<20 {
                let bytes = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                // Escapes, which change the state of some.
                let escapes = hex("1b2442 1b284a 1b2849 1b2428 8fa1 81308130")
                let text = Charset.text(bytes + escapes + bytes, charset: name).text
                #expect(text.unicodeScalars.count <= 2 * (2 * bytes.count + escapes.count), "\(name)")
            }
        }
    }

    @Test("a text becomes the bytes that it was read of; one that a charset cannot say has none in it")
    func bytes() {
        for (charset, text) in [
            ("shift_jis", "日本語①ｱ髙"), ("iso-8859-1", "caf\u{e9} \u{20ac}\u{81}"), ("utf-16le", "a\u{1f600}"),
            ("UTF-16BE", "\u{c4}"), ("utf-8", "\u{c4}"), ("windows-1251", "Привет"), ("euc-kr", "한국어"), ("gbk", "中文"),
        ] {
            let bytes = Charset.bytes(of: text, charset: charset)
            #expect(bytes != nil, "\(charset)")
            #expect(bytes.map { Charset.text($0, charset: charset).text } == text, "\(charset)")
        }
        #expect(Charset.bytes(of: "日", charset: "shift_jis") == hex("93fa"))
        #expect(Charset.bytes(of: "日", charset: "iso-8859-1") == nil)
        #expect(Charset.bytes(of: "\u{1f600}", charset: "shift_jis") == nil)
        #expect(Charset.bytes(of: "a", charset: "klingon") == nil)
    }
}
