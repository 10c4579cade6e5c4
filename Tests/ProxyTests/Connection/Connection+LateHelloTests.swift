import Facts
import Foundation
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

@Suite("Connection+LateHello", .timeLimit(.minutes(15)))
struct ConnectionLateHelloTests {
    /// A mail server: it greets, and begins with TLS when it is asked to.
    private func mailServer(_ pki: TestPKI) throws -> ScriptedOrigin {
        let chain = try pki.chain()
        return try ScriptedOrigin { socket in
            try socket.send("220 mail.test\r\n")
            _ = try socket.read(until: "STARTTLS\r\n")
            try socket.send("220 go ahead\r\n")
            let tls = try TestTLS(socket, presenting: chain)
            try tls.handshake()
            _ = try tls.read(until: "QUIT\r\n")
            try tls.write("221 genuine\r\n")
            try tls.closeNotify()
            socket.end()
            _ = try socket.readToEnd()
        }
    }

    /// Up to the ClientHello, which is not sent yet.
    private func greet(_ socket: TestSocket) throws {
        #expect(try socket.read(until: "\r\n") == "220 mail.test\r\n")
        try socket.send("STARTTLS\r\n")
        #expect(try socket.read(until: "\r\n") == "220 go ahead\r\n")
    }

    private func quit(_ tls: TestTLS) throws {
        try tls.write("QUIT\r\n")
        #expect(try tls.read(until: "\r\n") == "221 genuine\r\n")
        try tls.closeNotify()
        tls.socket.close()
    }

    @Test("behind STARTTLS, to a server that speaks first, a client is attacked as any other is")
    func attacked() async throws {
        let pki = try TestPKI()
        let origin = try mailServer(pki)
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        let socket = try bench.tunnel(to: "api.test:25")
        try greet(socket)
        let tls = try TestTLS(socket, trusting: bench.installed)
        try tls.handshake()
        try quit(tls)
        let seen = try await bench.observation()
        #expect(seen.action == .intercepted && seen.attack == .trustedCA && seen.host == HostName("api.test"))
        #expect(seen.hello?.sni == HostName("api.test") && seen.flight?.delivered == true && seen.finishedMS != nil)
        #expect(seen.clearUp == 10 && seen.bytesUp == 6 && seen.bytesDown == 13 && seen.presented.count == 1)
    }

    @Test("its refusal shows as any other's does")
    func refused() async throws {
        let pki = try TestPKI()
        let origin = try mailServer(pki)
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        let socket = try bench.tunnel(to: "api.test:25")
        try greet(socket)
        let tls = try TestTLS(socket, trusting: TrustStore(systemRoots: false, roots: [pki.authority.root]))
        #expect(throws: Refused.self) { try tls.handshake() }
        socket.close()
        let seen = try await bench.observation()
        #expect(seen.bytesUp == 0 && seen.alerts.contains { $0.from == .client && $0.code == 48 })
        #expect(seen.flight != nil && seen.clearUp == 10)
    }

    @Test("untouched it goes through, and shows that it carried data")
    func untouched() async throws {
        let pki = try TestPKI()
        let origin = try mailServer(pki)
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root], attack: nil)
        let socket = try bench.tunnel(to: "api.test:25")
        try greet(socket)
        let tls = try TestTLS(socket, trusting: TrustStore(systemRoots: false, roots: [pki.authority.root]))
        try tls.handshake()
        try tls.write(String(repeating: "x", count: 60))
        try quit(tls)
        let seen = try await bench.observation()
        #expect(seen.action == .tunnelled && seen.attack == .passthrough && seen.serverAnswered)
        #expect(seen.passthroughData && seen.clearUp == 10 && seen.hello != nil)
    }

    /// It asks for TLS and begins with it in one breath.
    private func pipelined(_ bench: ProxyBench, trusting trust: TrustStore) throws {
        let socket = try bench.tunnel(to: "api.test:25")
        #expect(try socket.read(until: "\r\n") == "220 mail.test\r\n")
        let tls = try TestTLS(socket, trusting: trust)
        try socket.send(Array("STARTTLS\r\n".utf8) + tls.hello())
        #expect(try socket.read(until: "\r\n") == "220 go ahead\r\n")
        try tls.finishHandshake()
        try tls.write(String(repeating: "x", count: 60))
        try quit(tls)
    }

    @Test("a hello that comes together with the request for TLS is attacked, and the request answered")
    func together() async throws {
        let pki = try TestPKI()
        let origin = try mailServer(pki)
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        try pipelined(bench, trusting: bench.installed)
        let seen = try await bench.observation()
        #expect(seen.action == .intercepted && seen.attack == .trustedCA && seen.finishedMS != nil)
        #expect(seen.clearUp == 10 && seen.bytesUp == 66 && seen.status == nil)
    }

    @Test("untouched it goes through, and shows that it carried data")
    func togetherUntouched() async throws {
        let pki = try TestPKI()
        let origin = try mailServer(pki)
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root], attack: nil)
        try pipelined(bench, trusting: TrustStore(systemRoots: false, roots: [pki.authority.root]))
        let seen = try await bench.observation()
        #expect(seen.action == .tunnelled && seen.passthroughData && seen.serverAnswered && seen.clearUp == 10)
    }

    @Test("a hello after much more than a dialogue is attacked, too")
    func afterMuch() async throws {
        let pki = try TestPKI()
        let chain = try pki.chain()
        let letter = [UInt8](repeating: 120, count: 3 * 64 * 1024) + Array("\r\n".utf8)
        let origin = try ScriptedOrigin { socket in
            _ = try socket.read(until: "\r\n")
            try socket.send("250 taken\r\n")
            let tls = try TestTLS(socket, presenting: chain)
            try tls.handshake()
            _ = try tls.read(until: "QUIT\r\n")
            try tls.write("221 genuine\r\n")
            try tls.closeNotify()
            socket.end()
            _ = try socket.readToEnd()
        }
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        let socket = try bench.tunnel(to: "api.test:25")
        try socket.send(letter)
        #expect(try socket.read(until: "\r\n") == "250 taken\r\n")
        let tls = try TestTLS(socket, trusting: bench.installed)
        try tls.handshake()
        try quit(tls)
        let seen = try await bench.observation()
        #expect(seen.action == .intercepted && seen.attack == .trustedCA && seen.bytesUp == 6)
        #expect(seen.clearUp == letter.count)
    }

    /// Two seconds, and no more: a task that sleeps may be woken after the handshake's limit where the pool is busy.
    private func takeTime() { Thread.sleep(forTimeInterval: 2) }

    @Test("a client of TLS that takes its time meets what any other does")
    func slow() async throws {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain())
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        let socket = try bench.tunnel()
        takeTime()
        let tls = try TestTLS(socket, trusting: bench.installed)
        try tls.handshake()
        try tls.write(request)
        _ = try tls.readToCloseNotify()
        socket.close()
        let seen = try await bench.observation()
        #expect(seen.action == .intercepted && seen.bytesUp > 0 && seen.clearUp == 0 && seen.status == 200)
    }

    @Test("what is no TLS goes through as it is, its last bytes too, though they look like a hello's first")
    func otherProtocol() async throws {
        let origin = try ScriptedOrigin { socket in
            let bytes = try socket.readToEnd()
            try socket.send(bytes)
            socket.end()
        }
        let bench = try ProxyBench(["api.test": origin.address])
        let socket = try bench.tunnel()
        let bytes: [UInt8] = [9, 9, 22, 3, 1, 0, 200, 1]
        try socket.send(bytes)
        socket.end()
        #expect(try socket.readToEnd() == bytes)
        let seen = try await bench.observation()
        #expect(seen.action == .tunnelled && seen.bytesUp == bytes.count && seen.hello == nil && seen.clearUp == 0)
    }
}
