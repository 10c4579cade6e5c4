import Facts
import Testing

@testable import Wire

@Suite("PassthroughTap")
struct PassthroughTapTests {
    private struct Piece {
        var isClient: Bool
        var bytes: [UInt8]
    }

    /// A whole TLS 1.3 connection to nginx: real hellos, arbitrary contents.
    private static let accepted: [Piece] =
        [Piece(isClient: true, bytes: RecordedHello.curl), Piece(isClient: false, bytes: ServerHelloTests.tls13)]
        + pieces("Sc Sd36 Sd994 Sd96 Sd69 Cc Cd69 Cd81 Sd282 Sd282 Sd57 Sd26 Cd61 Cd26 Sd112")

    private static func pieces(_ text: String) -> [Piece] {
        text.split(separator: " ").map { TunnelRecord(String($0)) }.map {
            Piece(isClient: $0.isClient, bytes: $0.bytes)
        }
    }

    private func run(_ pieces: [Piece], by size: Int? = nil, hello: ClientHello?) -> PassthroughTap {
        var tap = PassthroughTap(hello: hello)
        for piece in pieces {
            for start in stride(from: 0, to: piece.bytes.count, by: size ?? max(1, piece.bytes.count)) {
                let part = Array(piece.bytes[start..<min(piece.bytes.count, start + (size ?? piece.bytes.count))])
                if piece.isClient { tap.fromClient(part) } else { tap.fromServer(part) }
            }
        }
        return tap
    }

    @Test("sees data, version and the client's records", arguments: [nil, 1, 3, 100])
    func accepted(size: Int?) throws {
        let tap = run(Self.accepted, by: size, hello: try parsed(RecordedHello.curl))
        #expect(tap.sawData)
        #expect(tap.serverAnswered)
        #expect(tap.serverVersion == .tls13)
        #expect(tap.clientAlert == nil && tap.serverAlert == nil && !tap.isLost)
        let expected = [(20, 1), (23, 69), (23, 81), (23, 61), (23, 26)] as [(UInt8, Int)]
        #expect(tap.records == expected.map { Observation.Record(type: $0.0, length: $0.1) })
    }

    @Test("reads OpenSSL's plaintext alert in TLS 1.3")
    func plaintextAlert() throws {
        var pieces = Array(Self.accepted[..<6])
        pieces.append(Piece(isClient: true, bytes: [21, 3, 3, 0, 2, 2, 48]))
        let tap = run(pieces, hello: try parsed(RecordedHello.curl))
        #expect(tap.clientAlert == TLSRecordScanner.PlainAlert(level: 2, code: 48))
        #expect(tap.serverAnswered && !tap.sawData)
    }

    @Test("tells a server that refuses from one that answers")
    func serverRefuses() throws {
        let tap = run(
            [Self.accepted[0], Piece(isClient: false, bytes: [21, 3, 3, 0, 2, 2, 40])],
            hello: try parsed(RecordedHello.curl))
        #expect(!tap.serverAnswered && tap.serverVersion == nil && !tap.sawData)
        #expect(tap.serverAlert == TLSRecordScanner.PlainAlert(level: 2, code: 40))
    }

    @Test("sees TLS 1.2 as what it is")
    func tls12() throws {
        let head = [
            Piece(isClient: true, bytes: RecordedHello.curl), Piece(isClient: false, bytes: ServerHelloTests.tls12),
        ]
        let finished = Self.pieces("Sh972 Sh114 Sh4 Ch37 Cc Ch40 Sc Sh40 Sd64")
        let hello = try parsed(RecordedHello.curl)
        #expect(run(head + finished + Self.pieces("Cd88 Cd68 Sd33"), hello: hello).sawData)
        let refused = run(head + finished + Self.pieces("Ca26"), hello: hello)
        #expect(!refused.sawData && refused.serverVersion == .tls12)
    }

    @Test("claims nothing of what is no TLS, or stops being it")
    func lost() throws {
        let http = [
            Piece(isClient: true, bytes: Array("GET / HTTP/1.1\r\n\r\n".utf8)),
            Piece(isClient: false, bytes: Array("HTTP/1.1 200 OK\r\n\r\n".utf8)),
        ]
        let plain = run(http, hello: nil)
        #expect(plain.isLost && !plain.sawData && !plain.serverAnswered)
        let broken = Array(Self.accepted[..<7]) + http + Array(Self.accepted[7...])
        #expect(!run(broken, hello: try parsed(RecordedHello.curl)).sawData)
        // What was seen before stays seen.
        #expect(run(Self.accepted + http, hello: try parsed(RecordedHello.curl)).sawData)
    }

    @Test("keeps no more records than an observation does")
    func bounded() throws {
        let many = Self.accepted + Array(repeating: Self.pieces("Cd100"), count: 50).flatMap { $0 }
        #expect(run(many, hello: nil).records.count == Observation.recordLimit)
    }
}
