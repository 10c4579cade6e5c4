import Facts
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

/// A plain HTTP origin that answers each request of a connection with its own name and what it was asked.
private func talker(_ name: String, closing: Bool = false, connections: Locked<Int> = Locked(0)) throws
    -> ScriptedOrigin
{
    try ScriptedOrigin { socket in
        connections.withLock { $0 += 1 }
        while true {
            let head = try socket.read(until: "\r\n\r\n")
            let length =
                head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
                .flatMap { Int($0.dropFirst(16)) } ?? 0
            var content = ""
            while content.utf8.count < length {
                content += String(decoding: try socket.receive(atMost: 1), as: UTF8.self)
            }
            let body = "\(name): \(head.split(separator: "\r\n")[0]) \(content)"
            try socket.send(
                "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\(closing ? "Connection: close\r\n" : "")\r\n\(body)"
            )
            if closing { return socket.end() }
        }
    }
}

/// The next answer's content.
private func answer(_ socket: TestSocket) throws -> String {
    let head = try socket.read(until: "\r\n\r\n")
    let length = try #require(
        head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) })
    return String(decoding: try socket.receive(exactly: length), as: UTF8.self)
}

@Suite("Connection+Plain", .timeLimit(.minutes(15)))
struct ConnectionPlainTests {
    @Test("each request of a kept connection goes to the host that it names, cookies and all")
    func eachItsOwn() async throws {
        let (first, second) = (try talker("first"), try talker("second"))
        let bench = try ProxyBench(["one.test": first.address, "two.test": second.address], attack: nil)
        let socket = try bench.connect()
        try socket.send("GET http://one.test/a HTTP/1.1\r\nHost: one.test\r\nCookie: one=1\r\n\r\n")
        #expect(try answer(socket) == "first: GET /a HTTP/1.1 ")
        try socket.send("POST http://two.test/b HTTP/1.1\r\nHost: two.test\r\nContent-Length: 5\r\n\r\nhello")
        #expect(try answer(socket) == "second: POST /b HTTP/1.1 hello")
        try socket.send("GET http://one.test/c HTTP/1.1\r\nHost: one.test\r\n\r\n")
        #expect(try answer(socket) == "first: GET /c HTTP/1.1 ")
        socket.close()
        let all = await bench.rest()
        #expect(all.map(\.host?.text) == ["one.test", "two.test", "one.test"])
        #expect(all.allSatisfy { $0.action == .forwarded && $0.via == .http && $0.error == nil })
        #expect(Set(all.map(\.connection)).count == 3)
        withExtendedLifetime((first, second)) {}
    }

    @Test("requests for one host share its connection, pipelined ones too, each with its own answer and observation")
    func shared() async throws {
        let connections = Locked(0)
        let origin = try talker("origin", connections: connections)
        let bench = try ProxyBench(["one.test": origin.address], attack: nil)
        let socket = try bench.connect()
        let requests = (0..<20).map { "GET http://one.test/\($0) HTTP/1.1\r\nHost: one.test\r\n\r\n" }
        try socket.send(requests.joined())
        for number in 0..<20 { #expect(try answer(socket) == "origin: GET /\(number) HTTP/1.1 ") }
        socket.close()
        #expect(await bench.rest().count == 20)
        #expect(connections.withLock { $0 } == 1)
        withExtendedLifetime(origin) {}
    }

    @Test(
        "a chunk that two readers could measure in two ways is refused, and no later request goes to its host",
        arguments: ["0x3", " 3", "-3", "", "ffffffffffffffff", "3;" + String(repeating: "x", count: 8000)])
    func smuggled(_ size: String) async throws {
        let heard = Locked("")
        let origin = try ScriptedOrigin { socket in
            while let bytes = try? socket.receive(atMost: 4096), !bytes.isEmpty {
                heard.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
            }
        }
        let second = try talker("second")
        let bench = try ProxyBench(["one.test": origin.address, "two.test": second.address], attack: nil)
        let socket = try bench.connect()
        try socket.send(
            "POST http://one.test/x HTTP/1.1\r\nHost: one.test\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "\(size)\r\nabc\r\n0\r\n\r\n"
                + "POST http://two.test/login HTTP/1.1\r\nHost: two.test\r\nCookie: two=1\r\nContent-Length: 0\r\n\r\n")
        #expect(try String(decoding: socket.readToEnd(), as: UTF8.self).hasPrefix("HTTP/1.1 400 "))
        socket.close()
        let all = await bench.rest()
        #expect(all.count == 1 && all.first?.error?.contains("chunk") == true)
        #expect(!heard.withLock { $0 }.contains("two"))
        withExtendedLifetime((origin, second)) {}
    }

    @Test("zeros before a chunk's size are as many as the client likes, and the next request goes where it says")
    func zeros() async throws {
        let first = try ScriptedOrigin { socket in
            _ = try socket.read(until: "\r\n0\r\n\r\n")
            try socket.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none")
            _ = try socket.readToEnd()
        }
        let second = try talker("second")
        let bench = try ProxyBench(["one.test": first.address, "two.test": second.address], attack: nil)
        let socket = try bench.connect()
        try socket.send(
            "POST http://one.test/x HTTP/1.1\r\nHost: one.test\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "000000000000000000003\r\nabc\r\n0\r\n\r\nGET http://two.test/b HTTP/1.1\r\nHost: two.test\r\n\r\n")
        #expect(try answer(socket) == "one")
        #expect(try answer(socket) == "second: GET /b HTTP/1.1 ")
        socket.close()
        withExtendedLifetime((first, second)) {}
    }

    @Test("what an origin says behind its answer is no answer to the next request, which the client may ask again")
    func surplus() async throws {
        let first = try ScriptedOrigin { socket in
            _ = try socket.read(until: "\r\n\r\n")
            let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
            try socket.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none" + evil)
            _ = try socket.readToEnd()
        }
        let bench = try ProxyBench(["one.test": first.address], attack: nil)
        let socket = try bench.connect()
        try socket.send("GET http://one.test/ HTTP/1.1\r\nHost: one.test\r\n\r\n")
        #expect(try String(decoding: socket.readToEnd(), as: UTF8.self).hasSuffix("\r\n\r\none"))
        socket.close()
        #expect(await bench.rest().first?.error?.contains("more than its answer") == true)
        withExtendedLifetime(first) {}
    }

    @Test("a client that was refused before it sent its content has no next request taken for that")
    func refusedContent() async throws {
        let heard = Locked("")
        let first = try ScriptedOrigin { socket in
            _ = try socket.read(until: "\r\n\r\n")
            try socket.send("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n")
            let more = String(decoding: try socket.readToEnd(), as: UTF8.self)
            heard.withLock { $0 = more }
        }
        let second = try talker("second")
        let bench = try ProxyBench(["one.test": first.address, "two.test": second.address], attack: nil)
        let socket = try bench.connect()
        let waits = "Expect: 100-continue\r\nContent-Length: 2000\r\n"
        try socket.send("POST http://one.test/ HTTP/1.1\r\nHost: one.test\r\n\(waits)\r\n")
        #expect(try String(decoding: socket.readToEnd(), as: UTF8.self).hasSuffix("Length: 0\r\n\r\n"))
        // It had not heard yet that its connection ends.
        try? socket.send("GET http://two.test/ HTTP/1.1\r\nHost: two.test\r\nCookie: of=two\r\n\r\n")
        socket.close()
        let all = await bench.rest()
        #expect(all.count == 1 && all.first?.error == nil && all.first?.close?.by == .proxy)
        #expect(heard.withLock { $0 }.isEmpty)
        withExtendedLifetime((first, second)) {}
    }

    @Test("an origin that closes without an answer is told as that")
    func unanswered() async throws {
        let first = try ScriptedOrigin { socket in
            _ = try socket.read(until: "\r\n\r\n")
            socket.close()
        }
        let bench = try ProxyBench(["one.test": first.address], attack: nil)
        let socket = try bench.connect()
        try socket.send("GET http://one.test/ HTTP/1.1\r\nHost: one.test\r\n\r\n")
        let text = String(decoding: try socket.readToEnd(), as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 502 ") && text.contains("one.test:80"))
        socket.close()
        withExtendedLifetime(first) {}
    }

    @Test("a connection that its origin had closed meanwhile is opened again for what may be sent again")
    func closedMeanwhile() async throws {
        let hasClosed = Gate()
        let connections = Locked(0)
        let origin = try ScriptedOrigin { socket in
            let number = connections.withLock { count in
                count += 1
                return count
            }
            _ = try socket.read(until: "\r\n\r\n")
            try socket.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)")
            guard number == 1 else { return _ = try socket.readToEnd() }
            socket.close()
            hasClosed.open()
        }
        let bench = try ProxyBench(["one.test": origin.address], attack: nil)
        let socket = try bench.connect()
        try socket.send("GET http://one.test/ HTTP/1.1\r\nHost: one.test\r\n\r\n")
        #expect(try answer(socket) == "1")
        await withCheckedContinuation { continuation in
            onThread {
                hasClosed.wait()
                continuation.resume()
            }
        }
        try socket.send("GET http://one.test/ HTTP/1.1\r\nHost: one.test\r\n\r\n")
        #expect(try answer(socket) == "2")
        socket.close()
        withExtendedLifetime(origin) {}
    }

    @Test("an origin that closes with its answer ends its client's connection, as it says")
    func closes() async throws {
        let origin = try talker("origin", closing: true)
        let bench = try ProxyBench(["one.test": origin.address], attack: nil)
        let socket = try bench.connect()
        try socket.send("GET http://one.test/ HTTP/1.1\r\nHost: one.test\r\n\r\n")
        #expect(try answer(socket) == "origin: GET / HTTP/1.1 ")
        #expect(try socket.readToEnd().isEmpty)
        socket.close()
        let all = await bench.rest()
        #expect(all.count == 1)
        withExtendedLifetime(origin) {}
    }

    @Test(
        "an answer that is the last of its connection ends it for a client that has asked on, also where its origin leaves that to it",
        arguments: ["HTTP/1.1 200 OK\r\nConnection: close\r\n", "HTTP/1.0 200 OK\r\n"], [true, false])
    func lastAnswer(head: String, endsItsSide: Bool) async throws {
        let origin = try ScriptedOrigin { socket in
            _ = try socket.read(until: "\r\n\r\n")
            try socket.send(head + "Content-Length: 2\r\n\r\nok")
            _ = try socket.readToEnd()
        }
        let bench = try ProxyBench(["one.test": origin.address], attack: nil)
        let socket = try bench.connect()
        let request = "GET http://one.test/ HTTP/1.1\r\nHost: one.test\r\n\r\n"
        try socket.send(request + request)
        if endsItsSide { socket.end() }
        let all = String(decoding: try socket.readToEnd(), as: UTF8.self)
        #expect(all.hasSuffix("\r\n\r\nok") && all.ranges(of: "200 OK").count == 1)
        #expect(try await bench.observation().error == nil)
        withExtendedLifetime(origin) {}
    }

    @Test("after a plain request the same connection may ask for a tunnel")
    func thenConnect() async throws {
        let origin = try talker("origin")
        let echo = try ScriptedOrigin { socket in try socket.send(try socket.receive()) }
        let bench = try ProxyBench(["one.test": origin.address, "two.test": echo.address], attack: nil)
        let socket = try bench.connect()
        try socket.send("GET http://one.test/ HTTP/1.1\r\nHost: one.test\r\n\r\n")
        _ = try answer(socket)
        try socket.send("CONNECT two.test:443 HTTP/1.1\r\nHost: two.test:443\r\n\r\n")
        #expect(try socket.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        try socket.send("ping")
        #expect(try socket.receive() == Array("ping".utf8))
        socket.close()
        #expect(await bench.rest().map(\.via) == [.http, .connect])
        withExtendedLifetime((origin, echo)) {}
    }

    @Test("a WebSocket is relayed both ways after its upgrade, whatever its bytes look like")
    func webSocket() async throws {
        let origin = try ScriptedOrigin { socket in
            _ = try socket.read(until: "\r\n\r\n")
            try socket.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
            try socket.send(try socket.receive())
        }
        let bench = try ProxyBench(["one.test": origin.address], attack: nil)
        let socket = try bench.connect()
        try socket.send(
            "GET http://one.test/ HTTP/1.1\r\nHost: one.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
        #expect(try socket.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 101 "))
        let bytes = Array("GET http://two.test/ HTTP/1.1\r\n\r\n".utf8)
        try socket.send(bytes)
        #expect(try socket.receive() == bytes)
        socket.close()
        #expect(await bench.rest().count == 1)
        withExtendedLifetime(origin) {}
    }

    @Test(
        "what a client says before its upgrade is answered, though it may not, follows the answer, whole and in order")
    func webSocketTooEarly() async throws {
        let origin = try ScriptedOrigin { socket in
            _ = try socket.read(until: "\r\n\r\n")
            try socket.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
            try socket.send(try socket.read(until: "LATER"))
        }
        let bench = try ProxyBench(["one.test": origin.address], attack: nil)
        let socket = try bench.connect()
        try socket.send(
            "GET http://one.test/ HTTP/1.1\r\nHost: one.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nEARLY")
        #expect(try socket.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 101 "))
        try socket.send("LATER")
        #expect(try socket.read(until: "LATER") == "EARLYLATER")
        socket.close()
        #expect(await bench.rest().count == 1)
        withExtendedLifetime(origin) {}
    }

    @Test(
        "an origin that changes to another protocol unasked is left, and is told nothing of the client's next request")
    func upgradeUnasked() async throws {
        let origin = try ScriptedOrigin { socket in
            let asked = try socket.read(until: "\r\n\r\n")
            try socket.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: mine\r\n\r\n")
            let more = try socket.readToEnd()
            #expect(asked.hasPrefix("GET /1 ") && more.isEmpty, "\(String(decoding: more, as: UTF8.self))")
        }
        let bench = try ProxyBench(["one.test": origin.address], attack: nil)
        let socket = try bench.connect()
        try socket.send(
            "GET http://one.test/1 HTTP/1.1\r\nHost: one.test\r\n\r\n"
                + "GET http://two.test/2 HTTP/1.1\r\nHost: two.test\r\nCookie: secret\r\n\r\n")
        _ = try socket.readToEnd()
        socket.close()
        #expect(await bench.rest().first?.error?.contains("more than its answer") == true)
        withExtendedLifetime(origin) {}
    }
}
