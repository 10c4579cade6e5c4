import Facts
import Testing

@testable import Wire

/// A long header of an Initial and `body` bytes after its packet number's place.
private func initial(
    _ first: UInt8 = 0xc0, version: [UInt8] = [0, 0, 0, 1], destination: [UInt8] = [1, 2, 3], token: [UInt8] = [],
    body: [UInt8] = [UInt8](repeating: 9, count: 40)
) -> [UInt8] {
    [first] + version + [UInt8(destination.count)] + destination + [1, 7] + [UInt8(token.count)] + token
        + [0x40 | UInt8(body.count >> 8), UInt8(body.count & 0xff)] + body
}

// A span cannot go through an expectation.
private func initials(_ bytes: [UInt8]) -> [QUICInitial] { QUICInitial.all(in: bytes.span) }
private func looksLikeQUIC(_ bytes: [UInt8]) -> Bool { QUICInitial.looksLikeQUIC(bytes.span) }

private func crypto(_ offset: UInt8, _ bytes: some Collection<UInt8>) -> [UInt8] {
    [0x06, 0x40, offset, 0x40, UInt8(bytes.count)] + bytes
}

@Suite struct QUICInitialTests {
    @Test("an Initial's connection ID and packet number are found, behind a token as well")
    func header() throws {
        let plain = initials(initial())
        #expect(
            plain == [QUICInitial(version: .v1, destinationID: [1, 2, 3], range: 0..<54, packetNumberOffset: 14)])
        let token = try #require(initials(initial(token: [5, 5])).first)
        #expect(token.packetNumberOffset == 16)
    }

    @Test("version 2 numbers its packets otherwise")
    func version2() {
        let version: [UInt8] = [0x6b, 0x33, 0x43, 0xcf]
        #expect(initials(initial(0xd0, version: version)).map(\.version) == [.v2])
        #expect(initials(initial(0xc0, version: version)).isEmpty)
    }

    @Test("packets that share a datagram are all found, and a datagram of nothing else comes to an end")
    func coalesced() {
        let handshake: [UInt8] = [0xe0, 0, 0, 0, 1, 3, 1, 2, 3, 1, 7, 0x40, 4, 1, 1, 1, 1]
        let found = initials((initial() + handshake + initial(destination: [4])))
        #expect(found.map(\.destinationID) == [[1, 2, 3], [4]])
        #expect(initials([[UInt8]](repeating: initial(), count: 40).flatMap(\.self)).count == 8)
    }

    @Test("Retry, version negotiation, short headers, unknown versions and long identifiers are no Initials")
    func others() {
        for bytes in [
            initial(0xf0), initial(version: [0, 0, 0, 0]), initial(0x40), initial(version: [0xff, 0, 0, 29]),
            initial(destination: [UInt8](repeating: 1, count: 21)), [], [0xc0],
        ] { #expect(initials(bytes).isEmpty) }
    }

    @Test("a client's beginning looks like QUIC in any version, and nothing else does")
    func looks() {
        #expect(looksLikeQUIC(initial(version: [0xff, 0, 0, 29])))
        for bytes in [initial(0x40), initial(0x80), initial(version: [0, 0, 0, 0]), [0xc0, 0, 0, 0, 1, 9], []] {
            #expect(!looksLikeQUIC(bytes))
        }
    }

    @Test("headers cut or scrambled anywhere never trap, and packets lie inside of their datagram")
    func hostile() {
        let whole = initial(token: [1, 2]) + initial()
        for length in 0...whole.count { check(Array(whole.prefix(length))) }
        for index in whole.indices {
            for value in 0...UInt8.max {
                var changed = whole
                changed[index] = value
                check(changed)
            }
        }
    }

    private func check(_ bytes: [UInt8]) {
        for packet in initials(bytes) {
            #expect(packet.range.upperBound <= bytes.count && packet.packetNumberOffset <= packet.range.count)
        }
    }
}

@Suite struct QUICCryptoStreamTests {
    /// A handshake message without a record around it.
    private static let hello = HelloBuilder(extensions: [HelloBuilder.sni("api.test"), HelloBuilder.versions([0x0304])])
        .message

    @Test("a hello is read from pieces in any order, with what may stand between them")
    func pieces() throws {
        let hello = Self.hello
        let (a, b) = (hello.count / 3, hello.count / 2)
        var stream = QUICCryptoStream()
        stream.take([0x01] + crypto(UInt8(b), hello[b...]) + [0, 0, 0])
        #expect(stream.hello == nil)
        stream.take([0x02, 0, 0, 1, 0, 0, 0] + crypto(0, hello[..<a]))
        stream.take([0x03, 0, 0, 0, 0, 1, 2, 3] + crypto(UInt8(a), hello[a..<b]))
        #expect(stream.hello?.sni == HostName("api.test"))
    }

    @Test("what was read first stays")
    func repeated() {
        var stream = QUICCryptoStream()
        stream.take(crypto(0, Self.hello))
        let before = stream.hello
        stream.take(crypto(0, [UInt8](repeating: 0xff, count: Self.hello.count)))
        #expect(before != nil && stream.hello == before)
    }

    @Test("an offset or a length beyond the limit keeps nothing, and never traps")
    func limits() {
        for frames: [UInt8] in [
            [0x06, 0x80, 0, 0x40, 0, 1, 1], [0x06, 0xbf, 0xff, 0xff, 0xff, 1, 1],
            [0x06, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1], [0x06, 0, 0x80, 1, 0, 0], [0x06, 0, 5, 1],
            [0x02, 0, 0, 0x80, 0xff, 0xff, 0xff, 0], [0x1c, 0], [0x40], [],
        ] {
            var stream = QUICCryptoStream()
            stream.take(frames)
            #expect(stream == QUICCryptoStream())
        }
    }

    @Test("frames cut or scrambled anywhere never trap")
    func hostile() {
        let frames =
            [0x01] + crypto(0, Self.hello.prefix(60)) + [0x02, 0, 0, 1, 0, 0, 0] + crypto(60, Self.hello[60...])
        for length in 0...frames.count {
            var stream = QUICCryptoStream()
            stream.take(Array(frames.prefix(length)))
            _ = stream.hello
        }
        for index in frames.indices {
            for value in [UInt8(0), 1, 2, 3, 6, 0x3f, 0x40, 0x80, 0xc0, 0xff] {
                var (changed, stream) = (frames, QUICCryptoStream())
                changed[index] = value
                stream.take(changed)
                _ = stream.hello
            }
        }
    }
}
