import Facts
import Flows
import Testing

@testable import Web

@Suite("Events")
struct EventReaderTests {
    private func flow(_ id: Int64, status: Int? = nil) -> Flow {
        var flow = Flow(id: id, kind: .http, state: status == nil ? .open : .complete, started: 0)
        flow.status = status
        return flow
    }

    private func rows(_ message: EventReader.Message?) throws -> [JSONValue] {
        guard case .text(let text)? = message else { return [] }
        let json = try JSONValue.parse(Array(text.utf8))
        #expect(json["event"]?.string == "flows")
        return json["flows"]?.array ?? []
    }

    @Test("of a flow only its last state is told, in the order in which flows changed first")
    func last() async throws {
        let reader = EventReader()
        reader.note([flow(1), flow(2)])
        reader.note([flow(1, status: 200)])
        let rows = try rows(await reader.next())
        #expect(rows.map { $0["id"]?.int } == [1, 2])
        #expect(rows.first?["status"]?.int == 200)
    }

    @Test("a page that hides secrets is told none")
    func redacted() async throws {
        let (open, hiding) = (EventReader(), EventReader(hidesSecrets: true))
        var secret = flow(1)
        secret.url = "https://a.test/cb?code=verysecret"
        for reader in [open, hiding] { reader.note([secret]) }
        #expect(try rows(await open.next()).first?["path"]?.string == "/cb?code=verysecret")
        #expect(try rows(await hiding.next()).first?["path"]?.string == "/cb?code=[redacted]")
    }

    @Test("whoever waits is woken")
    func waiting() async throws {
        let reader = EventReader()
        let next = Task { await reader.next() }
        reader.note([flow(3)])
        #expect(try rows(await next.value).count == 1)
    }

    @Test("a reader that takes nothing is told to ask again, and what comes later is told again")
    func slow() async throws {
        let reader = EventReader()
        for id in 0...Int64(EventReader.rowLimit) { reader.note([flow(id)]) }
        reader.note([flow(1)])
        #expect(await reader.next() == .text(#"{"event":"reload"}"#))
        reader.note([flow(9)])
        #expect(try rows(await reader.next()).map { $0["id"]?.int } == [9])
    }

    @Test("heads that are large are kept up to a limit, those of a flow that changes once")
    func largeHeads() async throws {
        func large(_ id: Int64, bytes: Int) -> Flow {
            var large = flow(id)
            large.request = FlowSide(headers: [HeaderField("cookie", String(repeating: "x", count: bytes))])
            return large
        }
        let reader = EventReader()
        for _ in 0..<10 { reader.note([large(1, bytes: EventReader.headLimit / 2)]) }
        #expect(try rows(await reader.next()).map { $0["id"]?.int } == [1])
        // What was told leaves room.
        reader.note([large(2, bytes: EventReader.headLimit / 2)])
        reader.note([large(3, bytes: EventReader.headLimit / 4)])
        #expect(try rows(await reader.next()).map { $0["id"]?.int } == [2, 3])
        for id in 4...6 { reader.note([large(Int64(id), bytes: EventReader.headLimit / 2)]) }
        #expect(await reader.next() == .text(#"{"event":"reload"}"#))
    }

    @Test("a message has at most so many rows; the rest comes in the next one")
    func pieces() async throws {
        let reader = EventReader()
        reader.note((0...Int64(EventReader.messageLimit)).map { flow($0) })
        #expect(try rows(await reader.next()).count == EventReader.messageLimit)
        #expect(try rows(await reader.next()).count == 1)
    }

    @Test("what was dropped is told before flows, and a ping is answered first of all")
    func order() async throws {
        let reader = EventReader()
        reader.note([flow(1)])
        reader.noteDropped(7)
        reader.notePing([1, 2])
        #expect(await reader.next() == .pong([1, 2]))
        #expect(await reader.next() == .text(#"{"event":"dropped","count":7}"#))
        #expect(try rows(await reader.next()).count == 1)
    }

    @Test("closing and cancelling end whoever waits")
    func ends() async {
        let closed = EventReader()
        let waiting = Task { await closed.next() }
        closed.close()
        #expect(await waiting.value == nil)
        let cancelled = EventReader()
        let task = Task { await cancelled.next() }
        task.cancel()
        #expect(await task.value == nil)
    }

    @Test("there are only so many readers, and one that goes makes room")
    func limit() throws {
        let hub = EventHub()
        let readers = (0..<EventHub.readerLimit).map { _ in hub.reader() }
        #expect(readers.allSatisfy { $0 != nil })
        #expect(hub.reader() == nil)
        try #require(readers[0]).close()
        #expect(hub.reader() != nil)
        hub.close()
        #expect(hub.reader() == nil)
    }
}
