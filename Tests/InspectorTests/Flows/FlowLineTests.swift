import Flows
import Foundation
import Testing

@testable import Inspector

struct FlowLineTests {
    /// Without number and time, which is the local one.
    private func line(_ width: Int?, _ change: (inout Flow) -> Void) -> String {
        var flow = Flow(id: 1042, kind: .http, state: .aborted, started: 0)
        flow.server = Flow.Server(host: "api.example.com", port: 443)
        flow.failure = FlowFailure(
            .originRefused, leg: .origin, text: "api.example.com:443 refused the connection", hint: "is it there?")
        change(&flow)
        let line = FlowLine.text(flow, width: width)
        #expect(line.hasPrefix(" 1042  ") && line.count <= width ?? .max, "\(line)")
        return String(line.dropFirst(17))
    }

    private func exchange(_ flow: inout Flow) {
        flow.method = "GET"
        flow.url = "https://api.example.com/v1/a/rather/long/path?with=a&query=behind&it=all"
        flow.durationMS = 12
    }

    @Test("what failed says why behind its address, in words where nothing is narrow")
    func wide() {
        let url = "https://api.example.com/v1/a/rather/long/path?with=a&query=behind&it=all"
        let text = "api.example.com:443 refused the connection"
        #expect(line(nil, exchange) == "↯   GET \(url)  (\(text))  —  12 ms")
        #expect(line(120, exchange) == "↯   GET https://api.example.com/v1/a/rather/lo…  (\(text))  —  12 ms")
    }

    @Test("in 80 columns the reason is the word that filters know")
    func narrow() {
        #expect(
            line(80, exchange) == "↯   GET https://api.example.com/v1…  (origin-refused)  —  12 ms")
    }

    @Test("an exchange that was not understood to its end says so, in 80 columns by the word that filters know")
    func undecodable() {
        func odd(_ flow: inout Flow) {
            exchange(&flow)
            flow.failure = nil
            (flow.state, flow.status, flow.url) = (.complete, 200, "https://api.example.com/v1")
            flow.response = FlowSide(body: FlowBody(size: 5))
            flow.undecodable = Flow.Undecodable(at: 5, why: "content-length says 10, and 5 bytes came")
        }
        let why = "not decodable from byte 5: content-length says 10, and 5 bytes came"
        #expect(line(nil, odd) == "200 GET https://api.example.com/v1  (\(why))  5 B  12 ms")
        #expect(line(80, odd) == "200 GET https://api.example.com/v1  (undecodable)  5 B  12 ms")
        func raw(_ flow: inout Flow) {
            (flow.kind, flow.failure, flow.undecodable) = (.raw, nil, Flow.Undecodable(at: 0, why: "nonsense"))
        }
        #expect(!line(nil, raw).contains("nonsense"))
    }

    @Test("a failure without a request is its sentence, and in few columns host and reason")
    func failure() {
        func failed(_ flow: inout Flow) {
            flow.kind = .failure
            flow.failure = FlowFailure(
                .clientRefusedCertificate, leg: .client,
                text: "the app does not trust the proxy's certificate for api.example.com (unknown_ca)")
        }
        #expect(
            line(nil, failed)
                == "✕   the app does not trust the proxy's certificate for api.example.com (unknown_ca)  —")
        #expect(line(80, failed) == "✕   api.example.com:443  (client-refused-certificate)  —")
    }
}
