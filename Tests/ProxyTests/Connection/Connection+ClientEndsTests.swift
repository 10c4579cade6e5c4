import Facts
import Foundation
import Loop
import Policy
import TLS
import Testing

@testable import Proxy

/// What a tap is told of a client that ends: whether it was the first to do so, and whether it took its answer.
@Suite("Connection+ClientEnds", .timeLimit(.minutes(15)))
struct ConnectionClientEndsTests {
    /// A debugging proxy before `api.test`.
    private func bench(_ origin: ScriptedOrigin, _ recorder: ExchangeRecorder, trusting pki: TestPKI? = nil) throws
        -> ProxyBench
    {
        try ProxyBench(["api.test": origin.address], trusting: pki.map { [$0.authority.root] } ?? []) {
            $0.tap = recorder
            $0.plan = Plan(profile: $0.plan.profile, phase: .debugging)
        }
    }

    @Test(
        "of a client that ends before it is answered a tap is told that, and in the end whether it took its answer",
        arguments: [true, false], [true, false])
    func endsUnanswered(isTLS: Bool, leaves: Bool) async throws {
        let pki = try TestPKI()
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        // Answers when the client's end has come through.
        let origin =
            try isTLS
            ? ScriptedOrigin(pki.chain()) { tls in
                _ = try tls.readToCloseNotify()
                try tls.write(answer)
                try tls.closeNotify()
                tls.socket.end()
            }
            : ScriptedOrigin { socket in
                _ = try socket.readToEnd()
                try socket.send(answer)
            }
        let recorder = ExchangeRecorder()
        let bench = try bench(origin, recorder, trusting: pki)
        if isTLS {
            let client = try bench.client()
            try client.write(request)
            try client.closeNotify()
            if leaves { client.socket.close() } else { client.socket.end() }
            if !leaves { #expect(try String(decoding: client.readToCloseNotify(), as: UTF8.self) == answer) }
            client.socket.close()
        } else {
            let socket = try bench.connect()
            try socket.send("GET http://api.test/a HTTP/1.1\r\nHost: api.test\r\n\r\n")
            if leaves { socket.close() } else { socket.end() }
            if !leaves { #expect(try String(decoding: socket.readToEnd(), as: UTF8.self) == answer) }
            socket.close()
        }
        let one = try await bench.observation()
        let seen = try #require(recorder.seen.withLock { $0.first })
        #expect(seen.clientEnds > 0 && seen.ends == 1 && seen.isAnswerLost == leaves)
        #expect(String(decoding: seen.down, as: UTF8.self) == answer && one.close?.by == .client)
        withExtendedLifetime(origin) {}
    }

    @Test("a client that ends because its origin has is no news", arguments: [true, false])
    func endsLast(isTLS: Bool) async throws {
        let pki = try TestPKI()
        let origin =
            try isTLS
            ? ScriptedOrigin(pki.chain())
            : ScriptedOrigin { socket in
                _ = try socket.read(until: "\r\n\r\n")
                try socket.send("HTTP/1.0 200 OK\r\n\r\nok")
            }
        let recorder = ExchangeRecorder()
        let bench = try bench(origin, recorder, trusting: pki)
        if isTLS {
            let client = try bench.client()
            try client.write(request)
            _ = try client.readToCloseNotify()
            try client.closeNotify()
            client.socket.close()
        } else {
            let socket = try bench.connect()
            try socket.send("GET http://api.test/a HTTP/1.1\r\nHost: api.test\r\n\r\n")
            _ = try socket.readToEnd()
            socket.close()
        }
        let one = try await bench.observation()
        let seen = try #require(recorder.seen.withLock { $0.first })
        #expect(seen.clientEnds == 0 && seen.ends == 1 && !seen.isAnswerLost && one.close?.by == .origin)
        withExtendedLifetime(origin) {}
    }

    @Test("a client that ended first and reads slowly takes its answer all the same")
    func readsSlowly() async throws {
        let size = 4_000_000
        let origin = try ScriptedOrigin { socket in
            _ = try socket.readToEnd()
            try socket.send(Array("HTTP/1.0 200 OK\r\n\r\n".utf8) + [UInt8](repeating: 120, count: size))
        }
        let recorder = ExchangeRecorder()
        let bench = try bench(origin, recorder)
        let socket = try bench.connect(receiveBuffer: 65_536)
        try socket.send("GET http://api.test/a HTTP/1.1\r\nHost: api.test\r\n\r\n")
        socket.end()
        // When all has come to the proxy, much of it waits in the kernel for whoever reads nothing yet.
        while recorder.seen.withLock({ ($0.first?.down.count ?? 0) < 1_000_000 }) {
            try Task.checkCancellation()
            sched_yield()
        }
        #expect(try socket.readToEnd().count > size)
        socket.close()
        _ = try await bench.observation()
        let seen = try #require(recorder.seen.withLock { $0.first })
        #expect(seen.clientEnds > 0 && !seen.isAnswerLost && seen.down.count > size)
        withExtendedLifetime(origin) {}
    }

    @Test(
        "a client that leaves most of a large answer has not taken it, whether or not the kernel has",
        arguments: [true, false], [4_000_000, 500_000])
    func leavesLargeAnswer(resets: Bool, size: Int) async throws {
        let origin = try ScriptedOrigin { socket in
            _ = try socket.read(until: "\r\n\r\n")
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"
            try socket.send(Array(head.utf8) + [UInt8](repeating: 120, count: size))
            _ = try socket.readToEnd()
        }
        let recorder = ExchangeRecorder()
        let bench = try bench(origin, recorder)
        let socket = try bench.connect(receiveBuffer: 4096)
        try socket.send("GET http://api.test/a HTTP/1.1\r\nHost: api.test\r\n\r\n")
        // The larger one is still passing; the smaller one lies in the kernel as a whole.
        while recorder.seen.withLock({ ($0.first?.down.count ?? 0) < min(size, 1_000_000) }) {
            try Task.checkCancellation()
            sched_yield()
        }
        if resets { socket.reset() } else { socket.close() }
        // The proxy has to hear of it by itself: one that is stopped ends the connection first.
        while recorder.seen.withLock({ ($0.first?.ends ?? 0) == 0 }) {
            try Task.checkCancellation()
            await Task.yield()
        }
        _ = await bench.rest()
        let seen = try #require(recorder.seen.withLock { $0.first })
        #expect(seen.isAnswerLost && seen.ends == 1)
        withExtendedLifetime(origin) {}
    }

    @Test("requests that a client has sent before it ended are all answered, in order, wherever they go")
    func pipelined() async throws {
        let origin = try ScriptedOrigin { socket in
            while true {
                let head = try socket.read(until: "\r\n\r\n")
                let path = head.split(separator: " ")[1]
                try socket.send("HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)")
            }
        }
        let recorder = ExchangeRecorder()
        let bench = try ProxyBench(["one.test": origin.address, "two.test": origin.address], attack: nil) {
            $0.tap = recorder
        }
        for hosts in [["one", "one", "one"], ["one", "two", "one"]] {
            let socket = try bench.connect()
            let requests = zip(0..., hosts).map { index, host in
                "GET http://\(host).test/\(index) HTTP/1.1\r\nHost: \(host).test\r\n\r\n"
            }
            try socket.send(requests.joined())
            socket.end()
            let answers = String(decoding: try socket.readToEnd(), as: UTF8.self)
            #expect(answers.components(separatedBy: "\r\n\r\n").dropFirst().map { $0.prefix(2) } == ["/0", "/1", "/2"])
            socket.close()
        }
        _ = await bench.rest()
        #expect(recorder.seen.withLock { $0.map(\.ends) } == [1, 1, 1, 1, 1, 1])
        withExtendedLifetime(origin) {}
    }

    @Test("a client that resets after its end has not taken what could not even be sent")
    func resetsAfterEnd() async throws {
        let mayAnswer = Locked(false)
        let origin = try ScriptedOrigin { socket in
            _ = try socket.readToEnd()
            while !mayAnswer.withLock({ $0 }) { sched_yield() }
            try socket.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        defer { mayAnswer.withLock { $0 = true } }
        let recorder = ExchangeRecorder()
        let bench = try bench(origin, recorder)
        let socket = try bench.connect()
        try socket.send("GET http://api.test/a HTTP/1.1\r\nHost: api.test\r\n\r\n")
        socket.end()
        while recorder.seen.withLock({ ($0.first?.clientEnds ?? 0) == 0 }) {
            try Task.checkCancellation()
            sched_yield()
        }
        socket.reset()
        mayAnswer.withLock { $0 = true }
        _ = try await bench.observation()
        let seen = try #require(recorder.seen.withLock { $0.first })
        // The proxy may have noticed the reset first, and then nobody was answered.
        #expect(seen.isAnswerLost == !seen.down.isEmpty)
        withExtendedLifetime(origin) {}
    }
}
