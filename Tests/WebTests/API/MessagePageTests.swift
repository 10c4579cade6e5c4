import Facts
import Flows
import Store
import Testing

@testable import Web

@Suite("pages of messages")
struct MessagePageTests {
    @Test("a page of messages has an end where they are large, one at least is in it, and `next` leads to all of them")
    func largeMessages() async throws {
        let samples = try APISamples()
        var flow = APISamples.flows[1].flow
        (flow.id, flow.messages) = (9, 3)
        let messages = [9 << 20, 9 << 20, 1].enumerated().map { index, size in
            FlowMessage(
                index: index, atMS: 0, ExchangeMessage(from: .down, .binary, [UInt8](repeating: 0, count: size)))
        }
        let id = try #require(try samples.store.insert([WholeFlow(flow, messages: messages)]).first)
        func page(_ query: String) async -> String {
            let bytes = await samples.ask("GET", "/api/flows/\(id)/messages?\(query)").bytes
            return String(decoding: bytes.filter { $0 != UInt8(ascii: "A") }, as: UTF8.self)
        }
        func head(_ index: Int) -> String {
            #"{"messages":[{"index":\#(index),"at_ms":0,"from":"server","type":"binary","size":"#
        }
        #expect(await page("") == head(0) + #"9437184,"base64":""}],"next":"0"}"#)
        let rest = await page("after=0")
        #expect(rest.hasPrefix(head(1) + "9437184,") && rest.hasSuffix("}]}"), "\(rest)")
    }
}
