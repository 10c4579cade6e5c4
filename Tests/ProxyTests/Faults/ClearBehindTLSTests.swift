import Facts
import Loop
import Policy
import TLS
import TLSSupport
import Testing

@testable import Proxy

/// What a client says in the clear on a connection whose TLS came to nothing: whoever is in the middle reads it.
@Suite("in the clear behind TLS", .timeLimit(.minutes(15)))
struct ClearBehindTLSTests {
    private func bench(_ attack: Attack) throws -> (ProxyBench, ScriptedOrigin) {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain(), ScriptedOrigin.answer)
        return (
            try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root], attack: attack), origin
        )
    }

    @Test(
        "a client that refuses and goes on in the clear on the same connection has sent what the middle reads",
        arguments: [true, false],
        ["", "QUIT\r\n", "GET / HTTP/1.1\r\nHost: api.test\r\nAuthorization: Bearer 1\r\n\r\n"])
    func clearBehindTLS(refuses: Bool, text: String) async throws {
        let (bench, origin) = try bench(refuses ? .untrustedCA : .trustedCA)
        let client = try TestTLS(bench.tunnel(), trusting: bench.installed)
        if refuses {
            #expect(throws: Refused.self) { try client.handshake() }
        } else {
            try client.handshake()
            try client.closeNotify()
        }
        // In pieces, so that the first one may be beside the end of its TLS.
        for piece in [text.prefix(3), text.dropFirst(3)] where !piece.isEmpty { try client.socket.send(String(piece)) }
        client.socket.end()
        _ = try? client.socket.readToEnd()
        client.socket.close()
        let one = try await bench.observation()
        #expect(one.action == .intercepted && one.bytesUp == (text.hasPrefix("QUIT") ? 0 : text.utf8.count))
        withExtendedLifetime(origin) {}
    }

    private static let inTheClear = [
        // The beginning of a record as no version has it, with a line's end in it.
        ("QUIT\r\n", false), ("\u{15}\u{3}\u{9}\u{0}\u{0}\nGET / HTTP/1.1\n", false),
        ("GET / HTTP/1.1\r\nHost: api.test\r\nAuthorization: Bearer 1\r\n\r\n", true),
        // LDAP's bind: version 3, a name and a password (RFC 4511 §4.2).
        ("0\u{12}\u{2}\u{1}\u{2}`\r\u{2}\u{1}\u{3}\u{4}\u{2}cn\u{0}\u{4}1234", true),
    ]

    @Test("one that goes on in the clear without an alert has, too, once it has read our chain", arguments: inTheClear)
    func clearWithoutAlert(text: String, counts: Bool) async throws {
        for isFinished in [true, false] {
            let (bench, origin) = try bench(isFinished ? .trustedCA : .untrustedCA)
            let client = try TestTLS(bench.tunnel(), trusting: bench.installed)
            if isFinished { try client.handshake() } else { try client.refuseSilently() }
            for piece in [text.prefix(3), text.dropFirst(3)] { try client.socket.send(String(piece)) }
            client.socket.end()
            _ = try? client.socket.readToEnd()
            client.socket.close()
            let one = try await bench.observation()
            #expect(one.action == .intercepted && one.bytesUp == (counts ? text.utf8.count : 0), "\(one)")
            withExtendedLifetime(origin) {}
        }
    }

    @Test("nor does it need TLS to go on in the clear, where that was refused", arguments: inTheClear)
    func clearWithoutTLS(text: String, counts: Bool) async throws {
        for form in ["close", "handshake-failure", "plain-answer", "timeout"] {
            let plain = try ScriptedOrigin { socket in _ = try? socket.readToEnd() }
            let bench = try ProxyBench(["api.test": plain.address], attack: .cleartextFallback, variant: form)
            let socket = try bench.tunnel()
            try socket.send(TestTLS(socket, trusting: bench.installed).hello())
            if form != "timeout" { _ = try socket.readToEnd() }
            for piece in [text.prefix(3), text.dropFirst(3)] { try socket.send(String(piece)) }
            socket.end()
            _ = try? socket.readToEnd()
            socket.close()
            let one = try await bench.observation()
            #expect(one.action == .intercepted && one.variant == form, "\(one)")
            #expect(one.bytesUp == (counts ? text.utf8.count : 0), "\(form): \(one)")
            withExtendedLifetime(plain) {}
        }
    }
}

extension TestTLS {
    /// Reads the server's flight until it fails, and keeps the alert for that to itself.
    fileprivate func refuseSilently() throws {
        try socket.send(hello())
        while true {
            if case .failed = session.status { return }
            let bytes = try socket.receive()
            guard !bytes.isEmpty else { throw UnexpectedEnd(after: "\(session.status)") }
            take(bytes)
        }
    }
}
