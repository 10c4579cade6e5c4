import Testing

@testable import TLS

@Test(
    "integers are non-negative and in the shortest form",
    arguments: [
        ([], [2, 1, 0]), ([0, 0], [2, 1, 0]), ([0x7f], [2, 1, 0x7f]), ([0x80], [2, 2, 0, 0x80]),
        ([0, 0, 1, 0], [2, 2, 1, 0]), ([0xff, 0xff], [2, 3, 0, 0xff, 0xff]),
    ] as [([UInt8], [UInt8])])
func integers(magnitude: [UInt8], der: [UInt8]) { #expect(DER.integer(magnitude) == der) }

@Test("numbers are integers too")
func numbers() {
    #expect(DER.integer(UInt(0)) == [2, 1, 0])
    #expect(DER.integer(UInt(128)) == [2, 2, 0, 128])
    #expect(DER.integer(UInt.max) == [2, 9, 0] + Array(repeating: 0xff, count: 8))
}

@Test("lengths take the short form up to 127 and the shortest long form after it")
func lengths() {
    func head(_ count: Int, _ size: Int) -> [UInt8] {
        Array(DER.octetString(Array(repeating: 0, count: count)).prefix(size))
    }
    #expect(head(127, 2) == [4, 0x7f])
    #expect(head(128, 3) == [4, 0x81, 0x80])
    #expect(head(255, 3) == [4, 0x81, 0xff])
    #expect(head(256, 4) == [4, 0x82, 1, 0])
    #expect(head(65_536, 5) == [4, 0x83, 1, 0, 0])
}

@Test("object identifiers: the first two arcs in one number, the rest in groups of seven bits")
func identifiers() {
    #expect(DER.oid(1, 2, 840, 113549, 1, 1, 11) == [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 11])
    #expect(DER.oid(2, 5, 4, 3) == [6, 3, 0x55, 4, 3])
    #expect(DER.oid(2, 999, 3) == [6, 3, 0x88, 0x37, 3])
    #expect(DER.oid(1, 3, 6, 1, 4, 1, 128) == [6, 7, 0x2b, 6, 1, 4, 1, 0x81, 0])
}

@Test("named bits end with the last one set")
func namedBits() {
    #expect(DER.namedBits([]) == [3, 1, 0])
    #expect(DER.namedBits([0]) == [3, 2, 7, 0x80])
    #expect(DER.namedBits([0, 2]) == [3, 2, 5, 0xa0])
    #expect(DER.namedBits([5, 6]) == [3, 2, 1, 0x06])
    #expect(DER.namedBits([8]) == [3, 3, 7, 0, 0x80])
}

@Test(
    "times are UTCTime from 1950 through 2049, and GeneralizedTime outside",
    arguments: [
        (0, 0x17, "700101000000Z"), (-631_152_000, 0x17, "500101000000Z"), (-631_152_001, 0x18, "19491231235959Z"),
        (2_524_607_999, 0x17, "491231235959Z"), (2_524_608_000, 0x18, "20500101000000Z"),
        (951_827_696, 0x17, "000229123456Z"), (4_107_542_399, 0x18, "21000228235959Z"),
        (4_107_542_400, 0x18, "21000301000000Z"), (Int64.max, 0x18, "99991231235959Z"),
        (Int64.min, 0x18, "00000101000000Z"),
    ])
func times(unix: Int64, tag: UInt8, text: String) {
    #expect(DER.time(unix) == [tag, UInt8(text.utf8.count)] + Array(text.utf8))
}

@Test("sets are sorted by encoding; tags wrap whole values, implicit ones replace the tag")
func structures() {
    #expect(DER.set(DER.integer(UInt(5)), DER.boolean(true)) == [0x31, 6, 1, 1, 0xff, 2, 1, 5])
    #expect(DER.explicit(0, DER.integer(UInt(2))) == [0xa0, 3, 2, 1, 2])
    #expect(DER.implicit(2, Array("a".utf8)) == [0x82, 1, 0x61])
    #expect(DER.implicit(1, constructed: true, DER.null) == [0xa1, 2, 5, 0])
    #expect(DER.sequence(DER.null, DER.boolean(false)) == [0x30, 5, 5, 0, 1, 1, 0])
    #expect(DER.utf8String("ä") == [0x0c, 2, 0xc3, 0xa4])
}

@Test("elements are read back; what is cut, over-long or of a high tag is nil")
func elements() throws {
    let bytes = DER.sequence(DER.integer(UInt(7)), DER.octetString(Array(repeating: 1, count: 200)))
    let outer = try #require(DERElement(bytes, at: 0))
    let children = try #require(DERElement.children(bytes, in: outer.content))
    #expect(children.map(\.tag) == [2, 4])
    #expect(children[1].content.count == 200)
    #expect(outer.end == bytes.count)
    for cut in 0..<bytes.count { #expect(DERElement(Array(bytes.prefix(cut)), at: 0) == nil) }
    #expect(DERElement([0x30, 0x85, 0, 0, 0, 0, 0], at: 0) == nil)
    #expect(DERElement([0x30, 0x84, 0xff, 0xff, 0xff, 0xff], at: 0) == nil)
    #expect(DERElement([0x1f, 0x81, 0], at: 0) == nil)
    #expect(DERElement([0x30, 0x80], at: 0) == nil)
    #expect(DERElement([5, 0], at: -1) == nil)
    #expect(DERElement.children([5, 0, 5], in: 0..<3) == nil)
}
