import Facts
import Testing

@testable import Flows

struct FlowFailureTests {
    private func connection(_ change: (inout Observation) -> Void) -> Observation {
        var connection = Observation(connection: 1)
        connection.host = HostName("pay.example.com")
        connection.action = .intercepted
        connection.flight = Observation.Flight(ms: 1, delivered: true)
        change(&connection)
        return connection
    }

    private func failure(_ change: (inout Observation) -> Void) -> FlowFailure? {
        FlowFailure(connection(change), carriedExchange: false)
    }

    @Test(
        "a client's alert says whether it does not trust the CA, or finds nothing in common",
        arguments: [
            (48, FlowFailure.ID.clientRefusedCertificate, "unknown_ca"),
            (46, .clientRefusedCertificate, "certificate_unknown"),
            (42, .clientRefusedCertificate, "bad_certificate"), (40, .clientNoCommonParameters, "handshake_failure"),
            (70, .clientNoCommonParameters, "protocol_version"),
        ])
    func alerts(code: UInt8, id: FlowFailure.ID, name: String) {
        let failure = failure { $0.alerts = [Alert(from: .client, level: 2, code: code, epoch: .handshake, ms: 1)] }
        #expect(failure?.id == id)
        #expect(failure?.alert == name)
        #expect(failure?.leg == .client)
        #expect(failure?.text.contains("pay.example.com") == true)
        #expect(failure?.hint != nil)
    }

    @Test("a client that closes after the handshake without asking may pin, and may have had no use for it")
    func closedAfterHandshake() {
        let failure = failure { $0.finishedMS = 3 }
        #expect(failure?.id == .clientClosedAfterHandshake)
        #expect(failure?.text.contains("may pin") == true)
    }

    @Test("a client that breaks off at our certificate without a word has refused it")
    func silentRefusal() {
        let failure = failure { $0.close = Observation.Close(by: .client, how: .rst, ms: 2) }
        #expect(failure?.id == .clientRefusedCertificate)
    }

    @Test(
        "every fault of the origin and of the proxy has an identity, words and a hint",
        arguments: [
            (Observation.Fault.originNameNotFound, FlowFailure.ID.originNameNotFound, FlowFailure.Leg.origin),
            (.originUnreachable, .originUnreachable, .origin), (.originRefused, .originRefused, .origin),
            (.originTimeout, .originTimeout, .origin), (.originCertificate, .originCertificate, .origin),
            (.originHandshake, .originRefused, .origin), (.originClosed, .originClosed, .origin),
            (.originReset, .originReset, .origin), (.proxyForbidden, .proxyForbidden, .proxy),
            (.proxyLoop, .proxyLoop, .proxy), (.proxyLimit, .proxyLimit, .proxy), (.unreadable, .clientNotTLS, .client),
        ])
    func faults(fault: Observation.Fault, id: FlowFailure.ID, leg: FlowFailure.Leg) {
        let failure = failure {
            $0.fault = fault
            $0.error = "the reason"
        }
        #expect(failure?.id == id)
        #expect(failure?.leg == leg)
        #expect(failure?.text.isEmpty == false)
        #expect(failure?.hint?.isEmpty == false)
    }

    @Test("an origin that never ends its handshake has timed out")
    func timeout() {
        let failure = failure {
            $0.upstream = Observation.Upstream()
            $0.close = Observation.Close(by: .proxy, how: .timeout, ms: 60_000)
        }
        #expect(failure?.id == .originTimeout)
    }

    @Test("a connection that carried what it should has no failure")
    func none() {
        let whole = connection {
            $0.finishedMS = 3
            $0.bytesUp = 100
        }
        #expect(FlowFailure(whole, carriedExchange: true) == nil)
        #expect(FlowFailure(whole, carriedExchange: false) == nil)
    }
}
