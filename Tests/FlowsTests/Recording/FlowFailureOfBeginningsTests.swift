import Facts
import Testing
import Wire

@testable import Flows

/// Connections that came to nothing where they began, or began anew.
struct FlowFailureOfBeginningsTests {
    private func failure(_ change: (inout Observation) -> Void) -> FlowFailure? {
        var connection = Observation(connection: 1)
        connection.host = HostName("pay.example.com")
        connection.action = .intercepted
        connection.flight = Observation.Flight(ms: 1, delivered: true)
        change(&connection)
        return FlowFailure(connection, carriedExchange: false)
    }

    @Test("who wants to renegotiate is named, and not who ended the connection because of it")
    func renegotiation() {
        let byOrigin = failure {
            $0.renegotiates = .origin
            $0.fault = .originHandshake
            $0.upstream?.error = "tlsv1 alert handshake failure"
            $0.close = Observation.Close(by: .origin, how: .fin, ms: 9)
        }
        #expect(byOrigin?.id == .proxyLimit && byOrigin?.leg == .proxy)
        #expect(
            byOrigin?.text
                == "pay.example.com wanted to renegotiate TLS on this connection, which the proxy does not do")
        let byClient = failure {
            $0.renegotiates = .client
            $0.close = Observation.Close(by: .client, how: .fin, ms: 9)
        }
        #expect(byClient?.text.hasPrefix("the app wanted to renegotiate") == true)
        var cut = Flow(id: 1, kind: .http, state: .aborted, started: 0)
        cut.failure = FlowFailure(.originClosed, leg: .origin, text: "the server closed the connection")
        #expect(byOrigin?.says(moreThan: cut) == true)
    }

    @Test("a ClientHello, or a request to the proxy, that is not whole is told with what came of it")
    func unfinished() {
        func told(_ unfinished: Observation.Unfinished, by: Observation.Close.Side, to target: String?) -> String? {
            let failure = failure {
                $0.action = .none
                $0.flight = nil
                $0.target = target.flatMap { HostName($0) }.map { Endpoint($0, 443) }
                $0.close = Observation.Close(by: by, how: by == .client ? .fin : .timeout, ms: 5000)
                $0.unfinished = unfinished
            }
            #expect(failure?.id == .clientGone && failure?.leg == .client && failure?.hint != nil)
            return failure?.text
        }
        #expect(
            told(.clientHello(bytes: 1448), by: .client, to: "pay.example.com")
                == "the app began a TLS handshake for pay.example.com:443, and left in the middle of its ClientHello "
                + "(1448 bytes came)")
        #expect(
            told(.clientHello(bytes: 1), by: .proxy, to: nil)
                == "the app began a TLS handshake, and the rest of its ClientHello did not come (1 byte came)")
        #expect(
            told(.request(bytes: 9), by: .client, to: nil)
                == "the app left in the middle of what it asked the proxy for (9 bytes came)")
    }
}
