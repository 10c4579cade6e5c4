import Facts
import Foundation
import Policy
import Support
import TLS
import Testing

@testable import Loop
@testable import Proxy

/// A name server that does what a test wants with each question.
private final class NameServer: Sendable {
    enum Answer: CaseIterable { case address, none, noSuchName, failure, garbage, silence }

    let address: SocketAddress
    private let descriptor: Int32

    /// - Parameter answer: called on the server's thread with the number of questions so far, this one included.
    init(_ answer: @escaping @Sendable (Int) -> Answer) throws {
        let wanted = SocketAddress(try #require(IPAddress("127.0.0.1")), 0)
        let descriptor = socket(wanted.family, numericCast(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0, unsafe wanted.withSockaddr({ unsafe bind(descriptor, $0, $1) }) == 0 else {
            throw SystemError("bind")
        }
        self.descriptor = descriptor
        address = unsafe SocketAddress.filled { unsafe getsockname(descriptor, $0, $1) }.address ?? wanted
        Thread.detachNewThread {
            var count = 0
            var buffer = [UInt8](repeating: 0, count: 2_048)
            while true {
                var length = 0
                let asker = unsafe SocketAddress.filled { from, size in
                    length = unsafe recvfrom(descriptor, &buffer, buffer.count, 0, from, size)
                    return Int32(length >= 0 ? 0 : -1)
                }.address
                guard length > 12, let asker else { break }
                count += 1
                let reply = Self.reply(to: Array(buffer[..<length]), answer(count))
                if reply.isEmpty { continue }
                _ = unsafe asker.withSockaddr { unsafe sendto(descriptor, reply, reply.count, 0, $0, $1) }
            }
            close(descriptor)
        }
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// A message of RFC 1035 §4.1 with the question as it came.
    private static func reply(to question: [UInt8], _ answer: Answer) -> [UInt8] {
        // The name ends with an empty label; type and class follow.
        guard let end = question[12...].firstIndex(of: 0), end + 4 < question.count else { return [] }
        let asked = question[12...(end + 4)]
        let asksForIPv4 = question[end + 2] == 1
        func head(code: UInt8, answers: UInt8) -> [UInt8] {
            question[..<2] + [0x81, 0x80 | code, 0, 1, 0, answers, 0, 0, 0, 0]
        }
        switch answer {
        case .silence: return []
        case .garbage: return question[..<2] + [0x81, 0x80, 0, 1, 0xff, 0xff] + [UInt8](repeating: 0xc0, count: 400)
        case .noSuchName: return head(code: 3, answers: 0) + asked
        case .failure: return head(code: 2, answers: 0) + asked
        case .address where asksForIPv4:
            return head(code: 0, answers: 1) + asked + [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]
        case .address, .none: return head(code: 0, answers: 0) + asked
        }
    }
}

@Suite("Faults: names", .timeLimit(.minutes(15)))
struct LookupTests {
    /// A proxy that asks this server alone, once, and waits for so long.
    private func bench(asking server: NameServer, seconds: Double = 0.3) throws -> ProxyBench {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            "resolv.conf", Array("nameserver \(server.address)\noptions timeout:\(seconds) attempts:1\n".utf8))
        let bench = try ProxyBench(attack: nil)
        for thread in bench.proxy.threads {
            try thread.call { worker in
                worker.loop.resolvConf = file
                // Read now: the folder goes.
                _ = unsafe worker.loop.resolver()
            }
        }
        withExtendedLifetime(folder) {}
        return bench
    }

    @Test(
        "a name server that says no, fails, answers with garbage or not at all is told to the client",
        arguments: [NameServer.Answer.none, .noSuchName, .failure, .garbage, .silence])
    private func fails(answer: NameServer.Answer) async throws {
        let server = try NameServer { _ in answer }
        let bench = try bench(asking: server)
        let socket = try bench.connect()
        try socket.send("CONNECT some.test:443 HTTP/1.1\r\n\r\n")
        let told = String(decoding: try socket.readToEnd(), as: UTF8.self)
        #expect(told.hasPrefix("HTTP/1.1 502 ") && told.contains("cannot resolve some.test"), "\(told)")
        socket.close()
        let one = try await bench.observation()
        #expect(one.fault == .originNameNotFound && one.upstream?.error?.isEmpty == false, "\(one)")
        withExtendedLifetime(server) {}
    }

    @Test("while a name server hangs, whoever needs none is served; an answer that comes late is an answer")
    func late() async throws {
        let mayAnswer = Gate()
        let isAsked = Gate()
        let server = try NameServer { count in
            if count == 1 {
                isAsked.open()
                mayAnswer.wait()
            }
            return .address
        }
        let origin = try ScriptedOrigin { socket in try socket.send("here") }
        let bench = try bench(asking: server, seconds: 60)
        let slow = try bench.connect()
        try slow.send("CONNECT some.test:\(origin.address.port) HTTP/1.1\r\n\r\n")
        isAsked.wait()
        for _ in 0..<4 {
            let quick = try bench.tunnel(to: origin.address.description)
            try quick.send("x")
            #expect(try quick.readToEnd() == Array("here".utf8))
        }
        mayAnswer.open()
        #expect(try slow.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        try slow.send("x")
        #expect(try slow.readToEnd() == Array("here".utf8))
        withExtendedLifetime((server, origin)) {}
    }

    @Test(
        "an answer that comes when its client has gone calls nobody, and one that never comes holds up no end",
        arguments: [true, false])
    func tooLate(answers: Bool) async throws {
        let (isAsked, mayAnswer, called) = (Gate(), Gate(), Locked(0))
        let server = try NameServer { count in
            guard count <= 2 else { return .address }
            if count == 1 { isAsked.open() }
            if !answers { return .silence }
            if count == 1 { mayAnswer.wait() }
            return .address
        }
        let origin = try ScriptedOrigin { socket in
            called.withLock { $0 += 1 }
            try socket.send("here")
        }
        let bench = try bench(asking: server, seconds: 60)
        let gone = try bench.connect()
        try gone.send("CONNECT some.test:\(origin.address.port) HTTP/1.1\r\n\r\n")
        isAsked.wait()
        guard answers else {
            // The proxy ends while it still asks.
            #expect(await bench.rest().map(\.close?.by) == [.gate])
            return withExtendedLifetime((server, origin)) {}
        }
        gone.reset()
        #expect(try await bench.observation().close?.by == .client)
        mayAnswer.open()
        // On either loop, and so behind the answer on the one that had asked.
        for _ in 0..<2 {
            let next = try bench.tunnel(to: "other.test:\(origin.address.port)")
            try next.send("x")
            #expect(try next.readToEnd() == Array("here".utf8))
        }
        #expect(called.withLock { $0 } == 2)
        withExtendedLifetime((server, origin)) {}
    }
}
