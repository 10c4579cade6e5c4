import Facts
import Testing
import Wire

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

    @Test("where a clock can be what an alert is about, it is named", arguments: [(42, true), (45, true), (46, false)])
    func clocks(code: UInt8, isNamed: Bool) {
        let failure = failure { $0.alerts = [Alert(from: .client, level: 2, code: code, epoch: .handshake, ms: 1)] }
        #expect(failure?.text.contains("its clock may be wrong") == isNamed)
        #expect(failure?.hint?.contains("date is right") == isNamed)
    }

    @Test(
        "what we cannot read of a client is told from what does not suit us",
        arguments: [
            (20, FlowFailure.ID.clientNotTLS, "cannot be read (bad_record_mac)"), (50, .clientNotTLS, "(decode_error)"),
            (10, .clientNotTLS, "(unexpected_message)"),
            (40, .clientNoCommonParameters, "no common TLS parameters"),
            (70, .clientNoCommonParameters, "(protocol_version)"),
        ])
    func ownAlerts(code: UInt8, id: FlowFailure.ID, words: String) {
        let failure = failure {
            $0.alerts = [Alert(from: .proxy, level: 2, code: code, epoch: .handshake, ms: 1)]
            $0.error = "client: some reason"
        }
        #expect(failure?.id == id && failure?.leg == .client)
        #expect(failure?.text.contains(words) == true && failure?.text.hasSuffix(": some reason") == true)
        #expect(failure?.hint?.isEmpty == false)
    }

    @Test("a client that closes after the handshake without asking may pin, and may have had no use for it")
    func closedAfterHandshake() {
        let failure = failure { $0.finishedMS = 3 }
        #expect(failure?.id == .clientClosedAfterHandshake)
        #expect(failure?.text.contains("may pin") == true)
    }

    @Test(
        "a server that ends a connection nobody has used yet has ended it, whatever the app's library says to that",
        arguments: [Observation.Close.Kind.fin, .rst, .closeNotify])
    func serverEndedFirst(how: Observation.Close.Kind) {
        for code: UInt8? in [nil, 50, 80] {
            for bytes in [0, 24] {
                let failure = failure {
                    $0.finishedMS = 3
                    $0.bytesUp = bytes
                    $0.prefaceOnly = bytes > 0
                    $0.close = Observation.Close(by: .origin, how: how, ms: 500)
                    if let code {
                        $0.alerts = [Alert(from: .client, level: 2, code: code, epoch: .application, ms: 501)]
                    }
                }
                #expect(failure?.id == (how == .rst ? .originReset : .originClosed) && failure?.leg == .origin)
                #expect(failure?.text.contains("asked nothing yet") == true && failure?.alert == nil)
            }
        }
    }

    @Test(
        "a connection that carried something is none that came to nothing, whoever ended it and whatever was said then")
    func serverEndedUsed() {
        for code: UInt8? in [nil, 50] {
            for (up, down) in [(400, 5000), (400, 0), (0, 30)] {
                let failure = failure {
                    $0.finishedMS = 3
                    ($0.bytesUp, $0.bytesDown) = (up, down)
                    $0.close = Observation.Close(by: .origin, how: .fin, ms: 500)
                    if let code {
                        $0.alerts = [Alert(from: .client, level: 2, code: code, epoch: .application, ms: 501)]
                    }
                }
                #expect(failure == nil)
            }
        }
    }

    @Test("what an app has against the certificate is told, though the server ended the connection as well")
    func refusedBeside() {
        for (code, ms) in [(UInt8(50), 499.0), (42, 501)] {
            let failure = failure {
                $0.finishedMS = 3
                $0.close = Observation.Close(by: .origin, how: .fin, ms: 500)
                $0.alerts = [Alert(from: .client, level: 2, code: code, epoch: .application, ms: ms)]
            }
            #expect(failure?.id == .clientRefusedCertificate)
        }
        let unfinished = failure {
            $0.close = Observation.Close(by: .origin, how: .fin, ms: 500)
            $0.alerts = [Alert(from: .client, level: 2, code: 50, epoch: .handshake, ms: 501)]
        }
        #expect(unfinished?.id == .clientRefusedCertificate)
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

    @Test("an origin that ends because its client has is not the one that ended it")
    func clientEndedFirst() {
        for (side, id) in [(Observation.Close.Side.client, FlowFailure.ID.clientGone), (.origin, .originClosed)] {
            var connection = Observation(connection: 1)
            connection.fault = .originClosed
            connection.close = Observation.Close(by: side, how: .fin, ms: 1)
            #expect(FlowFailure(connection, carriedExchange: true)?.id == id)
            #expect(FlowFailure(connection, carriedExchange: false)?.id == .originClosed)
            connection.error = Observation.overrun
            #expect(FlowFailure(connection, carriedExchange: false)?.text.contains("said more than its answer") == true)
        }
    }

    @Test(
        "an origin's alert is named, and what it may be about said",
        arguments: [
            ("sslv3 alert handshake failure", "handshake_failure"),
            ("tlsv1 alert protocol version", "protocol_version"),
            ("tlsv13 alert certificate required", "certificate_required"), ("no such thing", nil),
            ("a alert b", nil), (" alert ", nil),
        ] as [(String, String?)])
    func originAlert(words: String, alert: String?) {
        let failure = failure {
            $0.fault = .originHandshake
            $0.upstream = Observation.Upstream(error: words)
        }
        #expect(failure?.alert == alert)
        #expect(failure?.text == "pay.example.com refused the TLS handshake: \(alert ?? words)")
        #expect(failure?.hint?.contains("client_certificates") == (alert == "certificate_required"))
    }

    @Test("an origin that speaks no TLS has refused nothing, and neither has one that breaks off behind the handshake")
    func originWithoutTLS() {
        let plain = failure {
            $0.fault = .originHandshake
            $0.upstream = Observation.Upstream(error: "wrong version number")
        }
        #expect(plain?.text.contains("does not speak TLS") == true && plain?.hint?.contains("http://") == true)
        let later = failure {
            $0.fault = .originHandshake
            $0.upstream = Observation.Upstream(
                negotiated: Negotiated(version: .tls13, cipher: "TLS_AES_128_GCM_SHA256", alpn: nil),
                error: "origin: unexpected message")
        }
        #expect(later?.text.contains("after the TLS handshake") == true && later?.text.contains("refused") == false)
        #expect(later?.hint?.contains("cipher") == false)
    }

    @Test(
        "the hint for an origin's certificate is about what is wrong with it",
        arguments: [
            ("hostname mismatch", "a name that is in the certificate"), ("certificate has expired", "renew"),
            ("certificate has expired", "this machine's clock"),
            ("certificate is not yet valid", "this machine's clock"),
            ("unable to get local issuer certificate", "upstream.roots"),
            ("self-signed certificate", "upstream.roots"),
        ])
    func originCertificate(reason: String, hint: String) {
        let failure = failure {
            $0.fault = .originCertificate
            $0.upstream = Observation.Upstream(error: "its certificate does not verify: \(reason)")
        }
        #expect(failure?.text == "the certificate of pay.example.com was not accepted: \(reason)")
        #expect(failure?.hint?.contains(hint) == true)
    }

    @Test(
        "where the upstream proxy fails, it is told, and not the origin",
        arguments: [
            (
                Observation.Fault.originRefused, "upstream proxy: connection refused (10.0.0.1:3128)",
                "the upstream proxy 10.0.0.1:3128 cannot be used: connection refused; pay.example.com:443 was not called",
                "is the upstream proxy running"
            ),
            (
                .originNameNotFound, "upstream proxy: cannot resolve squid.test: no such name",
                "the upstream proxy 10.0.0.1:3128 cannot be used: cannot resolve squid.test: no such name; "
                    + "pay.example.com:443 was not called", "--upstream-proxy"
            ),
            (
                .originTimeout, "upstream proxy, when it was asked: no answer within 10 s (10.0.0.1:3128)",
                "the upstream proxy 10.0.0.1:3128 was asked for pay.example.com:443: no answer within 10 s",
                "out of its reach"
            ),
            (
                .originUnreachable, "upstream proxy answered \"HTTP/1.1 407 Who are you\"",
                "the upstream proxy 10.0.0.1:3128 does not connect to pay.example.com:443: it answered "
                    + "\"HTTP/1.1 407 Who are you\"", "name user and password"
            ),
            (
                .originUnreachable, "upstream proxy answered \"HTTP/1.0 403\"",
                "the upstream proxy 10.0.0.1:3128 does not connect to pay.example.com:443: it answered "
                    + "\"HTTP/1.0 403\"", "to allow this host"
            ),
        ])
    func upstreamProxy(fault: Observation.Fault, words: String, text: String, hint: String) {
        func told(_ change: (inout Observation) -> Void) -> FlowFailure? {
            self.failure {
                $0.action = .none
                $0.target = HostName("pay.example.com").map { Endpoint($0, 443) }
                $0.upstreamProxy = Endpoint("10.0.0.1:3128")
                $0.fault = fault
                $0.upstream = Observation.Upstream(error: words)
                change(&$0)
            }
        }
        let failure = told { _ in }
        #expect(failure?.id == .originUnreachable && failure?.leg == .origin)
        #expect(failure?.text == text)
        #expect(failure?.hint?.contains(hint) == true, "\(failure?.hint ?? "none")")
        // Behind a proxy that has connected, what fails is the origin.
        #expect(told { $0.isDialed = true }?.text.contains("the upstream proxy 10") == false)
    }

    @Test("an app that leaves while its origin is called, or leaves its tunnel unused, is told from one that refuses")
    func left() {
        func told(_ change: (inout Observation) -> Void) -> FlowFailure? {
            failure {
                $0.action = .none
                $0.flight = nil
                $0.via = .connect
                $0.target = HostName("pay.example.com").map { Endpoint($0, 443) }
                $0.close = Observation.Close(by: .client, how: .fin, ms: 5000)
                change(&$0)
            }
        }
        #expect(told { _ in }?.id == .clientGone)
        #expect(told { _ in }?.text == "the app left while the proxy was connecting to pay.example.com:443")
        #expect(
            told { $0.isDialed = true }?.text == "the app opened a tunnel to pay.example.com:443 and closed it unused")
        let held = told {
            $0.isDialed = true
            $0.close = Observation.Close(by: .proxy, how: .timeout, ms: 60_000)
        }
        #expect(held?.id == .proxyLimit)
        #expect(told { $0.target = nil } == nil)
    }

    @Test("a proxy that finds nothing in common with a client says so, and with which alert")
    func nothingInCommon() {
        let failure = failure {
            $0.flight = nil
            $0.error = "client: no suitable signature algorithm"
            $0.alerts = [Alert(from: .proxy, level: 2, code: 40, epoch: .plaintext, ms: 1)]
            $0.close = Observation.Close(by: .proxy, how: .aborted, ms: 2)
        }
        #expect(failure?.id == .clientNoCommonParameters && failure?.alert == "handshake_failure")
        #expect(failure?.text.hasSuffix("(handshake_failure): no suitable signature algorithm") == true)
    }

    @Test(
        "what the proxy does not do has a hint for its own reason",
        arguments: [
            (
                Observation.Via.unknown, "request: this is a proxy: it wants CONNECT or an absolute http:// URL",
                "proxy settings"
            ),
            (.unknown, "refused: it comes from a public address, and the proxy was not started with --open", "--open"),
            (.tls, "neither CONNECT nor SNI: nowhere to connect to", "SNI"),
        ])
    func forbidden(via: Observation.Via, error: String, hint: String) {
        let failure = failure {
            $0.action = .none
            $0.via = via
            $0.fault = .proxyForbidden
            $0.error = error
        }
        #expect(failure?.id == .proxyForbidden && failure?.hint?.contains(hint) == true)
    }

    @Test("a request that is too long meets a limit, and its hint is about its length")
    func tooLong() {
        let failure = failure {
            $0.action = .none
            $0.fault = .proxyForbidden
            $0.error = "request: " + WireError.requestLineTooLong(limit: 32_768).description
        }
        #expect(failure?.id == .proxyLimit && failure?.leg == .proxy)
        #expect(failure?.text == "the proxy does not send this request on: the request line is over 32768 bytes")
        #expect(failure?.hint?.contains("so long") == true)
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

    @Test("a loop of upstream proxies is told as that")
    func loop() throws {
        var connection = Observation(connection: 1)
        connection.target = Endpoint("api.test:443")
        connection.upstreamProxy = Endpoint("127.0.0.1:8081")
        connection.fault = .proxyLoop
        connection.error = "leads back to the proxy: the upstream proxy leads back to this one"
        let failure = try #require(FlowFailure(connection, carriedExchange: false))
        #expect(failure.id == .proxyLoop)
        #expect(failure.text == "api.test:443: the upstream proxy 127.0.0.1:8081 leads back to this one")
        #expect(failure.hint?.contains("--upstream-proxy") == true)
    }
}
