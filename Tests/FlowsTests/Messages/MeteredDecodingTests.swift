import Testing

@testable import Flows

/// As much as it may.
private final class Bottomless: ContentDecoder {
    private(set) var isCut = false
    let isWhole = false
    let held = 0
    private let limit: Int
    private var went = 0

    init(_ limit: Int) { self.limit = limit }

    func decode(_ bytes: ArraySlice<UInt8>, most: Int) -> [UInt8] {
        let count = max(0, min(limit, most) - went)
        went += count
        isCut = went < limit
        return [UInt8](repeating: 0, count: count)
    }
}

private final class BottomlessMessages: MessageInflater {
    func inflate(_ data: [UInt8], limit: Int) -> (data: [UInt8], isCut: Bool)? {
        ([UInt8](repeating: 0, count: limit), true)
    }

    let dropped = 256 << 20
}

@Suite("metered decoding")
struct MeteredDecodingTests {
    private static let bomb = 16 << 20

    private func tools(_ limit: Int = bomb) -> DecodingTools {
        DecodingTools(inflater: { _ in BottomlessMessages() }, content: { _, _ in Bottomless(limit) })
    }

    private func decoded(_ tools: DecodingTools, bytes: Int = 10) throws -> (count: Int, isCut: Bool) {
        let decoder = try #require(tools.content("br", .max))
        let content = try decoder.decode([UInt8](repeating: 1, count: bytes)[...], most: .max)
        return (content.count, decoder.isCut)
    }

    @Test(
        "bombs are decoded as long as there is work left, then as far as they earn, then not at all; time gives it back"
    )
    func bombs() throws {
        let tools = tools()
        tools.budget.turn(to: 100)
        var whole = 0
        while try decoded(tools).count == Self.bomb { whole += 1 }
        #expect(whole == 17, "\(tools.budget.unearned)")
        #expect(try decoded(tools) == (1000, true))
        // What is cut counts as much as it may have cost.
        for _ in 0..<20 { _ = try decoded(tools) }
        #expect(try decoded(tools) == (0, true))
        #expect(try decoded(tools, bytes: 1 << 20) == (0, true), "whoever it is")
        tools.budget.turn(to: 105)
        #expect(try decoded(tools, bytes: 1 << 20) == (Self.bomb, false), "earned")
        tools.budget.turn(to: 100)
        tools.budget.turn(to: 1e300)
        #expect(try decoded(tools) == (Self.bomb, false))
    }

    @Test("what earns its content costs nothing")
    func texts() throws {
        let tools = tools(1000)
        for _ in 0..<100_000 { #expect(try decoded(tools) == (1000, false)) }
        #expect(tools.budget.unearned == DecodingBudget.most)
    }

    @Test("a body that nobody measures any more is kept as it came")
    func body() {
        let tools = tools()
        tools.budget.spend(.max / 2)
        var body = BodyRecord(fields: [HeaderField("Content-Encoding", "br")], limit: 100, tools: tools)
        body.add([1, 2, 3])
        body.end()
        #expect(body.body.decodedSize == nil && body.body.size == 3 && body.take() == [1, 2, 3])
    }

    @Test("messages of a WebSocket that are cut again and again are not inflated any more")
    func messages() throws {
        let tools = tools()
        let inflater = try #require(tools.inflater(MessageDeflate(withoutTakeover: true, windowBits: 15)))
        var count = 0
        while let (data, isCut) = inflater.inflate([1], limit: 1000) {
            #expect(data.count == 1000 && isCut)
            count += 1
        }
        #expect(count == 2)
        tools.budget.turn(to: 0)
        tools.budget.turn(to: 30)
        #expect(inflater.inflate([1], limit: 1000) != nil)
    }
}
