import Facts
import Foundation
import Loop
import Policy
import TLS
import TLSSupport
import Testing

@testable import Proxy

/// Asks for new keys without end, and reads none of the answers until it is told to.
///
/// Unchecked Sendable: the session is its thread's until that has ended.
private final class KeyFlood: @unchecked Sendable {
    private let tls: TestTLS
    private let sent = Locked((count: 0, isToEnd: false, hasEnded: false))

    init(_ tls: TestTLS) { self.tls = tls }

    func start() {
        onThread { [self] in
            while !sent.withLock({ $0.isToEnd }), tls.session.changeKeys(),
                (try? tls.socket.send(tls.takeOutput())) != nil
            {
                sent.withLock { $0.count += 1 }
            }
            sent.withLock { $0.hasEnded = true }
        }
    }

    /// Reads until nothing keeps the thread any more, and the answers are there: OpenSSL gives the last one when it has
    /// something else to say.
    func end() throws {
        sent.withLock { $0.isToEnd = true }
        // A request, and so an answer: header, message, type, tag.
        let record = 5 + 5 + 1 + 16
        var answers: [UInt8] = []
        while true {
            let (count, _, hasEnded) = sent.withLock { $0 }
            if answers.count < (count - 1) * record {
                answers += try tls.socket.receive(atLeast: 1)
            } else if hasEnded {
                break
            }
        }
        tls.take(answers)
    }
}

@Suite("Faults: floods within TLS", .timeLimit(.minutes(15)))
struct TLSFloodTests {
    /// Waits until a side is not read any more, and looks at what waits for many turns of the loops after that.
    private func expectBounded(_ bench: ProxyBench) async throws {
        var (heaviest, turns) = (0, 0)
        while turns < 500 {
            heaviest = max(heaviest, await bench.proxy.heaviestBacklog())
            // Who looks all the time takes the loops' own.
            if heaviest > ConnectionMachine.backlogCeiling {
                turns += 1
            } else {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        // Over it by the answers to one batch of reading at most.
        #expect(heaviest < ConnectionMachine.backlogCeiling + 128 * 1024)
    }

    @Test(
        "new keys that are asked for without end, by a side that reads no answer, are bounded, and it is heard again once it reads",
        // OpenSSL takes 20 s of processor time for as many as fill the buffers.
        .enabled(if: ProcessInfo.processInfo.environment["PINPROOF_TESTS"] == "all", "PINPROOF_TESTS=all"),
        arguments: [true, false])
    func keyUpdates(byClient: Bool) async throws {
        let pki = try TestPKI()
        let (flooding, mayEnd) = (Gate(), Gate())
        let origin = try ScriptedOrigin(pki.chain(), version: .tls13) { tls in
            if !byClient {
                let flood = KeyFlood(tls)
                flood.start()
                flooding.open()
                mayEnd.wait()
                try flood.end()
            }
            try ScriptedOrigin.answer(tls)
        }
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        let client = try bench.client(receiveBuffer: 16 * 1024)
        if byClient {
            let flood = KeyFlood(client)
            flood.start()
            try await expectBounded(bench)
            try flood.end()
        } else {
            flooding.wait()
            try await expectBounded(bench)
            mayEnd.open()
        }
        try client.write(request)
        #expect(String(decoding: try client.readToCloseNotify(), as: UTF8.self).hasSuffix("genuine\n"))
        client.socket.close()
        let one = try await bench.observation()
        #expect(one.error == nil && one.bytesUp == request.utf8.count)
        withExtendedLifetime(origin) {}
    }

    /// What a client says without end, and without saying anything.
    enum Flood: CaseIterable {
        case emptyRecords, hellos, changesOfCipher, warnings, sealedEmptyRecords, sealedWarnings
    }

    @Test(
        "empty records, hellos, changes of cipher and warnings without end are soon an error", arguments: Flood.allCases
    )
    func floods(flood: Flood) async throws {
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain())
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        let socket = try bench.tunnel()
        let secrets = Locked<[String]>([])
        let tls = try TestTLS(
            socket, trusting: bench.installed, highest: flood == .warnings ? .tls12 : .tls13,
            keyLog: { _, line in secrets.withLock { $0.append(String(decoding: line, as: UTF8.self)) } })
        tls.session.offerAES128()
        let pieces: [[UInt8]]
        switch flood {
        case .emptyRecords: pieces = Array(repeating: [22, 3, 1, 0, 0], count: 20_000)
        case .hellos: pieces = Array(repeating: tls.hello(), count: 200)
        case .changesOfCipher: pieces = [tls.hello()] + Array(repeating: [20, 3, 3, 0, 1, 1], count: 20_000)
        case .warnings: pieces = [tls.hello()] + Array(repeating: [21, 3, 3, 0, 2, 1, 90], count: 20_000)
        case .sealedEmptyRecords, .sealedWarnings:
            try tls.handshake()
            let secret = try #require(secrets.withLock { $0.first { $0.hasPrefix("CLIENT_TRAFFIC_SECRET_0 ") } })
            let sealer = try #require(RecordSealer(secret: bytes(secret.split(separator: " ").last ?? "")))
            pieces = (0..<2_000).map { _ in
                flood == .sealedWarnings ? sealer.seal(21, [1, 90]) : sealer.seal(23, [])
            }
        }
        // It may be over before all of it is sent, and then a reset overtakes what was said.
        try? socket.send(Array(pieces.joined()))
        _ = try? socket.readToEnd()
        socket.close()
        let one = try await bench.observation()
        // What does not begin with a hello is for the origin to refuse.
        #expect(one.close?.by == (flood == .emptyRecords ? .origin : .proxy), "\(one)")
        #expect(flood == .emptyRecords || one.error != nil && one.bytesUp == 0, "\(one)")
        let next = try bench.client()
        try next.write(request)
        #expect(String(decoding: try next.readToCloseNotify(), as: UTF8.self).hasSuffix("genuine\n"))
        withExtendedLifetime(origin) {}
    }

    private func bytes(_ hex: Substring) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    @Test("ClientHellos whose senders are gone at once leave nothing behind, and are each observed once")
    func helloFlood() async throws {
        let count = 200
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain())
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        let hello = try TestTLS(bench.connect(), trusting: bench.installed).hello()
        let said = Array("CONNECT api.test:443 HTTP/1.1\r\n\r\n".utf8) + hello
        for index in 0..<count {
            let socket = try bench.connect()
            try socket.send(said)
            if index.isMultiple(of: 2) { socket.reset() } else { socket.close() }
        }
        // The one that lent its hello is there as well.
        var all: Set<UInt64> = []
        for _ in 0...count { all.insert(try await bench.observation().connection) }
        #expect(all.count == count + 1)
        #expect(await bench.proxy.connectionCount() == 0)
        let next = try bench.client()
        try next.write(request)
        #expect(String(decoding: try next.readToCloseNotify(), as: UTF8.self).hasSuffix("genuine\n"))
        withExtendedLifetime(origin) {}
    }
}
