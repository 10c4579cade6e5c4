import Testing

@testable import Facts

@Suite struct Base64Tests {
    @Test("RFC 4648's examples, both ways")
    func vectors() {
        for (text, code) in [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            #expect(Base64.encode(Array(text.utf8)) == code)
            #expect(Base64.decoded(Array(code.utf8)[...]) == Array(text.utf8))
        }
    }

    @Test("bytes of every value come through, and random tokens never trap")
    func bytes() {
        let all = (0...255).map { UInt8($0) }
        #expect(Base64.decoded(Array(Base64.encode(all).utf8)[...]) == all)
        #expect(Base64.decoded(Array("AAECA//+/fw=".utf8)[...]) == [0, 1, 2, 3, 0xff, 0xfe, 0xfd, 0xfc])
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            _ = Base64.decoded(text[...])
        }
    }
}

@Test("two lower-case digits a byte, four a number")
func hex() {
    #expect(Hex.encode([]) == "" && Hex.encode([0, 0x0f, 0xa5, 0xff]) == "000fa5ff")
    var out: [UInt8] = []
    Hex.append(0x1a2, to: &out)
    #expect(out == Array("01a2".utf8))
}
