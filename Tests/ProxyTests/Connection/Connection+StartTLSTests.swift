import Facts
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

@Suite("Connection+StartTLS", .timeLimit(.minutes(15)))
struct ConnectionStartTLSTests {
    /// A mail server that has TLS on offer and takes letters without it as well; it answers what it does not know.
    private func mailServer() throws -> ScriptedOrigin {
        try ScriptedOrigin { socket in
            try socket.send("220 mail.test\r\n")
            while true {
                let line = try socket.read(until: "\r\n")
                switch line.prefix(4) {
                case "EHLO": try socket.send("250-mail.test\r\n250 STARTTLS\r\n")
                case "MAIL": try socket.send("250 genuine\r\n")
                case "QUIT":
                    try socket.send("221 bye\r\n")
                    socket.end()
                    return
                default: try socket.send("500 \(line)")
                }
            }
        }
    }

    private func bench(_ origin: ScriptedOrigin, _ form: String = "no-starttls") throws -> ProxyBench {
        try ProxyBench(["api.test": origin.address], attack: .cleartextFallback, variant: form)
    }

    private func greet(_ socket: TestSocket) throws {
        #expect(try socket.read(until: "\r\n") == "220 mail.test\r\n")
        try socket.send("EHLO x\r\n")
        #expect(try socket.read(until: "250 STARTTLX\r\n") == "250-mail.test\r\n250 STARTTLX\r\n")
    }

    private func quit(_ socket: TestSocket) throws {
        try socket.send("QUIT\r\n")
        #expect(try socket.read(until: "\r\n") == "221 bye\r\n")
        socket.close()
    }

    @Test("a client that takes its leave without TLS has met the attack, and said nothing of its own")
    func leaves() async throws {
        let origin = try mailServer()
        let bench = try bench(origin)
        let socket = try bench.tunnel(to: "api.test:25")
        try greet(socket)
        try quit(socket)
        let seen = try await bench.observation()
        #expect(seen.action == .intercepted && seen.attack == "cleartext-fallback" && seen.variant == "no-starttls")
        #expect(seen.bytesUp == 0 && seen.clearUp == 14 && seen.hello == nil && seen.flight == nil)
    }

    @Test("one that goes on says it in the clear, whether it has asked for TLS or not", arguments: [true, false])
    func goesOn(asks: Bool) async throws {
        let origin = try mailServer()
        let bench = try bench(origin)
        let socket = try bench.tunnel(to: "api.test:25")
        try greet(socket)
        if asks {
            try socket.send("STARTTLS\r\n")
            #expect(try socket.read(until: "\r\n") == "500 STARTTLX\r\n")
        }
        try socket.send("MAIL FROM:<a@b.test>\r\n")
        #expect(try socket.read(until: "\r\n") == "250 genuine\r\n")
        try quit(socket)
        let seen = try await bench.observation()
        #expect(seen.action == .tunnelled && seen.attack == "cleartext-fallback" && seen.hello == nil)
        #expect(seen.bytesUp == 28 && seen.clearUp == (asks ? 18 : 8))
    }

    @Test(
        "where the offer stands and is not kept, what is said behind the refusal is in the clear",
        arguments: [true, false])
    func isRefused(goesOn: Bool) async throws {
        let origin = try mailServer()
        let bench = try bench(origin, "starttls-refused")
        let socket = try bench.tunnel(to: "api.test:25")
        #expect(try socket.read(until: "\r\n") == "220 mail.test\r\n")
        try socket.send("EHLO x\r\n")
        #expect(try socket.read(until: "250 STARTTLS\r\n") == "250-mail.test\r\n250 STARTTLS\r\n")
        try socket.send("STARTTLS\r\n")
        #expect(try socket.read(until: "\r\n") == "500 STARTTLX\r\n")
        if goesOn {
            try socket.send("MAIL FROM:<a@b.test>\r\n")
            #expect(try socket.read(until: "\r\n") == "250 genuine\r\n")
        }
        try quit(socket)
        let seen = try await bench.observation()
        #expect(seen.action == (goesOn ? .tunnelled : .intercepted) && seen.variant == "starttls-refused")
        #expect(seen.bytesUp == (goesOn ? 28 : 0) && seen.clearUp == (goesOn ? 18 : 24))
    }

    @Test("PostgreSQL's request is refused, and never comes to the server")
    func postgreSQL() async throws {
        let origin = try ScriptedOrigin { socket in
            let bytes = try socket.readToEnd()
            try socket.send(bytes)
            socket.end()
        }
        let bench = try bench(origin)
        let socket = try bench.tunnel(to: "api.test:5432")
        try socket.send([0, 0, 0, 8, 4, 210, 22, 47])
        #expect(try socket.read(until: "N") == "N")
        let startup: [UInt8] = [0, 0, 0, 9, 0, 3, 0, 0, 0]
        try socket.send(startup)
        socket.end()
        #expect(try socket.readToEnd() == startup)
        let seen = try await bench.observation()
        #expect(seen.action == .tunnelled && seen.bytesUp == 9 && seen.clearUp == 8)
    }

    @Test("what begins with TLS, and a dialogue in which none is on offer, is left alone")
    func leftAlone() async throws {
        let pki = try TestPKI()
        let web = try ScriptedOrigin(pki.chain())
        let bench = try ProxyBench(
            ["api.test": web.address], trusting: [pki.authority.root], attack: .cleartextFallback,
            variant: "no-starttls")
        let tls = try TestTLS(
            bench.tunnel(), trusting: TrustStore(systemRoots: false, roots: [pki.authority.root]))
        try tls.handshake()
        try tls.write(request)
        _ = try tls.readToCloseNotify()
        tls.socket.close()
        let seen = try await bench.observation()
        #expect(seen.action == .tunnelled && seen.attack == .passthrough && seen.passthroughData)

        let origin = try mailServer()
        let other = try self.bench(origin)
        let socket = try other.tunnel(to: "api.test:25")
        #expect(try socket.read(until: "\r\n") == "220 mail.test\r\n")
        try quit(socket)
        let plain = try await other.observation()
        #expect(plain.action == .tunnelled && plain.attack == .passthrough && plain.bytesUp == 6 && plain.clearUp == 0)
    }
}
