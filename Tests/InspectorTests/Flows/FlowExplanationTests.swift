import Facts
import Flows
import Store
import Support
import Testing

@testable import Inspector

@Suite("Why a flow is as it is")
struct FlowExplanationTests {
    private static func flow(_ id: Int64, _ host: String, _ change: (inout Flow) -> Void = { _ in }) -> WholeFlow {
        var flow = Flow(id: id, kind: .http, state: .complete, started: 1_767_225_600 + Double(id))
        (flow.method, flow.scheme, flow.url, flow.status) = ("GET", "https", "https://\(host)/", 200)
        flow.server = Flow.Server(host: host, port: 443)
        flow.client = Flow.Client(address: "10.0.0.7:\(50_000 + id)")
        change(&flow)
        return WholeFlow(flow)
    }

    private static func refused(_ id: Int64) -> WholeFlow {
        flow(id, "pay.test") { flow in
            (flow.kind, flow.state, flow.url, flow.status) = (.failure, .aborted, nil, nil)
            flow.failure = FlowFailure(
                .clientRefusedCertificate, leg: .client, alert: "unknown_ca", text: "refused", hint: "install the CA")
        }
    }

    private static func explained(_ flows: [WholeFlow], _ id: Int64) throws -> FlowExplanation {
        let folder = try TemporaryFolder()
        let store = try FlowStore.open(path: folder.path + "/flows.db", tools: .linked)
        _ = try store.insert(flows)
        let flow = try #require(try store.flow(id))
        return try FlowExplanation(flow, in: store)
    }

    @Test("who was read elsewhere trusts the CA: the refusing host is to blame, and the advice is about its pin")
    func trusted() throws {
        let found = try Self.explained([Self.flow(1, "api.test"), Self.flow(2, "img.test"), Self.refused(3)], 3)
        #expect(found.what == "refused")
        #expect(found.facts.contains { $0.hasPrefix("10.0.0.7 was read on api.test and img.test") }, "\(found.facts)")
        #expect(found.todo?.contains("pin of pay.test") == true)
        #expect(found.host?.failed == 1 && found.host?.lastRead == nil)
    }

    @Test("who was read nowhere may not trust the CA at all, and the advice stays")
    func untrusted() throws {
        let found = try Self.explained([Self.refused(1)], 1)
        #expect(found.todo == "install the CA")
        #expect(found.facts.contains { $0.contains("may not trust the CA at all") })
    }

    @Test("who was read at the very host trusts the CA, and is not said to trust it nowhere")
    func readHere() throws {
        let found = try Self.explained([Self.flow(1, "pay.test"), Self.refused(2)], 2)
        #expect(!found.facts.contains { $0.contains("may not trust the CA at all") }, "\(found.facts)")
        #expect(found.facts.contains("nothing of 10.0.0.7 was read over TLS at any other host"), "\(found.facts)")
        #expect(found.host?.lastRead == 1)
    }

    @Test("an exchange that failed is none that was read")
    func failedExchanges() throws {
        func forbidden(_ id: Int64) -> WholeFlow {
            Self.flow(id, "plain.test") { flow in
                (flow.state, flow.status) = (.aborted, nil)
                flow.failure = FlowFailure(.proxyForbidden, leg: .proxy, text: "not this way", hint: "ask another way")
            }
        }
        let found = try Self.explained([forbidden(1), forbidden(2)], 1)
        #expect(found.host?.lastRead == nil && found.host?.lastFailed == 2 && found.host?.failed == 2)
        let read = try Self.explained([forbidden(1), Self.flow(2, "plain.test")], 1)
        #expect(read.host?.lastRead == 2 && read.host?.lastFailed == nil)
    }

    @Test("what did not fail is said to have not")
    func well() throws {
        let found = try Self.explained([Self.flow(1, "api.test"), Self.flow(2, "api.test") { $0.status = 503 }], 1)
        #expect(found.what == "nothing failed: api.test answered 200" && found.todo == nil)
        #expect(found.text.contains("api.test: 2 flows recorded"))
    }
}
