import Testing

@testable import Wire

/// Five requests as an encoder of another maker (Python's hpack) writes them: the authority coded by Huffman, plain, in a
/// padded block with a priority that CONTINUATION goes on with, from the dynamic table; and at last by `host` alone, behind
/// a change of the table's size. Between them DATA and SETTINGS.
private let sample = bytes(
    """
    505249202a20485454502f322e300d0a0d0a534d0d0a0d0a0000000400000000000000130105000000018287418b1d665cbe474d7415721e9f\
    4482601f0000350105000000038287bf44022f314003782d6128626262626262626262626262626262626262626262626262626262626262\
    6262626262626262626200000a0000000000017878787878787878787800000d012900000005040000000010828741000000000000180904\
    000000058f24952e5f23a6ba0ab90f4dc79a699f4482605f608244010000070105000000078287c44482619f000016010500000009208287\
    840004686f73740b6f6c642e6578616d706c65
    """)

private func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8).map { $0 > 57 ? $0 - 87 : $0 - 48 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

private func read(_ bytes: [UInt8], by count: Int) -> (hosts: [String], hasLost: Bool) {
    var reader = HTTP2RequestHosts()
    for start in stride(from: 0, to: bytes.count, by: count) {
        reader.read(bytes.span.extracting(start..<min(start + count, bytes.count)))
    }
    return (reader.take().map { String(decoding: $0, as: UTF8.self) }, reader.hasLost)
}

@Test("who is asked is read off the header blocks, however they are cut", arguments: [1, 2, 7, 64, 4096])
func hostsOfHTTP2(by count: Int) {
    let (hosts, hasLost) = read(sample, by: count)
    #expect(
        hosts == ["api.example.com", "api.example.com", "cdn.example.com:8443", "api.example.com", "old.example"])
    #expect(!hasLost)
}

@Test("a WebSocket within HTTP/2 asks its authority, and a tunnel nobody that is known")
func connectOfHTTP2() {
    func literal(_ name: String, _ value: String) -> [UInt8] {
        [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
    }
    func request(_ fields: [UInt8]) -> [UInt8] {
        HTTP2RequestHosts.preface + [0, 0, UInt8(fields.count), 1, 4, 0, 0, 0, 1] + fields
    }
    let connect = literal(":method", "CONNECT") + literal(":authority", "api.example.com")
    let socket = read(request(connect + literal(":protocol", "websocket")), by: 7)
    #expect(socket.hosts == ["api.example.com"] && !socket.hasLost)
    #expect(read(request(connect), by: 7).hasLost)
    // Some servers go by Host, though they must not.
    let two = read(request(literal(":authority", "cdn.example.com") + literal("host", "api.example.com")), by: 7)
    #expect(two.hosts == ["cdn.example.com", "api.example.com"])
}

@Test("what is no HTTP/2, or cannot be followed, is said to be so, and never traps")
func unreadableHTTP2() {
    #expect(read(Array("GET / HTTP/1.1\r\n\r\n".utf8), by: 5).hasLost)
    // Any byte changed or any end cut: whatever comes of it, the reader stays on its feet.
    for index in sample.indices {
        var changed = sample
        for mask: UInt8 in [0x01, 0x80, 0xff] {
            changed[index] = sample[index] ^ mask
            _ = read(changed, by: 16)
        }
        #expect(!read(Array(sample[...index]), by: 16).hasLost)
    }
    func head(_ length: Int, _ type: UInt8, _ flags: UInt8) -> [UInt8] {
        [UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255), type, flags, 0, 0, 0, 1]
    }
    let begin = HTTP2RequestHosts.preface
    // A client promises nothing; a block has its limit; indices and numbers beyond what there is.
    #expect(read(begin + head(0, 5, 4), by: 99).hasLost)
    #expect(read(begin + head(1 << 20, 1, 4), by: 99).hasLost)
    for block: [UInt8] in [
        [0x80], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0xc0], [0x3f, 0xff, 0xff, 0x7f], [0x41, 0x05],
    ] {
        #expect(read(begin + head(block.count, 1, 4) + block, by: 99).hasLost, "\(block)")
    }
    // Padding that is longer than its frame.
    #expect(read(begin + head(2, 1, 0xc) + [9, 0], by: 99).hasLost)
}

@Test("Huffman's code is that of RFC 7541, appendix B and C.4")
func huffman() {
    let decode = { (hex: String) in HPACKHuffman.decoded(bytes(hex)[...]).map { String(decoding: $0, as: UTF8.self) } }
    #expect(decode("f1e3c2e5f23a6ba0ab90f4ff") == "www.example.com")
    #expect(decode("a8eb10649cbf") == "no-cache")
    #expect(decode("25a849e95ba97d7f") == "custom-key")
    #expect(decode("25a849e95bb8e8b4bf") == "custom-value")
    #expect(decode("") == "")
    // Padding of zeros, eight bits of it, EOS.
    #expect(decode("00") == nil)
    #expect(decode("a8eb10649cbfff") == nil)
    #expect(decode("ffffffff") == nil)
}
