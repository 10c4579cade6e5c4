import Facts
import Loop
import Support
import TLS
import TLSSupport
import Testing

@testable import Proxy

/// What stands behind a client's alert is read by whoever is in the middle, whatever the client had said.
@Suite("behind a client's alert", .timeLimit(.minutes(2)))
struct BehindAlertTests {
    private static let alert: UInt8 = 21
    private static let data: UInt8 = 23

    /// A record's type and content, and how many zeros pad it.
    struct Piece: Sendable {
        var type: UInt8
        var content: [UInt8]
        var padding = 0
    }

    /// What a client says after its handshake, and how many bytes of it count as said behind its alert.
    struct Talk: Sendable, CustomTestStringConvertible {
        var name: String
        var pieces: [Piece]
        var behind: Int
        var testDescription: String { name }
    }

    private static let farewell = Array("GET / HTTP/1.0\r\n\r\n".utf8)
    private static let refusal = Piece(type: alert, content: [2, 46])
    private static let padded = Piece(type: alert, content: [2, 46], padding: 16)
    private static let goodbye = Piece(type: alert, content: [1, 0], padding: 16)

    static let talks = [
        Talk(name: "nothing", pieces: [refusal], behind: 0),
        Talk(name: "nothing, and the alert padded", pieces: [padded], behind: 0),
        Talk(name: "a close_notify", pieces: [refusal, Piece(type: alert, content: [1, 0])], behind: 0),
        Talk(name: "a padded close_notify", pieces: [padded, goodbye], behind: 0),
        Talk(name: "two padded alerts", pieces: [padded, padded, goodbye], behind: 0),
        Talk(name: "a request", pieces: [refusal, Piece(type: data, content: farewell)], behind: 35),
        Talk(
            name: "a request as long as a padded alert", pieces: [padded, Piece(type: data, content: farewell)],
            behind: 35),
        Talk(
            name: "a request after close_notify", pieces: [padded, goodbye, Piece(type: data, content: farewell)],
            behind: 35 + 35),
        Talk(
            name: "a request in two records as long as an alert's",
            pieces: [
                padded, Piece(type: data, content: Array(farewell.prefix(9)), padding: 9),
                Piece(type: data, content: Array(farewell.suffix(9)), padding: 9),
            ], behind: 35 + 35),
        Talk(
            name: "an alert that is longer than one", pieces: [padded, Piece(type: alert, content: farewell)],
            behind: 35),
        Talk(name: "three alerts", pieces: [refusal, goodbye, goodbye, goodbye], behind: 3 * 35),
    ]

    @Test("alerts are a farewell, however they are padded, and anything else is not", arguments: talks)
    func behind(talk: Talk) async throws {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain())
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        let socket = try bench.tunnel()
        let secrets = Locked<[String]>([])
        let tls = try TestTLS(
            socket, trusting: bench.installed, highest: .tls13,
            keyLog: { _, line in secrets.withLock { $0.append(String(decoding: line, as: UTF8.self)) } })
        tls.session.offerAES128()
        try tls.handshake()
        let line = try #require(secrets.withLock { $0.first { $0.hasPrefix("CLIENT_TRAFFIC_SECRET_0 ") } })
        let secret = try #require(Hex.decoded(line.split(separator: " ").last ?? ""))
        let sealer = try #require(RecordSealer(secret: secret))
        // Behind the type stand zeros (RFC 8446 §5.4): to the sealer the last one is the type.
        try socket.send(
            Array(
                talk.pieces.map { piece in
                    let zeros = [UInt8](repeating: 0, count: max(0, piece.padding - 1))
                    return piece.padding == 0
                        ? sealer.seal(piece.type, piece.content[...])
                        : sealer.seal(0, (piece.content + [piece.type] + zeros)[...])
                }.joined()))
        _ = try? socket.readToEnd()
        socket.close()
        let one = try await bench.observation()
        #expect(one.alerts.contains { $0.from == .client && $0.code == 46 }, "\(one)")
        #expect(one.behindAlert == talk.behind && one.bytesUp == 0, "\(one)")
        withExtendedLifetime(origin) {}
    }
}
