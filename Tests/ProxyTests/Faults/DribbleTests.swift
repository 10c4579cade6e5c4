import Facts
import Loop
import TLS
import Testing

@testable import Proxy

/// Copies both ways byte by byte, each in a segment of its own as far as the system lets it.
private func dribblingWire(to address: SocketAddress) throws -> ScriptedOrigin {
    try ScriptedOrigin { near in
        let far = try TestSocket(to: address)
        let isOver = Gate()
        onThread {
            try? dribble(far, near)
            isOver.open()
        }
        try? dribble(near, far)
        isOver.wait()
    }
}

private func dribble(_ from: TestSocket, _ to: TestSocket) throws {
    defer { to.end() }
    while case let bytes = try from.receive(), !bytes.isEmpty {
        for byte in bytes { try to.send([byte]) }
    }
}

@Suite("Faults: dribbling peers", .timeLimit(.minutes(15)))
struct DribbleTests {
    @Test(
        "a conversation that comes byte by byte from both sides, handshakes and all, is whole",
        arguments: FaultWay.allCases, [TLSVersion.tls12, .tls13])
    func dribbled(way: FaultWay, version: TLSVersion) async throws {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain(), version: version)
        let far = try dribblingWire(to: origin.address)
        let bench = try way.bench(far, pki)
        let near = try dribblingWire(to: bench.proxy.address)
        let socket = try TestSocket(to: near.address)
        try socket.send("CONNECT api.test:443 HTTP/1.1\r\nHost: api.test:443\r\n\r\n")
        #expect(try socket.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        let client = try TestTLS(socket, trusting: bench.either)
        try client.handshake()
        try client.write(request)
        #expect(String(decoding: try client.readToCloseNotify(), as: UTF8.self).hasSuffix("genuine\n"))
        try client.closeNotify()
        socket.end()
        _ = try socket.readToEnd()
        let one = try await bench.observation()
        #expect(one.error == nil && one.action == (way.isRead ? .intercepted : .tunnelled), "\(one)")
        #expect(way.isRead ? one.bytesUp == request.utf8.count : one.passthroughData)
        withExtendedLifetime((origin, far, near)) {}
    }

    @Test("requests in the clear that come byte by byte, and their answers, are whole")
    func plain() async throws {
        let origin = try ScriptedOrigin { socket in
            while true {
                let head = try socket.read(until: "\r\n\r\n")
                try socket.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n\(head.hasPrefix("GET /1") ? "one" : "two")")
            }
        }
        let far = try dribblingWire(to: origin.address)
        let bench = try ProxyBench(["api.test": far.address], attack: nil)
        let near = try dribblingWire(to: bench.proxy.address)
        let socket = try TestSocket(to: near.address)
        for (path, body) in [("/1", "one"), ("/2", "two")] {
            try socket.send("GET http://api.test\(path) HTTP/1.1\r\nHost: api.test\r\n\r\n")
            #expect(try socket.read(until: body).hasSuffix("\r\n\r\n" + body))
        }
        socket.close()
        #expect(await bench.rest().map(\.action) == [.forwarded, .forwarded])
        withExtendedLifetime((origin, far, near)) {}
    }
}
