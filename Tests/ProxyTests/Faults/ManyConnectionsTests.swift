import Dispatch
import Facts
import Loop
import Testing

@testable import Proxy

@Suite("Faults: many connections", .timeLimit(.minutes(15)))
struct ManyConnectionsTests {
    /// All tests of a process share its descriptors, and one that runs out of them fails; thousands are for a process of its own
    /// (`Tests/Exchanges/crowd`).
    private static let most = 500
    /// Descriptors for what other tests do meanwhile.
    private static let others = 3_000

    @Test("hundreds of connections at once are all carried, each to its own origin's leg and back, and all go")
    func thousands() async throws {
        let held = Locked<[TestSocket]>([])
        let arrived = DispatchSemaphore(value: 0)
        let origin = try ScriptedOrigin { socket in
            held.withLock { $0.append(socket) }
            arrived.signal()
        }
        let bench = try ProxyBench(attack: nil)
        // A client, its leg here, the leg to the origin, and the origin's own end.
        let free = DescriptorLimit.current - (DescriptorLimit.inUse ?? 0) - Self.others
        let count = min(Self.most, max(free / 4, 100))
        let asked = Array("CONNECT \(origin.address) HTTP/1.1\r\n\r\n".utf8)
        let clients = try (0..<count).map { _ in
            let client = try bench.connect()
            try client.send(asked)
            return client
        }
        for client in clients {
            var head: [UInt8] = []
            while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) { head += try more(client) }
            #expect(head.starts(with: "HTTP/1.1 200 ".utf8))
        }
        for (index, client) in clients.enumerated() { try client.send(number(index)) }
        // No `await` while they are open: among thousands of tests it may take minutes, and the proxy lets go of what is idle.
        for _ in 0..<count { try #require(hasSignalled(arrived)) }
        for socket in held.withLock({ $0 }) {
            var said: [UInt8] = []
            while said.count < 4 { said += try more(socket, atMost: 4 - said.count) }
            try socket.send(said)
        }
        for (index, client) in clients.enumerated() {
            var heard: [UInt8] = []
            while heard.count < 4 { heard += try more(client, atMost: 4 - heard.count) }
            #expect(heard == number(index))
            client.close()
        }
        for socket in held.withLock({ $0 }) {
            #expect(try socket.readToEnd().isEmpty)
            socket.close()
        }
        var all: Set<UInt64> = []
        for _ in 0..<count {
            let one = try await bench.observation()
            #expect(one.error == nil && one.bytesUp == 4 && one.bytesDown == 4)
            all.insert(one.connection)
        }
        #expect(all.count == count)
        #expect(await bench.proxy.connectionCount() == 0)
        withExtendedLifetime(origin) {}
    }

    private func hasSignalled(_ one: DispatchSemaphore) -> Bool { one.wait(timeout: .now() + 60) == .success }

    /// At the end of what comes there is no more: without this, a test that waits for it would never end.
    private func more(_ socket: TestSocket, atMost limit: Int = 65536) throws -> [UInt8] {
        let bytes = try socket.receive(atMost: limit)
        guard !bytes.isEmpty else { throw UnexpectedEnd(after: "the connection's end") }
        return bytes
    }

    /// Four letters: what might be the beginning of TLS is held back for a while.
    private func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(ascii: "a") + UInt8(value >> (4 * $0) & 15) } }
}
