import Console
import Facts
import Filters
import Flows
import Loop
import Support
import Testing

@testable import Inspector

@Suite struct SavedFiltersTests {
    private static let now = 1_767_225_600.0

    private static func saved(_ folder: TemporaryFolder) -> SavedFilters { SavedFilters(folder.path + "/filters.json") }

    @Test("what was saved is there, and stands for itself in a filter")
    func saved() throws {
        let folder = try TemporaryFolder()
        let saved = Self.saved(folder)
        #expect(try saved.read() == FilterBook())
        #expect(try saved.save("errors", "status:>=400", isMute: false, now: Self.now) == nil)
        #expect(try saved.save("mine", "filter:errors host:\"a b\"", isMute: false, now: Self.now) == nil)
        #expect(try saved.save("noise", "host:*.ads.example", isMute: true, now: Self.now) == nil)
        #expect(try mode(of: saved.path) == 0o600)
        let book = try saved.read()
        #expect(book.filters.map(\.name) == ["errors", "mine"] && book.mutes.map(\.text) == ["host:*.ads.example"])
        let filter = try Filter.parse("filter:MINE", in: .local(now: Self.now, book: book))
        #expect(filter.description == "status:>=400 host:\"a b\"")
        // A name has one meaning: the new one takes the old one's place.
        #expect(try saved.save("Errors", "is:failed", isMute: false, now: Self.now)?.text == "status:>=400")
        #expect(try saved.read().filters.map(\.name) == ["mine", "Errors"])
    }

    @Test("what is wrong is refused, and nothing changes")
    func refused() throws {
        let folder = try TemporaryFolder()
        let saved = Self.saved(folder)
        _ = try saved.save(
            "a", "filter:b or x", isMute: false, beside: FilterBook(filters: [.init(name: "b", text: "y")]),
            now: Self.now)
        _ = try saved.save("b", "y", isMute: false, now: Self.now)
        let before = try saved.read()
        #expect(throws: FilterFault.self) { try saved.save("c", "staus:4", isMute: false, now: Self.now) }
        #expect(throws: Complaint.self) { try saved.save("c d", "x", isMute: false, now: Self.now) }
        #expect(throws: Complaint.self) { try saved.save("c", "", isMute: true, now: Self.now) }
        #expect(throws: FilterFault.self) { try saved.save("b", "filter:a", isMute: false, now: Self.now) }
        #expect(throws: Complaint.self) { try saved.remove("b", now: Self.now) }
        #expect(try saved.remove("z", now: Self.now) == nil)
        #expect(try saved.read() == before)
        #expect(try saved.remove("a", now: Self.now)?.name == "a")
        #expect(try saved.remove("B", now: Self.now)?.name == "b")
    }

    @Test(
        "a file that is none is told, and left as it is",
        arguments: ["", "[]", "{", #"{"filters": []}"#, #"{"filters": {"a b": "x"}}"#, #"{"mutes": {"a": 1}}"#])
    func broken(text: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("filters.json", Array(text.utf8))
        #expect {
            try SavedFilters(path).read()
        } throws: { error in
            (error as? Complaint)?.status == .configuration && "\(error)".contains(path)
        }
        #expect(throws: Complaint.self) { try SavedFilters(path).save("a", "x", isMute: false, now: Self.now) }
        #expect(try folder.text("filters.json") == text)
    }

    @Test("mutes hide their flows, but not from one who names them")
    func mutes() throws {
        let book = FilterBook(
            filters: [.init(name: "ads", text: "host:*.ads.example")],
            mutes: [.init(name: "noise", text: "filter:ads"), .init(name: "all", text: "*")])
        let muted = try #require(try book.muted(now: Self.now))
        #expect(muted.description == "host:*.ads.example")
        #expect(try book.muted(forFilter: "x Filter:NOISE", now: Self.now) == nil)
        let others = FilterBook(
            mutes: [
                .init(name: "ads", text: "host:ads.*"), .init(name: "nothing", text: ""),
                .init(name: "both", text: "filter:ads or is:tunnel"), .init(name: "big", text: "body:advert"),
            ])
        #expect(
            try others.muted(now: Self.now) { !$0.needsBodies }?.description
                == "host:ads.* or host:ads.* or is:tunnel")
        #expect(try FilterBook().muted(now: Self.now) == nil)
        let wrong = FilterBook(mutes: [.init(name: "right", text: "status:4"), .init(name: "w", text: "staus:4")])
        #expect {
            try wrong.muted(now: Self.now)
        } throws: { "\($0)".contains("\"w\"") && "\($0)".contains("column 1") }
    }

    @Test("lines of the terminal leave out what is muted, and count it")
    func lines() throws {
        let output = Locked("")
        let console = Console.recording(output)
        let mutes = try FilterBook(mutes: [.init(name: "ads", text: "host:ads.example")]).muted(now: Self.now)
        let lines = try ExchangeLines(console, mutes: mutes)
        for (id, host) in [(Int64(1), "ads.example"), (2, "api.example")] {
            var flow = Flow(id: id, kind: .http, state: .complete, started: 0)
            flow.server.host = host
            flow.url = "https://\(host)/"
            flow.status = 200
            lines.note([.flow(flow)])
        }
        lines.stop()
        #expect(lines.muted == 1)
        #expect(!output.withLock { $0 }.contains("ads.example"))
    }
}
