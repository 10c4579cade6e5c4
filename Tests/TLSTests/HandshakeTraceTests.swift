import Facts
import Testing

@testable import TLS

/// The numbers of <openssl/ssl3.h> and of the TLS registries.
private enum Content {
    static let header: Int32 = 0x100
    static let changeCipherSpec: Int32 = 20
    static let alert: Int32 = 21
    static let handshake: Int32 = 22
}

extension HandshakeTrace {
    fileprivate mutating func saw(
        _ type: Int32, out: Bool = false, _ bytes: [UInt8], version: Int32 = 0x0304, finished: Bool = false
    ) {
        unsafe bytes.withUnsafeBytes {
            unsafe saw(type, outgoing: out, version: version, bytes: $0, finished: finished)
        }
    }

    fileprivate mutating func sentCertificate() { saw(Content.handshake, out: true, [11, 0, 0, 0]) }
}

@Test("in TLS 1.3 the record's type tells whether an alert was encrypted")
func epochs13() {
    var trace = HandshakeTrace()
    trace.saw(Content.header, [21, 3, 3, 0, 2])
    trace.saw(Content.alert, [2, 48])
    trace.saw(Content.header, [23, 3, 3, 0, 19])
    trace.saw(Content.alert, [2, 42])
    trace.saw(Content.alert, [1, 0], finished: true)
    trace.saw(Content.header, out: true, [21, 3, 3, 0, 2])
    trace.saw(Content.alert, out: true, [2, 80])
    trace.saw(Content.header, out: true, [23, 3, 3, 0, 19])
    trace.saw(Content.alert, out: true, [2, 51])
    #expect(trace.alerts.map(\.epoch) == [.plaintext, .handshake, .application, .plaintext, .handshake])
    #expect(trace.alerts.map(\.from) == [.client, .client, .client, .proxy, .proxy])
}

@Test("in TLS 1.2 each side's own ChangeCipherSpec does")
func epochs12() {
    var trace = HandshakeTrace()
    trace.saw(Content.alert, [1, 90], version: 0x0303)
    trace.saw(Content.changeCipherSpec, [1], version: 0x0303)
    trace.saw(Content.alert, [2, 42], version: 0x0303)
    trace.saw(Content.alert, out: true, [2, 20], version: 0x0303)
    trace.saw(Content.changeCipherSpec, out: true, [1], version: 0x0303)
    trace.saw(Content.alert, out: true, [2, 20], version: 0x0303)
    #expect(trace.alerts.map(\.epoch) == [.plaintext, .handshake, .plaintext, .handshake])
}

@Test("records count from our Certificate on, the client's alone, and no more than are kept")
func records() {
    var trace = HandshakeTrace()
    trace.saw(Content.header, [22, 3, 1, 2, 0])
    #expect(trace.records.isEmpty && !trace.flightSent)
    trace.sentCertificate()
    trace.saw(Content.header, out: true, [23, 3, 3, 1, 0])
    for _ in 0..<100 { trace.saw(Content.header, [23, 3, 3, 1, 2]) }
    #expect(trace.flightSent)
    #expect(trace.records == Array(repeating: .init(type: 23, length: 258), count: Observation.recordLimit))
}

@Test(
    "a flight without a certificate ends with ServerHelloDone, or with a resumed session's Finished",
    arguments: [14, 20])
func bareFlight(message: UInt8) {
    var trace = HandshakeTrace()
    trace.saw(Content.handshake, out: true, [2, 0, 0, 0])
    trace.saw(Content.handshake, [20, 0, 0, 0])
    #expect(!trace.flightSent)
    trace.saw(Content.handshake, out: true, [message, 0, 0, 0])
    #expect(trace.flightSent)
}

@Test("a peer that sends alerts without end fills nothing, and odd lengths are no alerts")
func bounded() {
    var trace = HandshakeTrace()
    trace.saw(Content.alert, [2])
    trace.saw(Content.header, [21, 3])
    trace.saw(Content.handshake, out: true, [])
    #expect(trace == HandshakeTrace())
    for _ in 0..<1000 { trace.saw(Content.alert, [1, 90]) }
    #expect(trace.alerts.count == 16)
}
