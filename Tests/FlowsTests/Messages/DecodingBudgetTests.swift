import Facts
import Testing

@testable import Flows

@Suite("DecodingBudget")
struct DecodingBudgetTests {
    /// Each byte is a thousand of itself, and a window of as many is held.
    private final class Inflating: ContentDecoder {
        let (isCut, isWhole) = (false, true)
        private(set) var held = 0

        func decode(_ bytes: ArraySlice<UInt8>, most: Int) -> [UInt8] {
            held += 1000 * bytes.count
            return bytes.flatMap { [UInt8](repeating: $0, count: 1000) }
        }
    }

    private func tools(_ limit: Int) -> DecodingTools {
        var tools = DecodingTools(content: { name, _ in name == "big" ? Inflating() : nil })
        tools.budget = DecodingBudget(limit: limit)
        return tools
    }

    private func fields(_ type: String, isCoded: Bool = true) -> [HeaderField] {
        [HeaderField("Content-Type", type)] + (isCoded ? [HeaderField("Content-Encoding", "big")] : [])
    }

    @Test("what one holds another cannot, until it is given back")
    func shares() {
        let budget = DecodingBudget(limit: 100)
        var one: DecodingBudget.Share? = DecodingBudget.Share(of: budget)
        let other = DecodingBudget.Share(of: budget)
        #expect(one?.hold(60) == true && !other.hold(41) && other.hold(40) && budget.held == 100)
        #expect(one?.hold(61) == false && one?.size == 60 && one?.hold(10) == true && other.hold(90))
        one = nil
        #expect(budget.held == 90 && other.hold(0) && budget.held == 0)
    }

    @Test("a line without end under a coding is given up when there is no room for it, and its beginning is told")
    func unfinished() throws {
        let tools = tools(1_000_000)
        var messages = try #require(ContentMessages(of: fields("application/x-ndjson"), from: .down, tools))
        #expect(messages.read([UInt8](repeating: 65, count: 400)[...]).isEmpty && tools.budget.held == 800_000)
        let told = messages.read([UInt8](repeating: 65, count: 400)[...])
        #expect(messages.isLost && tools.budget.held == 0)
        #expect(told.count == 1 && told.first?.isCut == true)
        // As far as it was looked at.
        #expect(told.first.map { 400_001...800_000 ~= $0.size } == true)
        #expect(told.first?.data.count == ContentMessages.givenUpLimit)
        #expect(messages.read([10]).isEmpty && messages.end(isWhole: true).isEmpty)
    }

    @Test("messages are told piece by piece, and no more are looked for where there is no room for them")
    func pieces() throws {
        var messages = try #require(
            ContentMessages(of: fields("application/x-ndjson", isCoded: false), from: .down, tools(.max)))
        let content = Array(Array(repeating: Array("1\n".utf8), count: 100_000).joined())
        var counts: [Int] = []
        messages.read(content[...]) { found in
            counts.append(found.count)
            return counts.count < 2
        }
        #expect(counts == [32_768, 32_768] && messages.isLost)
    }

    @Test("a coding within a coding gives no more than one alone")
    func nested() throws {
        let tools = tools(.max)
        let grpc = fields("application/grpc") + [HeaderField("Grpc-Encoding", "big")]
        var messages = try #require(ContentMessages(of: grpc, from: .down, tools))
        // Not coded to begin with, so that what it says is plain: each byte comes a thousand times.
        #expect(messages.read([0]).count == 200)
        var reader = FramedMessageReader(.down, .grpc, decodedLimit: 2_500) { _ in Inflating() }
        var found: [ExchangeMessage] = []
        for _ in 0..<5 { reader.read([1, 0, 0, 0, 1, 65], &found) }
        #expect(found.map(\.data.count) == [1000, 1000, 1000, 1, 1])
        #expect(found.map(\.isCut) == [false, false, false, true, true])
    }

    @Test("trailers of gRPC-Web are read up to a limit")
    func trailers() {
        var reader = FramedMessageReader(.down, .grpcWeb, decoder: nil)
        var found: [ExchangeMessage] = []
        let frame: [UInt8] = [0x80, 0, 0, 0, 6] + Array("a: b\r\n".utf8)
        for _ in 0..<20_000 { reader.read(frame[...], &found) }
        #expect(reader.isLost && reader.trailers.count == 64 * 1024 / 6)
    }

    @Test("a body whose decoder has no room is kept, and its decoded size is not known")
    func body() {
        let tools = tools(1_000_000)
        var body = BodyRecord(fields: fields("text/plain"), limit: 10_000, tools: tools)
        body.add([UInt8](repeating: 65, count: 900)[...])
        #expect(tools.budget.held == 900_000)
        body.add([UInt8](repeating: 65, count: 200)[...])
        body.end()
        #expect(
            tools.budget.held == 0 && body.body.decodedSize == nil && body.body.size == 1100
                && body.take().count == 1100)
    }

    @Test(
        "messages that wait are held until they are handed out; where there is no room, the body alone tells what came")
    func waiting() {
        let tools = tools(100_000)
        let flow = OpenFlow(
            Flow(id: 1, kind: .http, state: .open, started: 0), began: 0, limits: ConnectionRecorder.Limits(),
            tools: tools)
        flow.answered(
            AnswerHead(status: 200, version: "h2", fields: fields("application/x-ndjson", isCoded: false)), at: 0)
        let lines = Array(Array(repeating: Array("1\n".utf8), count: 100).joined())
        flow.content(.down, lines[...], at: 0)
        #expect(flow.flow.messages == 100 && tools.budget.held > 20_000)
        var all: [FlowChange] = []
        flow.take(into: &all)
        #expect(all.count == 102 && tools.budget.held == 0 && flow.flow.undecodable == nil)
        for _ in 0..<10 { flow.content(.down, lines[...], at: 0) }
        #expect((200..<500).contains(flow.flow.messages) && tools.budget.held <= 100_000)
        flow.take(into: &all)
        #expect(flow.flow.undecodable?.why.hasPrefix("from here on messages are not told apart") == true)
        let counted = flow.flow.messages
        flow.content(.down, lines[...], at: 0)
        #expect(flow.flow.messages == counted)
    }
}
