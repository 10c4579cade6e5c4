import Facts
import Filters
import Flows
import Support
import Testing

@testable import Store

/// Every character as it is, or any with a dot: as much of expressions as these tests need.
private struct PlainRegex: FilterRegex {
    let source: [UInt8]

    func matches(_ bytes: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: source) { $1 == 0x2e || $0 == $1 } }
    }
}

extension Samples {
    static func filter(_ text: String) throws -> Filter {
        let context = FilterContext(now: start + 50, localOffset: { _ in 0 }) { source, _ in
            PlainRegex(source: Array(source.utf8))
        }
        return try Filter.parse(text, in: context)
    }
}

@Suite struct SearchTests {
    static let filters = [
        "", "login", "LOGIN", "needle", "s3cret", "\u{e4}rger", "zo", "x", "token user", "token or login", "-token",
        "login or status:500", "login -status:500", "(needle or status:404) method:GET", "not (login or needle)",
        "k\u{212a}",
        "host:api.example.com", "host:*.example.*", "host:b\u{dc}CHER.example", "-host:x.y", "host:none", "path:/v1/*",
        "path:/", "path:/?q=1", "path:*login*", "url:\"v1\"", "url:a*b", "method:post", "method:GET,DELETE",
        "scheme:https",
        "port:8443", "port:8*", "port:>8000", "status:404", "status:4xx", "status:>=400", "status:200..299",
        "status:304,500",
        "-status:200", "type:json", "type:text/*", "type:application/problem+json", "-type:json", "header:x-trace",
        "header:x-trace=alpha", "req.header:x-trace", "res.header:x-trace", "body:token", "req.body:token",
        "res.body:needle",
        "body:/t.ken/", "/s3c.et/", "dur:>500ms", "dur:>=500ms", "dur:<1s", "dur:>1s", "size:>1K", "size:>64K",
        "req.size:>0",
        "size:0", "messages:>2", "messages:0", "messages:1", "kind:websocket", "kind:tunnel,raw", "kind:http",
        "is:failed",
        "is:open", "is:aborted", "is:complete", "is:tunnel", "is:redirect", "is:cached", "is:graphql", "is:grpc",
        "is:sse",
        "is:marked", "is:commented", "is:undecodable", "is:cut", "-is:cut", "failure:client-gone,origin-timeout",
        "client:pixel-8", "client:127.0.0.1", "client:127.0.0.1:50123", "client:*:7", "tls:1.2", "alpn:h2", "ja4:t13*",
        "connection:317", "connection:1..2", "id:10..20", "id:<5", "tag:graphql:login", "tag:*", "mark:red",
        "comment:not",
        "after:2026-01-01T00:00:01Z", "before:2026-01-01T00:00:01.5Z", "host:*.com status:404 method:get",
        "host:api.example.com or host:x.y or status:500 or login or needle or is:cut or is:marked or kind:raw or tick",
    ]

    @Test("a store answers every filter as one would who looks at each flow, indexed or not")
    func agreement() throws {
        let test = try StoreUnderTest()
        var random = RandomFlows(seed: 8)
        let wholes = (1...160).map { random.whole($0) }
        func check(_ when: String) throws {
            let stored = try wholes.compactMap { whole -> SampleContent? in
                guard let flow = try test.store.flow(whole.flow.id) else { return nil }
                var whole = whole
                whole.flow = flow
                return SampleContent(whole: whole)
            }
            for text in Self.filters {
                let filter = try Samples.filter(text)
                let expected = stored.filter { filter.matches($0.whole.flow, $0) }.map(\.whole.flow.id)
                #expect(try test.store.ids(matching: filter) == expected, "\(text), \(when)")
                #expect(try test.store.count(matching: filter) == expected.count, "\(text), \(when)")
                let page = try test.store.flows(matching: filter, limit: 7, order: .newestFirst)
                #expect(page.flows.map(\.id) == Array(expected.reversed().prefix(7)), "\(text), \(when)")
                #expect(try test.store.ids(expected, matching: filter) == expected, "\(text), \(when)")
            }
        }
        // Nothing is indexed before the writer has nothing else to do.
        try test.store.pool.write { db in
            _ = try BatchWriter(BodyShelf(test.store.files)).write(Self.batch(wholes[..<80]), db)
        }
        #expect(try Self.notIndexed(test.store) == 80)
        try check("before indexing")
        test.record(.flow(Samples.flow(400)))
        test.writer.settle()
        #expect(try Self.notIndexed(test.store) == 0)
        _ = try test.store.delete(matching: Samples.filter("id:400"))
        try test.store.pool.write { db in
            _ = try BatchWriter(BodyShelf(test.store.files)).write(Self.batch(wholes[80...]), db)
        }
        try check("half indexed")
        test.record(.flow(Samples.flow(400)))
        test.writer.settle()
        _ = try test.store.delete(matching: Samples.filter("id:400"))
        try check("indexed")
        test.close()
    }

    private static func batch(_ wholes: ArraySlice<WholeFlow>) -> ChangeQueue.Batch {
        ChangeQueue.Batch(changes: wholes.flatMap(\.changes))
    }

    private static func notIndexed(_ store: FlowStore) throws -> Int? {
        try store.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM flow WHERE indexed = 0") }
    }

    @Test("pages follow one another without a gap, in both orders")
    func pages() throws {
        let test = try StoreUnderTest()
        test.writer.record((1...50).map { .flow(Samples.flow($0, status: $0 % 3 == 0 ? 404 : 200)) })
        test.writer.settle()
        for filter in ["", "status:404", "items", "items status:404"] {
            let filter = try Samples.filter(filter)
            let all = try test.store.ids(matching: filter)
            for order in [FlowOrder.oldestFirst, .newestFirst] {
                var ids: [Int64] = []
                var after: Int64?
                repeat {
                    let page = try test.store.flows(matching: filter, after: after, limit: 7, order: order)
                    ids += page.flows.map(\.id)
                    after = page.next
                } while after != nil
                #expect(ids == (order == .oldestFirst ? all : all.reversed()))
            }
        }
        #expect(try test.store.flows(before: 4).flows.map(\.id) == [1, 2, 3])
        #expect(try test.store.flows(before: 48, order: .newestFirst).flows.map(\.id) == [50, 49])
        test.close()
    }

    @Test("a text that is longer than what is indexed of it is found all the same")
    func longBodies() throws {
        let test = try StoreUnderTest()
        let body = [UInt8](repeating: 0x20, count: FlowText.limit) + Array("haystack's needle".utf8)
        var flow = Samples.flow(1)
        flow.response?.body = Samples.body(body, type: "text/plain")
        test.record(.body(flow: 1, .down, body), .flow(flow))
        test.writer.settle()
        #expect(try test.store.ids(matching: Samples.filter("needle")) == [1])
        #expect(try test.store.ids(matching: Samples.filter("noodle")) == [])
        test.close()
    }

    @Test("a flow that changes after it was indexed is found by its new text")
    func changed() throws {
        let test = try StoreUnderTest()
        test.record(.flow(Samples.flow(1)))
        test.writer.settle()
        var flow = Samples.flow(1, url: "https://api.example.com/changed")
        flow.response?.body = Samples.body(Array("{}".utf8))
        test.record(.flow(flow), .body(flow: 1, .down, Array("{}".utf8)))
        flow.tags = ["sse"]
        test.record(.flow(flow))
        #expect(try test.store.flow(1) == flow)
        test.writer.settle()
        #expect(try test.store.ids(matching: Samples.filter("changed")) == [1])
        #expect(try test.store.ids(matching: Samples.filter("v1/items")) == [])
        test.close()
    }

    @Test("shelves of the index are filled one after the other, and searched as one")
    func shelves() throws {
        let test = try StoreUnderTest(limits: StoreLimits(bytes: 8 << 20))
        for id in Int64(1)...3000 where id != 700 {
            test.writer.record([.flow(Samples.flow(id, url: "https://a/\(id % 10 == 0 ? "tenth" : "other")/\(id)"))])
        }
        test.writer.settle()
        test.record(.flow(Samples.flow(700, url: "https://a/tenth/700")))
        test.writer.settle()
        #expect(try test.store.pool.read { try TextShelf.all($0).count } > 1)
        #expect(try test.store.ids(matching: Samples.filter("tenth")) == (1...300).map { Int64($0 * 10) })
        #expect(
            try test.store.flows(matching: Samples.filter("tenth"), limit: 3, order: .newestFirst).flows.map(\.id) == [
                3000, 2990, 2980,
            ])
        _ = try test.store.delete()
        #expect(try test.store.pool.read { try TextShelf.all($0) } == [])
        test.close()
    }
}
