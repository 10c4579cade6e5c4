import Facts
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

@Suite("Faults: origins", .timeLimit(.minutes(15)))
struct FaultyOriginTests {
    /// How an origin goes wrong in the middle of its answer.
    enum Fault: CaseIterable { case reset, end, endInRecord, resetInRecord, garbage }

    private static let part = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + String(repeating: "a", count: 100)

    private static func fail(_ tls: TestTLS, _ fault: Fault) throws {
        _ = try tls.read(until: "\r\n\r\n")
        try tls.write(part)
        switch fault {
        case .reset: tls.socket.reset()
        case .end: tls.socket.close()
        case .endInRecord, .resetInRecord:
            tls.session.write([UInt8](repeating: 7, count: 500).span)
            let record = tls.takeOutput()
            try tls.socket.send(Array(record.prefix(record.count / 2)))
            if fault == .endInRecord { tls.socket.close() } else { tls.socket.reset() }
        case .garbage:
            try tls.socket.send((0..<500).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            tls.socket.end()
            _ = try tls.socket.readToEnd()
        }
    }

    @Test(
        "an origin that resets, ends, or says garbage in its answer, also within a record, has cut it off, and others are served",
        arguments: FaultWay.allCases, Fault.allCases)
    func cut(way: FaultWay, fault: Fault) async throws {
        let (pki, count) = (try TestPKI(), Locked(0))
        let origin = try ScriptedOrigin(pki.chain()) { tls in
            if isFirst(count) { try Self.fail(tls, fault) } else { try ScriptedOrigin.answer(tls) }
        }
        let tap = ExchangeRecorder()
        let bench = try way.bench(origin, pki, tap: tap)
        let client = try bench.visitor()
        try client.write(request)
        // No good-bye: what is there is not whole.
        #expect(throws: (any Error).self) { _ = try client.readToCloseNotify() }
        #expect(client.session.status != .closeNotified)
        client.socket.close()
        let one = try await bench.observation()
        #expect(one.close?.by == .origin && one.close?.how != .closeNotify, "\(one)")
        #expect(one.bytesUp > 0)
        #expect((one.close?.unreadable != nil) == (fault == .garbage && way.isRead), "\(one)")
        if way == .debugging { #expect(tap.seen.withLock { $0.map(\.ends) } == [1]) }
        try bench.expectService()
        withExtendedLifetime(origin) {}
    }

    /// The same before there is any answer: behind a ClientHello.
    enum Early: CaseIterable { case reset, end, endInRecord, garbage, plainHTTP, alerts }

    @Test(
        "an origin that fails before its handshake is over fails for this client alone",
        arguments: [FaultWay.gate, .debugging], Early.allCases)
    func early(way: FaultWay, fault: Early) async throws {
        let (pki, count) = (try TestPKI(), Locked(0))
        let chain = try pki.chain()
        let origin = try ScriptedOrigin { socket in
            guard isFirst(count) else {
                let tls = try TestTLS(socket, presenting: chain)
                try tls.handshake()
                return try ScriptedOrigin.answer(tls)
            }
            _ = try socket.receive()
            switch fault {
            case .reset: return socket.reset()
            case .end: break
            case .endInRecord: try socket.send([22, 3, 3, 2, 0, 2, 0, 1])
            case .garbage: try socket.send((0..<500).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            case .plainHTTP: try socket.send("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
            // Warnings without end.
            case .alerts: try socket.send(Array(Array(repeating: [21, 3, 3, 0, 2, 1, 90], count: 10_000).joined()))
            }
            socket.end()
            _ = try socket.readToEnd()
        }
        let bench = try way.bench(origin, pki)
        let socket = try bench.tunnel()
        try socket.send(TestTLS(socket, trusting: bench.either).hello())
        #expect(try socket.readToEnd() == [21, 3, 3, 0, 2, 2, 80])
        socket.close()
        let one = try await bench.observation()
        #expect(one.upstream?.error?.isEmpty == false && one.presented.isEmpty && one.flight == nil, "\(one)")
        try bench.expectService()
        withExtendedLifetime(origin) {}
    }

    /// What an origin says in the clear that nobody can measure.
    enum Unmeasured: CaseIterable {
        case head, garbage, chunk

        var said: [UInt8] {
            let many = String(repeating: "X: 0123456789\r\n", count: 40_000)
            return switch self {
            case .head: Array(("HTTP/1.1 200 OK\r\n" + many).utf8)
            case .garbage: [UInt8](repeating: 0xff, count: 400_000)
            case .chunk: Array(("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + many).utf8)
            }
        }
    }

    @Test(
        "an answer in the clear that nobody can measure is passed on as it is, and ends its client's connection",
        arguments: Unmeasured.allCases)
    func plain(what: Unmeasured) async throws {
        let count = Locked(0)
        let origin = try ScriptedOrigin { socket in
            count.withLock { $0 += 1 }
            _ = try socket.read(until: "\r\n\r\n")
            try socket.send(what.said)
            socket.end()
            _ = try socket.readToEnd()
        }
        let bench = try ProxyBench(["api.test": origin.address], attack: nil)
        let socket = try bench.connect()
        try socket.send("GET http://api.test/ HTTP/1.1\r\nHost: api.test\r\n\r\n")
        #expect(try socket.readToEnd() == what.said)
        socket.close()
        let one = try await bench.observation()
        #expect(one.action == .forwarded && one.bytesDown == what.said.count, "\(one)")
        #expect(count.withLock { $0 } == 1)
        withExtendedLifetime(origin) {}
    }
}
