import Facts
import Testing

@testable import Flows

/// What came over TLS after its handshake, and could not be read: the proxy has ended the connection for it.
struct UnreadableBytesTests {
    private static func close(_ side: Observation.Close.Side, _ reason: String) -> Observation.Close {
        var close = Observation.Close(by: side, how: .aborted, ms: 9)
        close.unreadable = reason
        return close
    }

    /// The flow of an exchange that was cut off so.
    private func cut(_ side: Observation.Close.Side, asked: String, answered: String?) throws -> Flow {
        var recording = Record()
        recording.up(asked)
        if let answered { recording.down(answered) }
        recording.end(Self.close(side, "bad mac"))
        _ = recording.take()
        return try #require(recording.flows.last)
    }

    private func expect(_ failure: FlowFailure?, _ side: Observation.Close.Side, _ end: String?) {
        let isOrigin = side == .origin
        #expect(failure?.id == (isOrigin ? .originRefused : .clientNotTLS))
        #expect(failure?.leg == (isOrigin ? .origin : .client) && failure?.hint != nil)
        guard let end else { return }
        let sender = isOrigin ? "server" : "app"
        #expect(
            failure?.text == "what the \(sender) sent after the TLS handshake cannot be read (bad mac): "
                + "the proxy ended the connection \(end)")
    }

    @Test(
        "an exchange that is cut off says whose bytes they were, and not that anybody left",
        arguments: [
            (Observation.Close.Side.origin, true, "in the middle of its answer"), (.origin, false, "without an answer"),
            (.proxy, true, "before the answer was whole"), (.proxy, false, "before it was answered"),
        ])
    func exchange(side: Observation.Close.Side, isAnswered: Bool, end: String) throws {
        let flow = try cut(
            side, asked: "GET / HTTP/1.1\r\nHost: api.test\r\n\r\n",
            answered: isAnswered ? "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf" : nil)
        #expect(flow.state == .aborted)
        expect(flow.failure, side, end)
        // What is known of the connection says no more than that.
        if let failure = flow.failure { #expect(!failure.says(moreThan: flow)) }
        let other = try cut(side, asked: "\u{1}\u{2}hello", answered: nil)
        #expect(other.kind == .raw && other.state == .aborted)
        expect(other.failure, side, nil)
    }

    @Test(
        "a connection that carried nothing is nobody's leaving either",
        arguments: [Observation.Close.Side.proxy, .origin])
    func connection(side: Observation.Close.Side) {
        var connection = Observation(connection: 1)
        connection.host = HostName("pay.example.com")
        connection.action = .intercepted
        connection.flight = Observation.Flight(ms: 1, delivered: true)
        connection.finishedMS = 3
        connection.fault = side == .origin ? .originHandshake : nil
        connection.alerts = [Alert(from: .proxy, level: 2, code: 10, epoch: .application, ms: 9)]
        connection.close = Self.close(side, "unexpected message")
        let failure = FlowFailure(connection, carriedExchange: false)
        expect(failure, side, nil)
        let sender = side == .origin ? "pay.example.com" : "the app"
        #expect(failure?.text.hasPrefix("what \(sender) sent after the TLS handshake") == true)
        #expect(failure?.text.hasSuffix("cannot be read (unexpected message): the proxy ended the connection") == true)
    }
}
