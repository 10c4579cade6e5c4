import Facts
import Testing

@testable import Wire

@Suite("ServerHello")
struct ServerHelloTests {
    static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
        }
    }

    /// nginx with OpenSSL 3.0.
    static let tls13 = bytes(
        "160303007a020000760303df4583915317f79683022ae0bfda51494b392bb9f2ea25b06445d0ac362b5e0e20352419c100f72c101c1d203e"
            + "c53c6060fe86e0f78933831f185cddfc0d3ee66d130200002e002b0002030400330024001d002050fe98079772234b92a4b682cff581a6"
            + "188674dce8bb0cdd0b94b947a1c0640d")
    static let tls12 = bytes(
        "160303006a020000660303b770124941994f3a9fdf2b160f613b2dcd5bec364c9b8e9cd3a3d2b16cbae8fe2038149f4ab82d48733653dfcc"
            + "afa2d426918ccb8fa93a5e53065fc4ea279d3e0cc02c00001eff0100010000000000000b00040300010200100005000302683200170000"
    )
    static let retry = bytes(
        "1603030058020000540303cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c206b10b1e0bba69544377edbed"
            + "4c9455671192d223084c8530d36015e003356f89130200000c002b00020304003300020018")

    private func read(_ bytes: [UInt8], by size: Int? = nil) -> ServerHelloReader {
        var reader = ServerHelloReader()
        for start in stride(from: 0, to: bytes.count, by: size ?? max(1, bytes.count)) {
            reader.feed(Array(bytes[start..<min(bytes.count, start + (size ?? bytes.count))]).span)
        }
        return reader
    }

    @Test("reads version, suite and retry of real ones, in pieces of any size", arguments: [nil, 1, 2, 7, 64])
    func real(size: Int?) {
        #expect(read(Self.tls13, by: size).hello == hello(.tls13, 0x1302))
        #expect(read(Self.tls12, by: size).hello == hello(.tls12, 0xc02c))
        #expect(read(Self.retry, by: size).hello == hello(.tls13, 0x1302, isRetry: true))
        #expect(read(Self.tls13 + [20, 3, 3, 0, 1, 1], by: size).hello == hello(.tls13, 0x1302))
        let drops = HelloBuilder.records(Array(Self.tls13.dropFirst(5)), of: 3)
        #expect(read(drops, by: size).hello == hello(.tls13, 0x1302))
    }

    private func hello(_ version: TLSVersion, _ suite: UInt16, isRetry: Bool = false) -> ServerHello {
        var hello = try? ServerHello(parsing: Self.tls13.span, 5..<Self.tls13.count)
        hello?.version = version
        hello?.cipherSuite = suite
        hello?.isRetryRequest = isRetry
        guard let hello else { fatalError("the recorded hello is readable") }
        return hello
    }

    @Test("knows nothing at any prefix, and is not done")
    func prefixes() {
        for end in 0..<Self.tls13.count {
            let reader = read(Array(Self.tls13[..<end]))
            #expect(reader.hello == nil && !reader.isDone, "\(end)")
        }
    }

    @Test("does not wait for the rest of a record that holds more messages")
    func coalesced() {
        // TLS 1.2 servers put the certificate into the same record, which may come in several segments.
        let message = Array(Self.tls12.dropFirst(5))
        let bytes = [22, 3, 3] + HelloBuilder.be(UInt16(message.count + 9000)) + message + [11, 0, 0x23, 0x20]
        #expect(read(bytes).hello?.version == .tls12)
        #expect(read(bytes, by: 1).hello?.version == .tls12)
    }

    @Test("is done without a hello when the server sends an alert, no TLS, or nonsense")
    func nothing() {
        for bytes in [
            [21, 3, 3, 0, 2, 2, 40], Array("HTTP/1.1 400 Bad Request\r\n".utf8), [22, 3, 3, 0, 4, 11],
            [22, 3, 3, 0, 4, 2, 0xff, 0, 0], HelloBuilder.records([2, 0, 0, 2, 3, 3]),
        ] as [[UInt8]] {
            let reader = read(bytes)
            #expect(reader.isDone && reader.hello == nil, "\(bytes)")
        }
        var unknown = Self.tls12
        unknown[9] = 9
        #expect(read(unknown).isDone && read(unknown).hello == nil)
    }

    @Test("gives up after 4 KiB")
    func bounded() {
        let header: [UInt8] = [22, 3, 3, 0x40, 0, 2, 0, 0x0f, 0xfc]  // 4096 bytes, announced and never finished
        #expect(!read(header + [UInt8](repeating: 0, count: 4000)).isDone)
        #expect(read(header + [UInt8](repeating: 0, count: 4087), by: 100).isDone)
    }
}
