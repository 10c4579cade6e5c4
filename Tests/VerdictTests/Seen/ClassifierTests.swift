import Facts
import Policy
import Testing

@testable import Verdict

private func outcome(_ act: Act, _ change: (inout Observation) -> Void = { _ in }) -> Outcome {
    var seen = Script.intercepted("api.test", .trustedCA, act)
    change(&seen)
    return Classifier.outcome(of: seen)
}

@Test("each plain ending has its outcome")
func plainEndings() {
    #expect(outcome(.request(1)) == .data)
    #expect(outcome(.preface) == .data)
    #expect(outcome(.alert(42)) == .alert)
    #expect(outcome(.lateAlert(46)) == .alert)
    for how in [Observation.Close.Kind.fin, .rst, .closeNotify] {
        #expect(outcome(.silent(how)) == .silent)
        #expect(outcome(.post(how)) == .post)
    }
    #expect(outcome(.idle) == .idle)
    #expect(outcome(.early) == .early)
    #expect(outcome(.resumed(0)) == .resumed)
    #expect(outcome(.resumed(50)) == .resumed)
    #expect(outcome(.noOrigin("refused")) == .early)
}

@Test("where an origin is stood in for, data tells, and a refusal does not")
func stoodIn() {
    for act in [Act.alert(42), .alert(120), .silent(), .post(), .early, .idle] {
        #expect(outcome(act) { $0.isStoodIn = true } == .early)
    }
    #expect(outcome(.request(1)) { $0.isStoodIn = true } == .data)
    #expect(outcome(.resumed(50)) { $0.isStoodIn = true } == .resumed)
}

@Test("one byte outvotes any alert")
func dataOutvotes() {
    #expect(outcome(.alert(42)) { $0.bytesUp = 1 } == .data)
    #expect(outcome(.negotiation(70)) { $0.bytesUp = 1 } == .data)
}

@Test("more than alerts behind the client's own alert or close_notify is no refusal, as nobody has read what it says")
func dataBehindAlert() {
    let goodbye = Alert(from: .client, level: 1, code: 0, epoch: .application, ms: 21)
    for act: Act in [.alert(42), .lateAlert(46)] {
        #expect(outcome(act) == .alert && outcome(act) { $0.behindAlert = 35 } == .idle)
    }
    #expect(outcome(.post(.closeNotify)) { $0.alerts.append(goodbye) } == .post)
    #expect(
        outcome(.post(.closeNotify)) {
            $0.alerts.append(goodbye)
            $0.behindAlert = 118
        } == .idle)
}

@Test("how a client ends once we have refused to renegotiate is no refusal", arguments: [UInt8(10), 40, 46])
func refusedRenegotiation(alert: UInt8) {
    func refusal(_ ms: Double) -> Alert { Alert(from: .proxy, level: 1, code: 100, epoch: .application, ms: ms) }
    for act: Act in [.lateAlert(alert), .post(.fin), .post(.rst), .post(.closeNotify)] {
        #expect(outcome(act) { $0.alerts.insert(refusal(0), at: 0) } == .idle)
    }
    // It was said before.
    #expect(outcome(.lateAlert(alert)) { $0.alerts.append(refusal(9000)) } == .alert)
    #expect(outcome(.request(10)) { $0.alerts.insert(refusal(0), at: 0) } == .data)
}

@Test("close_notify and user_canceled refuse nothing, in any version and at any level")
func politeAlerts() {
    #expect(outcome(.post(says90: true)) == .post)
    for level in [UInt8(1), 2] {
        for code in [UInt8(0), 90] {
            #expect(
                outcome(.idle) {
                    $0.alerts = [Alert(from: .client, level: level, code: code, epoch: .application, ms: 22)]
                }
                    == .idle)
        }
    }
}

@Test("the level of an alert means nothing in TLS 1.3, and everything in 1.2")
func alertLevels() {
    func warning(_ version: TLSVersion) -> Outcome {
        outcome(.silent()) {
            $0.negotiated?.version = version
            $0.alerts = [Alert(from: .client, level: 1, code: 42, epoch: .handshake, ms: 20)]
        }
    }
    #expect(warning(.tls13) == .alert)
    #expect(warning(.tls12) == .silent)
}

@Test(
    "negotiation alerts are never refusals, handshake_failure is one only after our flight",
    arguments: [
        (UInt8(47), true), (50, true), (70, true), (71, true), (86, true), (109, true), (112, true), (120, true),
    ])
func negotiationAlerts(code: UInt8, atAnyTime: Bool) {
    #expect(outcome(.negotiation(code)) == .negotiation)
    #expect(outcome(.alert(code)) == .negotiation)
    #expect(outcome(.lateAlert(code)) == .negotiation)
}

@Test("handshake_failure before our certificate is a negotiation, after it a refusal")
func handshakeFailure() {
    #expect(outcome(.negotiation(40)) == .negotiation)
    #expect(outcome(.alert(40)) == .alert)
}

@Test("illegal_parameter after our flight is a word about a signature that is wrong on purpose, and about no other")
func illegalParameter() {
    func outcome(_ attack: AttackID, _ variant: String? = nil, _ act: Act = .alert(47)) -> Outcome {
        Classifier.outcome(of: Script.intercepted("api.test", attack, variant: variant, act))
    }
    #expect(outcome("wrong-key") == .alert)
    #expect(outcome("wrong-key", "tls-1.2") == .alert)
    #expect(outcome("other-host", "same-ca") == .alert)
    for honest in [AttackID.trustedCA, .untrustedCA, "other-host", "cloned-identity", "lent-key", "not-known"] {
        #expect(outcome(honest) == .negotiation)
    }
    #expect(outcome("wrong-key", nil, .negotiation(47)) == .negotiation)
    #expect(outcome("wrong-key", nil, .lateAlert(47)) == .negotiation)
    for code in [UInt8(50), 70, 71, 86, 109, 112, 120] {
        #expect(outcome("wrong-key", nil, .alert(code)) == .negotiation)
    }
    // Data there is a witness, whatever is said beside it.
    var seen = Script.intercepted("api.test", "wrong-key", .alert(47))
    seen.bytesUp = 1
    #expect(Classifier.outcome(of: seen) == .data)
    // What was not delivered was not read.
    seen.bytesUp = 0
    seen.flight?.delivered = false
    #expect(Classifier.outcome(of: seen) == .early)
}

@Test("what the client says before our flight is no answer to it")
func alertBeforeFlight() {
    #expect(outcome(.alert(80)) { $0.flight = nil } == .early)
    #expect(outcome(.alert(46)) { $0.flight?.ms = 25 } == .early)
}

@Test("a flight that was not acknowledged was not refused, but a word about its certificate shows it was read")
func undelivered() {
    for act in [Act.silent(), .silent(.rst), .post()] {
        #expect(outcome(act) { $0.flight?.delivered = false } == .early)
    }
    #expect(outcome(.alert(80)) { $0.flight?.delivered = false } == .early)
    #expect(outcome(.alert(46)) { $0.flight?.delivered = false } == .alert)
}

@Test("our own alert before the flight is a negotiation, unless the origin failed")
func ourOwnAlert() {
    let ours = { (seen: inout Observation) in
        seen.flight = nil
        seen.alerts = [Alert(from: .proxy, level: 2, code: 70, epoch: .plaintext, ms: 3)]
    }
    #expect(outcome(.silent(), ours) == .negotiation)
    #expect(
        outcome(.silent()) {
            ours(&$0)
            $0.upstream = .init(error: "connection refused")
        } == .early)
    #expect(
        outcome(.silent()) {
            ours(&$0)
            $0.upstream?.verified = false
        } == .early)
    #expect(
        outcome(.silent()) {
            ours(&$0)
            $0.alerts[0].code = 80
        } == .early)
}

@Test(
    "only the client can refuse: what others closed is early before Finished, and idle after it",
    arguments: [
        Observation.Close.Side.origin, .proxy, .gate,
    ])
func closedByOthers(side: Observation.Close.Side) {
    #expect(outcome(.silent()) { $0.close?.by = side } == .early)
    #expect(outcome(.post()) { $0.close?.by = side } == .idle)
    #expect(outcome(.alert(42)) { $0.close?.by = side } == .alert)
    // Its alert came after somebody else had ended the connection.
    #expect(outcome(.lateAlert(80)) { $0.close = .init(by: side, how: .fin, ms: 20) } == .idle)
}

@Test("an observation that never ended shows nothing but what was said in it")
func neverEnded() {
    #expect(outcome(.silent()) { $0.close = nil } == .early)
    #expect(outcome(.post()) { $0.close = nil } == .idle)
    #expect(outcome(.alert(42)) { $0.close = nil } == .alert)
    #expect(outcome(.silent()) { $0.close?.how = .timeout } == .early)
    #expect(outcome(.post()) { $0.close?.how = .aborted } == .idle)
}

@Test("ten seconds after our flight a close is no refusal any more")
func closeLimit() {
    #expect(outcome(.post()) { $0.close?.ms = 10_010 } == .post)
    #expect(outcome(.post()) { $0.close?.ms = 10_011 } == .idle)
    #expect(
        outcome(.lateAlert(80)) {
            $0.alerts[0].ms = 12_000
            $0.close?.ms = 12_001
        } == .idle)
    // In the handshake there is nothing to be used: s2n waits half a minute before it hangs up.
    #expect(outcome(.silent()) { $0.close?.ms = 30_000 } == .silent)
}

@Test("a client that was greeted and left may only have listened; in HTTP/2 every server greets")
func serverFirst() {
    #expect(outcome(.post()) { $0.bytesDown = 40 } == .idle)
    #expect(
        outcome(.post()) {
            $0.bytesDown = 40
            $0.negotiated?.alpn = "h2"
        } == .post)
}

@Test("a CONNECT and nothing is early")
func connectAndNothing() {
    var seen = Observation(via: .connect)
    seen.host = "api.test"
    #expect(Classifier.outcome(of: seen) == .early)
}

@Test("a cut-off alert code is counted by what it says, even when it says nothing known")
func unknownAlert() {
    #expect(outcome(.alert(255)) == .alert)
}

/// In place of the Finished a record that did not decrypt, as Erlang sends it in TLS 1.3.
private func unreadable(_ attack: AttackID, _ variant: String? = nil, length: Int = 19) -> Observation {
    var seen = Script.intercepted("api.test", attack, variant: variant, .silent())
    seen.records = [.init(type: 20, length: 1), .init(type: 23, length: length)]
    seen.alerts = [Alert(from: .proxy, level: 2, code: 20, epoch: .handshake, ms: 20)]
    seen.close = .init(by: .proxy, how: .aborted, ms: 20)
    return seen
}

@Test("an alert that only the client could read is a refusal where a signature was wrong on purpose, and only there")
func unreadableAlert() {
    #expect(Classifier.outcome(of: unreadable("wrong-key")) == .alert)
    #expect(Classifier.outcome(of: unreadable("wrong-key", "tls-1.2")) == .alert)
    #expect(Classifier.outcome(of: unreadable("other-host", "same-ca")) == .alert)
    #expect(Classifier.outcome(of: unreadable("bad-signature", "corrupted")) == .alert)
    for honest in [AttackID.trustedCA, .untrustedCA, "other-host", "cloned-identity", "lent-key", "not-known"] {
        #expect(Classifier.outcome(of: unreadable(honest)) == .negotiation)
    }
    // Another length is no alert's; JSSE's, which are longer, can be read.
    for length in [17, 18, 20, 35, 53] {
        #expect(Classifier.outcome(of: unreadable("wrong-key", length: length)) == .negotiation)
    }
    let changes: [(inout Observation) -> Void] = [
        { $0.alerts[0].code = 10 }, { $0.alerts = [] }, { $0.flight?.delivered = false }, { $0.finishedMS = 15 },
        { $0.records.append(.init(type: 23, length: 40)) }, { $0.flight?.ms = 25 },
        { $0.records = Array(repeating: .init(type: 23, length: 19), count: Observation.recordLimit) },
    ]
    for change in changes {
        var seen = unreadable("wrong-key")
        change(&seen)
        #expect(Classifier.outcome(of: seen) != .alert)
    }
}

@Test("a client that closes because we could not go on has not refused anything")
func proxyGaveUp() {
    let gaveUp = { (seen: inout Observation) in
        seen.alerts = [Alert(from: .proxy, level: 2, code: 20, epoch: .application, ms: 20)]
    }
    #expect(outcome(.post(), gaveUp) == .idle)
    #expect(outcome(.silent(), gaveUp) == .negotiation)
    // What the client said itself counts, and so does what it sent before.
    #expect(
        outcome(.alert(42), { $0.alerts.append(Alert(from: .proxy, level: 2, code: 10, epoch: .handshake, ms: 22)) })
            == .alert)
    #expect(outcome(.request(5), gaveUp) == .data)
}

@Test("an alert that only another version reads says that an old one is not spoken")
func refusedVersion() {
    func seen(_ attack: AttackID, _ variant: String?) -> Observation {
        var seen = Script.intercepted("api.test", attack, variant: variant, .silent())
        seen.records = [.init(type: 21, length: 2)]
        seen.close = .init(by: .proxy, how: .aborted, ms: 30)
        return seen
    }
    #expect(Classifier.outcome(of: seen("wrong-key", "tls-1.1")) == .negotiation)
    #expect(Classifier.outcome(of: seen("old-tls", "tls-1.0")) == .negotiation)
    // Where a version that the client took is spoken, it is not read, and no answer.
    #expect(Classifier.outcome(of: seen("wrong-key", nil)) == .early)
    var understood = seen("wrong-key", "tls-1.1")
    understood.alerts = [Alert(from: .client, level: 2, code: 51, epoch: .plaintext, ms: 25)]
    #expect(Classifier.outcome(of: understood) == .alert)
}

@Test("where the origin wants a certificate, one that leaves after a while may have waited for the server to speak")
func waitingForGreeting() {
    for (ms, asks, down, expected) in [
        (20.0, true, 0, Outcome.post), (900, true, 0, .post), (1_500, true, 0, .idle), (1_500, false, 0, .post),
    ] {
        let found = outcome(.post(.fin)) {
            $0.upstream?.asksForCertificate = asks
            $0.bytesDown = down
            $0.close?.ms = ($0.finishedMS ?? 0) + ms
            $0.negotiated?.alpn = nil
        }
        #expect(found == expected, "\(ms) \(asks)")
    }
    // In HTTP nobody waits for the server to speak.
    for alpn in ["h2", "http/1.1"] {
        let found = outcome(.post(.fin)) {
            $0.upstream?.asksForCertificate = true
            $0.close?.ms = ($0.finishedMS ?? 0) + 1_500
            $0.negotiated?.alpn = alpn
        }
        #expect(found == .post)
    }
}

@Test("a record of data that was begun behind the Finished is no refusal, however the connection ended")
func begunRecord() {
    func records(_ lengths: Int...) -> (inout Observation) -> Void {
        { $0.records = [.init(type: 20, length: 1)] + lengths.map { .init(type: 23, length: $0) } }
    }
    for how in [Observation.Close.Kind.rst, .fin] {
        for finished in [53, 69] {
            #expect(outcome(.post(how), records(finished)) == .post)
            #expect(outcome(.post(how), records(finished, 19)) == .post)
            #expect(outcome(.post(how), records(finished, 16_085)) == .idle)
            #expect(outcome(.post(how), records(finished, 41)) == .idle)
        }
        // With a certificate before it, in records of their own or in one.
        #expect(
            outcome(.post(how)) {
                records(25, 900, 98, 53)(&$0)
                $0.upstream?.asksForCertificate = true
            } == .post)
        #expect(
            outcome(.post(how)) {
                records(1100)(&$0)
                $0.upstream?.asksForCertificate = true
            } == .post)
        #expect(
            outcome(.post(how)) {
                records(900, 98, 53, 2000)(&$0)
                $0.upstream?.asksForCertificate = true
            } == .idle)
        // JSSE adds 16 bytes to each, and SHA-384 has longer ones; behind one of them whatever comes is data.
        for (cipher, lengths, expected) in [
            ("TLS_AES_256_GCM_SHA384", [41, 85], .post), ("TLS_AES_256_GCM_SHA384", [900, 98, 69], .post),
            ("TLS_AES_256_GCM_SHA384", [41, 53], .idle), ("TLS_AES_256_GCM_SHA384", [41, 69, 85], .idle),
            ("TLS_AES_128_GCM_SHA256", [41, 69], .post), ("TLS_AES_128_GCM_SHA256", [41, 85], .idle),
            ("TLS_AES_128_GCM_SHA256", [900, 53, 69], .idle), ("TLS_AES_128_CCM_8_SHA256", [900, 45], .post),
        ] as [(String, [Int], Outcome)] {
            let found = outcome(.post(how)) {
                $0.records = lengths.map { Observation.Record(type: 23, length: $0) }
                $0.negotiated?.cipher = cipher
                $0.upstream?.asksForCertificate = true
            }
            #expect(found == expected, "\(cipher) \(lengths)")
        }
        // TLS 1.2 has another type for its handshake.
        #expect(
            outcome(.post(how)) {
                $0.negotiated?.version = .tls12
                $0.records = [.init(type: 22, length: 70), .init(type: 20, length: 1), .init(type: 22, length: 40)]
            } == .post)
        #expect(
            outcome(.post(how)) {
                $0.negotiated?.version = .tls12
                $0.records = [.init(type: 22, length: 40), .init(type: 23, length: 16_384)]
            } == .idle)
    }
    // Empty records fill what is kept, and the one that counts comes behind them.
    let full = [53] + Array(repeating: 17, count: Observation.recordLimit - 2)
    #expect(
        outcome(.post(.rst)) {
            $0.records = [.init(type: 20, length: 1)] + full.map { .init(type: 23, length: $0) }
        } == .idle)
    // Whoever says goodbye has sent all that was begun before it.
    #expect(outcome(.post(.closeNotify), records(69, 100)) == .post)
}
