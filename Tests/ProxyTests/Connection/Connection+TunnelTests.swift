import Facts
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

@Suite("Connection+Tunnel", .timeLimit(.minutes(15)))
struct ConnectionTunnelTests {
    /// A plain HTTP origin that repeats what it was asked, head and content.
    private func echo() throws -> ScriptedOrigin {
        try ScriptedOrigin { socket in
            let head = try socket.read(until: "\r\n\r\n")
            var content: [UInt8] = []
            let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }?.dropFirst(16)
            while content.count < length.flatMap({ Int($0) }) ?? 0 { content += try socket.receive() }
            let body = Array(head.utf8) + content
            try socket.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body)
        }
    }

    @Test(
        "plain HTTP in absolute form is forwarded in origin form, and the connection ends with the answer if asked to")
    func get() async throws {
        let origin = try echo()
        let bench = try ProxyBench(["api.test": origin.address])
        let socket = try bench.connect()
        // It closes only after the proxy has.
        try socket.send(
            "GET http://api.test/a?b HTTP/1.1\r\nHost: x\r\nProxy-Connection: keep-alive\r\nConnection: close\r\n\r\n")
        let answer = String(decoding: try socket.readToEnd(), as: UTF8.self)
        #expect(answer.hasSuffix("GET /a?b HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n"))
        socket.close()
        let one = try await bench.observation()
        #expect(one.via == .http && one.action == .forwarded && one.host?.text == "api.test")
        #expect(one.bytesUp > 0 && one.bytesDown == answer.utf8.count && one.close?.by == .origin)
    }

    @Test("a POST's content follows its head, however it is cut")
    func post() async throws {
        let origin = try echo()
        let bench = try ProxyBench(["api.test": origin.address])
        let socket = try bench.connect()
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        try socket.send(
            Array(
                "POST http://api.test/ HTTP/1.1\r\nConnection: close\r\nContent-Length: \(content.count)\r\n\r\n".utf8)
                + content[..<1000])
        try socket.send(Array(content[1000...]))
        #expect(Array(try socket.readToEnd().suffix(content.count)) == content)
    }

    @Test("a client that ends its side right after a plain request still gets its answer")
    func halfClosedRequest() async throws {
        let origin = try ScriptedOrigin { socket in
            let asked = try socket.readToEnd()
            try socket.send("HTTP/1.0 200 OK\r\n\r\n\(asked.count > 20)")
        }
        let bench = try ProxyBench(["api.test": origin.address])
        let socket = try bench.connect()
        try socket.send("GET http://api.test/ HTTP/1.1\r\n\r\n")
        socket.end()
        #expect(String(decoding: try socket.readToEnd(), as: UTF8.self).hasSuffix("true"))
        let one = try await bench.observation()
        #expect(one.close?.by == .client && one.close?.how == .fin && one.bytesDown > 0)
    }

    @Test("an unreachable server's 502 reaches a client that has half-closed as well")
    func halfClosedUnreachable() async throws {
        let bench = try ProxyBench()
        let socket = try bench.connect()
        try socket.send("GET http://127.0.0.1:1/ HTTP/1.1\r\n\r\n")
        socket.end()
        #expect(String(decoding: try socket.readToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 502 "))
        #expect(try await bench.observation().upstream?.error != nil)
    }

    @Test("a tunnel keeps either direction open after the other has ended")
    func halfClose() async throws {
        let size = 3_000_000
        let origin = try ScriptedOrigin { socket in
            let asked = try socket.readToEnd()
            try socket.send([UInt8](repeating: 7, count: asked.count))
        }
        let early = try ScriptedOrigin { socket in
            try socket.send("greeting")
            socket.end()
            #expect(try socket.readToEnd().count == size + 1)
        }
        let bench = try ProxyBench(["api.test": origin.address, "early.test": early.address], attack: nil)
        let socket = try bench.tunnel()
        try socket.send([UInt8](repeating: 9, count: size))
        socket.end()
        #expect(try socket.readToEnd().count == size)
        let one = try await bench.observation()
        #expect(one.bytesUp == size && one.bytesDown == size && one.close?.by == .client)

        let other = try bench.tunnel(to: "early.test:443")
        try other.send("x")
        #expect(try other.readToEnd() == Array("greeting".utf8))
        try other.send([UInt8](repeating: 9, count: size))
        other.end()
        let two = try await bench.observation()
        #expect(two.bytesUp == size + 1 && two.close?.by == .origin)
    }

    @Test("an origin that resets after its answer takes nothing of it from a slow client")
    func resetBehindAnswer() async throws {
        let size = 4_000_000
        let origin = try ScriptedOrigin { socket in
            _ = try socket.receive()
            try socket.send([UInt8](repeating: 7, count: size))
            // Unread bytes make the close a reset, at the latest when more comes.
            _ = try socket.read(until: "go")
            try socket.waitUntilArrived()
            socket.reset()
        }
        let bench = try ProxyBench(["api.test": origin.address], attack: nil)
        let socket = try bench.tunnel(receiveBuffer: 4096)
        try socket.send("x")
        var got = try socket.receive(atLeast: size / 2).count
        try socket.send("go")
        while case let bytes = try socket.receive(), !bytes.isEmpty { got += bytes.count }
        #expect(got == size)
        socket.close()
        let one = try await bench.observation()
        #expect(one.bytesDown == size && one.close?.by == .origin)
    }

    @Test("a client that half-closed and is then gone ends a running answer at once")
    func goneInTheMiddle() async throws {
        let origin = try ScriptedOrigin { socket in
            _ = try socket.readToEnd()
            while true { try socket.send([UInt8](repeating: 7, count: 100_000)) }
        }
        // Taken where it happens: on a busy machine a test may go on long after that.
        let ended = Locked(0.0)
        let bench = try ProxyBench(["api.test": origin.address], attack: nil) { configuration in
            let observe = configuration.observe
            configuration.observe = { one in
                ended.withLock { $0 = MonotonicClock.now }
                observe(one)
            }
        }
        let socket = try bench.tunnel()
        try socket.send("x")
        socket.end()
        _ = try socket.receive()
        let start = MonotonicClock.now
        socket.close()
        let one = try await bench.observation()
        #expect(one.close?.by == .client && one.bytesDown > 0)
        // Not by the deadline for half-closed connections.
        #expect(ended.withLock { $0 } - start < Patience.halfClosed)
    }
}
