import Flows
import Testing

@testable import Coding

private func lines(_ fields: [HeaderField]) -> [String] { fields.map { "\($0.name): \($0.value)" } }

private let requests = [
    [":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com"],
    [":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com", "cache-control: no-cache"],
    [
        ":method: GET", ":scheme: https", ":path: /index.html", ":authority: www.example.com",
        "custom-key: custom-value",
    ],
]
private let answers = [
    [
        ":status: 302", "cache-control: private", "date: Mon, 21 Oct 2013 20:13:21 GMT",
        "location: https://www.example.com",
    ],
    [
        ":status: 307", "cache-control: private", "date: Mon, 21 Oct 2013 20:13:21 GMT",
        "location: https://www.example.com",
    ],
    [
        ":status: 200", "cache-control: private", "date: Mon, 21 Oct 2013 20:13:22 GMT",
        "location: https://www.example.com", "content-encoding: gzip",
        "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
    ],
]

/// A table of 256 bytes, as appendix C.5 and C.6 have it, so that entries are evicted.
private let size256 = "3fe101"

private let huffmanAnswers = [
    size256 + "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718"
        + "63c7 8f0b 97c8 e9ae 82ae 43d3",
    "4883 640e ffc1 c0bf",
    "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 dfdf"
        + "cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07",
]

/// A literal that is indexed: name `a`, and a value of that many times `x`, more than 126 of them.
private func indexed(_ count: Int) -> [UInt8] {
    var length: [UInt8] = [0x7f]
    var rest = count - 127
    while rest >= 128 {
        length.append(UInt8(rest % 128 + 128))
        rest /= 128
    }
    return [0x40, 1, UInt8(ascii: "a")] + length + [UInt8(rest)] + Array(repeating: UInt8(ascii: "x"), count: count)
}

@Suite("header blocks of HTTP/2")
struct HPACKDecoderTests {
    @Test("the examples of RFC 7541, appendix C.3 to C.6, with and without Huffman codes")
    func examples() throws {
        let plainRequests = [
            "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d", "8286 84be 5808 6e6f 2d63 6163 6865",
            "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
        ]
        let huffmanRequests = [
            "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff", "8286 84be 5886 a8eb 1064 9cbf",
            "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
        ]
        let plainAnswers = [
            size256
                + "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32"
                + "3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
            "4803 3330 37c1 c0bf",
            "88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f"
                + "6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630"
                + "303b 2076 6572 7369 6f6e 3d31",
        ]
        for (blocks, expected) in [
            (plainRequests, requests), (huffmanRequests, requests), (plainAnswers, answers), (huffmanAnswers, answers),
        ] {
            let decoder = HPACKDecoder()
            for (block, fields) in zip(blocks, expected) { #expect(try lines(decoder.decode(hex(block))) == fields) }
        }
    }

    @Test("the literals of RFC 7541, appendix C.2")
    func literals() throws {
        let decoder = HPACKDecoder()
        let indexed = "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572"
        #expect(try lines(decoder.decode(hex(indexed))) == ["custom-key: custom-header"])
        #expect(try lines(decoder.decode(hex("040c 2f73 616d 706c 652f 7061 7468"))) == [":path: /sample/path"])
        #expect(try lines(decoder.decode(hex("1008 7061 7373 776f 7264 0673 6563 7265 74"))) == ["password: secret"])
        // Neither of the last two was indexed.
        #expect(try lines(decoder.decode([0xbe])) == ["custom-key: custom-header"])
        #expect(try decoder.decode([]) == [])
    }

    @Test("names keep their case, values that are no UTF-8 are Latin-1, and empty ones stay")
    func bytes() throws {
        let fields = try HPACKDecoder().decode(
            hex("00 02 58 61 02 63 e9") + hex("00 01 62 02 c3 a9") + hex("00 01 63 00"))
        #expect(fields == [HeaderField("Xa", "cé", isLatin1: true), HeaderField("b", "é"), HeaderField("c", "")])
    }

    @Test("a table may grow to what was allowed, and no further")
    func growth() throws {
        let to8192 = hex("3f e1 3f")
        #expect(throws: DecodingFault.self) { try HPACKDecoder().decode(to8192) }
        let decoder = HPACKDecoder()
        decoder.allowTable(of: 8192)
        #expect(try decoder.decode(to8192) == [])
        // 4,033 bytes each: a table of 4,096 would hold one.
        #expect(try decoder.decode(indexed(4000) + indexed(4000)).count == 2)
        #expect(try decoder.decode([0xbe, 0xbf]).count == 2)
        #expect(throws: DecodingFault.self) { try decoder.decode(hex("3f e2 3f")) }
    }

    @Test("a smaller table holds from when its sender says so")
    func shrinking() throws {
        let decoder = HPACKDecoder()
        #expect(try decoder.decode(indexed(200)).count == 1)
        decoder.allowTable(of: 0)
        // Sent before the sender has heard of it.
        #expect(try decoder.decode([0xbe]).count == 1)
        #expect(try lines(decoder.decode([0x20, 0x82])) == [":method: GET"])
        #expect(throws: DecodingFault.self) { try decoder.decode([0xbe]) }
    }

    @Test("two changes of the table's size in one block, as RFC 7541 §4.2 has it")
    func twice() throws {
        let decoder = HPACKDecoder()
        _ = try decoder.decode(indexed(200))
        #expect(try lines(decoder.decode(hex("20 3fe11f 82"))) == [":method: GET"])
        _ = try decoder.decode(indexed(300))
        #expect(try decoder.decode([0xbe]).first?.value.count == 300)
    }

    @Test("no size of a table traps, or costs more than the limit")
    func sizes() throws {
        let decoder = HPACKDecoder()
        for size in [-1, 0, .min, .max, 4096, HPACKDecoder.tableLimit] { decoder.allowTable(of: size) }
        #expect(try decoder.decode([0x82]).count == 1)
        // 1,048,577 = 31 + 1,048,546
        #expect(throws: DecodingFault.self) { try decoder.decode(hex("3f e2 ff 3f")) }
    }

    @Test("after a block that is none, nothing can be read any more")
    func fault() throws {
        let decoder = HPACKDecoder()
        let fault = try #require(
            #expect(throws: DecodingFault.self) { try decoder.decode([0x82, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f]) })
        #expect(fault.offset == 1 && fault.reason.hasPrefix("HPACK: "))
        #expect(throws: fault) { try decoder.decode([0x82]) }
        decoder.allowTable(of: 100_000)
        #expect(throws: fault) { try decoder.decode([]) }
    }

    @Test("a block that is too large faults alone, and the table is as it has to be")
    func tooLarge() throws {
        let decoder = HPACKDecoder()
        _ = try decoder.decode(indexed(4000))
        // 300 times 4,033 bytes, and then an entry that replaces the large one.
        let large = Array(repeating: UInt8(0xbe), count: 300) + indexed(3000)
        let fault = #expect(throws: DecodingFault.self) { try decoder.decode(large) }
        #expect(fault?.reason == "a header block of more than 1048576 bytes")
        #expect(try decoder.decode([0xbe]).first?.value.count == 3000)
        // Empty fields cost as well.
        #expect(throws: DecodingFault.self) {
            try decoder.decode(Array(repeating: hex("00 01 61 00"), count: 40_000).flatMap { $0 })
        }
        #expect(try decoder.decode([0x82]).count == 1)
    }

    @Test("a value of 64 KiB is read, and a larger one is where nghttp2 ends")
    func longValue() throws {
        let decoder = HPACKDecoder()
        #expect(try decoder.decode(indexed(65_536)).first?.value.utf8.count == 65_536)
        #expect(throws: DecodingFault.self) { try decoder.decode(indexed(65_537)) }
        #expect(throws: DecodingFault.self) { try decoder.decode([0x82]) }
    }

    @Test("cut anywhere, a block gives whole fields or a fault")
    func truncated() {
        let block = hex(huffmanAnswers[0])
        var wholes = 0
        for end in 0..<block.count {
            guard let fields = try? HPACKDecoder().decode(Array(block[..<end])) else { continue }
            wholes += 1
            #expect(lines(fields) == Array(answers[0].prefix(fields.count)))
        }
        // Before and after the change of size, and after each field but the last.
        #expect(wholes == 5)
    }

    @Test("changed bytes never trap")
    func mutated() {
        var generator = SeededGenerator(seed: 7541)
        let blocks = huffmanAnswers.map(hex)
        for _ in 0..<5000 {
            let decoder = HPACKDecoder()
            for block in blocks + blocks {
                decoder.allowTable(of: Int.random(in: 0...10_000, using: &generator))
                _ = try? decoder.decode(generator.mutated(block))
            }
        }
    }
}
