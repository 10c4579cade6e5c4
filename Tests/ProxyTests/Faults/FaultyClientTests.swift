import Facts
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

@Suite("Faults: clients", .timeLimit(.minutes(15)))
struct FaultyClientTests {
    /// How a client goes wrong in the middle of what it sends.
    enum Fault: CaseIterable { case reset, end, endInRecord, resetInRecord, garbage }

    @Test(
        "a client that resets, ends, or says garbage in its request, also within a record, ends its own connection alone",
        arguments: FaultWay.allCases, Fault.allCases)
    func cut(way: FaultWay, fault: Fault) async throws {
        let (pki, count, ending) = (try TestPKI(), Locked(0), Locked(false))
        let (hasBegun, isOver) = (Gate(), Gate())
        let origin = try ScriptedOrigin(pki.chain()) { tls in
            guard isFirst(count) else { return try ScriptedOrigin.answer(tls) }
            defer { isOver.open() }
            _ = try tls.read(until: "\r\n\r\n")
            hasBegun.open()
            let isWhole = (try? tls.readToCloseNotify()) != nil
            ending.withLock { $0 = isWhole }
        }
        let tap = ExchangeRecorder()
        let bench = try way.bench(origin, pki, tap: tap)
        let client = try bench.visitor()
        try client.write(
            "POST / HTTP/1.1\r\nHost: api.test\r\nContent-Length: 1000\r\n\r\n" + String(repeating: "a", count: 100))
        // An origin that is still busy with its handshake would never come to see the end.
        hasBegun.wait()
        switch fault {
        case .reset: client.socket.reset()
        case .end: client.socket.close()
        case .endInRecord, .resetInRecord:
            client.session.write([UInt8](repeating: 7, count: 500).span)
            let record = client.takeOutput()
            try client.socket.send(Array(record.prefix(record.count / 2)))
            if fault == .endInRecord { client.socket.close() } else { client.socket.reset() }
        case .garbage:
            try client.socket.send((0..<500).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            client.socket.end()
            _ = try? client.socket.readToEnd()
            client.socket.close()
        }
        let one = try await bench.observation()
        isOver.wait()
        // A FIN is passed on as the end of that side, whatever it stands in.
        let isEnd = [.end, .endInRecord].contains(fault)
        #expect(isEnd && way.isRead || !ending.withLock { $0 }, "a request that was cut ended with a good-bye")
        #expect(one.close?.by == (fault == .garbage && way.isRead ? .proxy : .client), "\(one)")
        #expect(one.close?.how != .closeNotify)
        #expect((one.close?.unreadable != nil) == (fault == .garbage && way.isRead), "\(one)")
        if way == .debugging { #expect(tap.seen.withLock { $0.map(\.ends) } == [1]) }
        try bench.expectService()
        withExtendedLifetime(origin) {}
    }

    /// What of a request goes on for too long.
    enum Long: CaseIterable {
        case line, endlessLine, head, host, target, endlessTarget

        var said: String {
            let many = String(repeating: "a", count: 100_000)
            return switch self {
            case .line: "GET http://api.test/\(many.prefix(40_000)) HTTP/1.1\r\n\r\n"
            case .endlessLine: "GET http://api.test/\(many)"
            case .head: "GET http://api.test/ HTTP/1.1\r\n" + String(repeating: "X: 0123456789\r\n", count: 10_000)
            case .host: "GET http://\(many.prefix(300)).test/ HTTP/1.1\r\n\r\n"
            case .target: "CONNECT \(String(repeating: "a.", count: 200))test:443 HTTP/1.1\r\n\r\n"
            case .endlessTarget: "CONNECT \(many)"
            }
        }
    }

    @Test(
        "requests, hosts and heads that are too long are refused in words, whatever is still to come",
        arguments: Long.allCases)
    func long(what: Long) async throws {
        let bench = try ProxyBench(attack: nil)
        let socket = try bench.connect()
        // The proxy answers before it has read all of it, and may be gone then.
        try? socket.send(what.said)
        let answer = (try? socket.read(until: "\r\n")) ?? "HTTP/1.1 4"
        #expect(answer.hasPrefix("HTTP/1.1 4"))
        socket.close()
        let one = try await bench.observation()
        #expect(one.error?.hasPrefix("request: ") == true && one.upstream == nil, "\(one)")
    }

    @Test("a name of 255 bytes is none in SOCKS5")
    func longNames() async throws {
        let bench = try ProxyBench()
        let name = [UInt8](repeating: UInt8(ascii: "a"), count: 255)
        let socks = try bench.connect()
        try socks.send([5, 1, 0] + [5, 1, 0, 3, 255] + name + [1, 187])
        let answer = try socks.readToEnd()
        #expect(answer.prefix(3) == [5, 0, 5] && answer.dropFirst(3).first != 0, "\(answer)")
        socks.close()
        #expect(try await bench.observation().error?.isEmpty == false)
    }

    @Test("a large answer in the clear waits at its origin for a client that does not read, however the proxy looks on")
    func slowReader() async throws {
        let size = 32 << 20
        let origin = try ScriptedOrigin { socket in
            _ = try socket.read(until: "\r\n\r\n")
            try socket.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            let piece = [UInt8](repeating: 7, count: 1 << 20)
            for _ in 0..<(size >> 20) { try socket.send(piece) }
            _ = try socket.readToEnd()
        }
        let bench = try FaultWay.debugging.bench(origin, TestPKI(), tap: ExchangeRecorder())
        let socket = try bench.connect(receiveBuffer: 64 * 1024)
        try socket.send("GET http://api.test/ HTTP/1.1\r\nHost: api.test\r\n\r\n")
        var (heaviest, turns) = (0, 0)
        while turns < 2_000 {
            heaviest = max(heaviest, await bench.proxy.heaviestBacklog())
            if heaviest > ConnectionMachine.backlogLimit { turns += 1 }
            try Task.checkCancellation()
        }
        #expect(heaviest < ConnectionMachine.backlogLimit + 128 * 1024)
        _ = try socket.read(until: "\r\n\r\n")
        var got = 0
        while got < size {
            let piece = try socket.receive()
            try #require(!piece.isEmpty)
            got += piece.count
        }
        #expect(got == size)
        socket.close()
        #expect(try await bench.observation().bytesDown >= size)
    }
}
