import Facts
import Support
import Testing

@testable import Wire

@Suite struct TicketWaitTests {
    private static func hello(_ extensions: [UInt16], _ versions: [UInt16] = [0x0304, 0x0303]) throws -> ClientHello {
        var builder = HelloBuilder()
        builder.extensions = [HelloBuilder.versions(versions)] + extensions.map { (type: $0, body: []) }
        return try parsed(builder.records())
    }

    private static func record(_ type: UInt8, _ length: Int) -> [UInt8] {
        [type, 3, 3, UInt8(length >> 8), UInt8(length & 0xff)] + [UInt8](repeating: 0xaa, count: length)
    }

    private static let changed = record(20, 1)
    private static let finished = record(23, 53)
    private static let request = record(23, 120)

    /// One whose ServerHello took 10 ms, at 0.01.
    private func begun(_ version: TLSVersion = .tls13) throws -> TicketWait {
        var wait = try #require(TicketWait(try Self.hello([45]), at: 0))
        #expect(wait.fromClient(Self.record(22, 300).span, at: 0) == 305)
        wait.fromServer(nil, at: 0.005)
        wait.fromServer(version, at: 0.01)
        return wait
    }

    @Test("there is nothing to wait for without TLS 1.3, and with early data")
    func nothing() throws {
        #expect(TicketWait(try Self.hello([]), at: 0) != nil)
        #expect(TicketWait(try Self.hello([45, 42]), at: 0) == nil)
        #expect(TicketWait(try Self.hello([45], [0x0303]), at: 0) == nil)
        var old = try begun(.tls12)
        #expect(old.isOver && old.fromClient(Self.request.span, at: 1) == Self.request.count)
    }

    @Test("what follows the Finished is held, however it is cut", arguments: [1, 3, 7, 64, 1000])
    func held(piece: Int) throws {
        var wait = try begun()
        var passed = 0
        let bytes = Self.changed + Self.record(23, 19) + Self.finished + Self.request
        for start in stride(from: 0, to: bytes.count, by: piece) {
            let part = Array(bytes[start..<min(bytes.count, start + piece)])
            let count = wait.fromClient(part.span, at: 0.02)
            passed += count
            if count < part.count { break }
        }
        #expect(passed == bytes.count - Self.request.count && wait.isWaiting)
    }

    @Test("until the server has been silent for a moment")
    func tickets() throws {
        var wait = try begun()
        #expect(wait.fromClient((Self.changed + Self.finished + Self.request).span, at: 0.02) == 64)
        wait.fromServer(.tls13, at: 0.03)
        #expect(!wait.isDue(0.049))
        wait.fromServer(.tls13, at: 0.049)
        #expect(!wait.isDue(0.068) && wait.isDue(0.0691))
        // It is for the caller to look what has come before it goes on.
        #expect(wait.fromClient(Self.request.span, at: 0.08) == 0)
    }

    @Test("or for as long as its tickets may take, and never longer than two seconds")
    func patience() throws {
        var wait = try begun()
        #expect(wait.fromClient((Self.changed + Self.finished).span, at: 0.02) == 64)
        #expect(!wait.isDue(0.099) && wait.isDue(0.101))
        var slow = try #require(TicketWait(try Self.hello([45]), at: 0))
        slow.fromServer(.tls13, at: 10)
        #expect(slow.fromClient(Self.finished.span, at: 11) == Self.finished.count)
        slow.fromServer(.tls13, at: 12)
        #expect(!slow.isDue(12.9) && slow.isDue(13.1))
    }

    @Test(
        "a client's certificate, and what is no TLS, end it",
        arguments: [record(23, 900), Array("GET / HTTP/1.1".utf8)])
    func unclear(bytes: [UInt8]) throws {
        var wait = try begun()
        #expect(wait.fromClient(bytes.span, at: 0.02) == bytes.count && wait.isOver)
    }
}
