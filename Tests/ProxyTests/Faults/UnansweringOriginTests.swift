import Facts
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

/// Tickets of the origin, and whether they pass for its answer.
@Suite("UnansweringOrigin", .timeLimit(.minutes(15)))
struct UnansweringOriginTests {
    private let pki: TestPKI
    init() throws { pki = try TestPKI() }

    /// Gives tickets, if it is to, as soon as the handshake is done; reads a request, and answers where it is to.
    private func origin(gives: Bool, answers: Bool) throws -> ScriptedOrigin {
        let chain = try pki.chain()
        return try ScriptedOrigin { socket in
            let tls = try TestTLS(socket, presenting: chain, version: .tls13, gives ? .resumable : .standard)
            try tls.handshake()
            _ = try tls.read(until: "\r\n\r\n")
            if answers { try tls.write("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\ngenuine\n") }
            tls.socket.end()
            _ = try tls.socket.readToEnd()
        }
    }

    @Test("tickets are no answer, and an answer is one without tickets", arguments: [true, false], [true, false])
    func answered(gives: Bool, answers: Bool) async throws {
        let origin = try origin(gives: gives, answers: answers)
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root], attack: nil)
        let client = try bench.visitor()
        try client.write("GET / HTTP/1.1\r\nHost: api.test\r\n\r\n")
        if answers { _ = try client.read(until: "genuine\n") } else { _ = try client.socket.readToEnd() }
        client.socket.close()
        let one = try await bench.observation()
        #expect(one.action == .tunnelled && one.serverAnswered && one.clientAsked)
        #expect(one.passthroughData == answers && one.requests == (answers ? 1 : 0))
        withExtendedLifetime(origin) {}
    }
}
