import Flows
import Testing

@testable import Coding

private func messages(withoutTakeover: Bool = false, bits: Int = 15) -> DeflateMessages {
    DeflateMessages(MessageDeflate(withoutTakeover: withoutTakeover, windowBits: bits))
}

extension DeflateMessages {
    fileprivate func text(_ digits: String, limit: Int = 1 << 20) -> String? {
        inflate(hex(digits), limit: limit).map { String(decoding: $0.data, as: UTF8.self) }
    }
}

@Suite("messages of permessage-deflate")
struct DeflateMessagesTests {
    @Test("the examples of RFC 7692 §7.2.3 are read")
    func examples() {
        for digits in [
            "f2 48 cd c9 c9 07 00",  // one block
            "00 05 00 fa ff 48 65 6c 6c 6f 00",  // not compressed
            "f3 48 cd c9 c9 07 00 00",  // BFINAL is 1
            "f2 48 05 00 00 00 ff ff ca c9 c9 07 00",  // two blocks
        ] {
            for withoutTakeover in [false, true] {
                let messages = messages(withoutTakeover: withoutTakeover)
                #expect(messages.text(digits) == "Hello" && messages.text(digits) == "Hello", "\(digits)")
            }
        }
        #expect(messages().text("00") == "")
        #expect(messages().text("") == "")
    }

    @Test(
        "a message that ends the stream again and again is given up, and so are those after it",
        arguments: [true, false])
    func ends(withoutTakeover: Bool) {
        let end = "03 00 "
        let some = messages(withoutTakeover: withoutTakeover)
        #expect(some.text(String(repeating: end, count: DeflateMessages.mostEnds) + "00") == "")
        #expect(some.text("f2 48 cd c9 c9 07 00") == "Hello")
        let many = messages(withoutTakeover: withoutTakeover)
        #expect(many.text(String(repeating: end, count: DeflateMessages.mostEnds + 1) + "00") == nil)
        #expect(many.text("f2 48 cd c9 c9 07 00") == nil)
    }

    @Test("under context takeover a message refers to those before it")
    func takeover() {
        let taking = messages(bits: 9)
        #expect(taking.text("f2 48 cd c9 c9 07 00") == "Hello")
        #expect(taking.text("f2 00 11 00 00") == "Hello")
        #expect(taking.text("02 13 0a 48 24 00") == "Hello Hello Hello")
        #expect(taking.text("00") == "")
        #expect(taking.text("f2 00 11 00 00") == "Hello")
    }

    @Test("a message that ends its stream takes nothing from those after it")
    func final() {
        let taking = messages()
        #expect(taking.text("f3 48 cd c9 c9 07 00 00") == "Hello")
        #expect(taking.text("f2 00 11 00 00") == "Hello")
    }

    @Test("without it every message stands alone, the one after nonsense too")
    func withoutTakeover() {
        let alone = messages(withoutTakeover: true)
        #expect(alone.text("f2 48 cd c9 c9 07 00") == "Hello")
        #expect(alone.text("f2 00 11 00 00") == nil)
        #expect(alone.text("f2 48 cd c9 c9 07 00") == "Hello")
    }

    @Test("under it nothing can be read any more after nonsense")
    func lost() {
        for digits in ["07 ff", "f2 48 cd c9", "ff"] {
            let taking = messages()
            #expect(taking.text(digits) == nil, "\(digits)")
            #expect(taking.text("f2 48 cd c9 c9 07 00") == nil)
        }
    }

    @Test("cut anywhere, a message is none, and does not trap")
    func truncated() {
        let whole = hex("f2 48 05 00 00 00 ff ff ca c9 c9 07 00")
        for end in 1..<whole.count {
            let text = messages().inflate(Array(whole[..<end]), limit: 100).map {
                String(decoding: $0.data, as: UTF8.self)
            }
            // A cut that stands between blocks cannot be told from a shorter message.
            #expect(text == nil || "Hello".hasPrefix(text ?? "-"), "\(end)")
        }
    }

    @Test("a limit cuts what comes out, and the next message is still read")
    func limit() {
        for withoutTakeover in [false, true] {
            let messages = messages(withoutTakeover: withoutTakeover)
            #expect(messages.inflate(hex("f248cdc9c90700"), limit: 5)?.isCut == false)
            let cut = messages.inflate(hex("f248cdc9c90700"), limit: 4)
            #expect(cut?.data == Array("Hell".utf8) && cut?.isCut == true && messages.dropped == 1)
            #expect(messages.inflate(hex("f248cdc9c90700"), limit: -1)?.data == [])
            #expect(messages.text("f2 48 cd c9 c9 07 00") == "Hello")
        }
    }

    @Test("a bomb is cut, and given up where all of it would have to be read")
    func bombs() throws {
        let bomb = deflatedZeros(1 << 30)
        for withoutTakeover in [false, true] {
            let messages = messages(withoutTakeover: withoutTakeover)
            let inflated = try #require(messages.inflate(bomb, limit: 1 << 20))
            #expect(inflated.data == Array(repeating: 0, count: 1 << 20) && inflated.isCut)
            #expect(messages.text("f2 48 cd c9 c9 07 00") == (withoutTakeover ? "Hello" : nil))
        }
    }

    @Test("changed bytes never trap")
    func mutated() {
        var generator = SeededGenerator(seed: 7692)
        for round in 0..<4000 {
            let messages = messages(withoutTakeover: round % 2 == 0)
            for _ in 0..<3 {
                let inflated = messages.inflate(generator.mutated(Encoded.raw), limit: 1000)
                #expect((inflated?.data.count ?? 0) <= 1000)
            }
        }
    }
}
