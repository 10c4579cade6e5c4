import Facts
import Policy

/// How one intercepted connection ended, from its observation alone.
///
/// The rules are in docs/verdicts.md, "What is observed".
/// The order of the questions is the precedence: resumption, data, a renegotiation that we refused, the client's fatal alert, our
/// own giving up, and only then how the client went away.
package enum Classifier {
    /// `Observation.closeLimit` in milliseconds.
    package static let closeLimitMS = Observation.closeLimit * 1000

    package static func outcome(of observation: Observation) -> Outcome {
        let seen = end(of: observation)
        // Nobody knows what the server would have agreed to with this client, so it may have refused that.
        guard observation.isStoodIn, seen != .data, seen != .resumed else { return seen }
        return .early
    }

    private static func end(of observation: Observation) -> Outcome {
        if observation.resumed { return .resumed }
        if observation.bytesUp > 0 { return .data }
        // Under the client's keys, which whoever is in the middle has. Both ends had the connection for over.
        if observation.behindAlert > 0 { return .idle }
        if refusedRenegotiation(observation) { return .idle }
        if let alert = fatalAlert(of: observation) { return outcome(of: alert, in: observation) }
        if saidUnreadableAlert(observation) { return .alert }
        if refusedVersion(observation) { return .negotiation }
        if gaveUpBeforeFlight(observation) { return .negotiation }
        // The client closes after that as well, but only because we had ended it.
        if gaveUpAfterFlight(observation) { return observation.finishedMS == nil ? .negotiation : .idle }
        guard let flight = observation.flight, flight.delivered else { return .early }
        guard observation.finishedMS != nil else { return closedByClient(observation) ? .silent : .early }
        guard closedByClient(observation), let close = observation.close, close.ms - flight.ms <= closeLimitMS,
            !heardTheServerFirst(observation), !mayHaveListened(observation, close), !beganToSend(observation)
        else { return .idle }
        return .post
    }

    /// The client's first fatal alert, as long as nobody else had ended the connection before.
    package static func fatalAlert(of observation: Observation) -> Alert? {
        let version = observation.negotiated?.version
        return observation.alerts.first { alert in
            guard alert.from == .client, isFatal(alert, version) else { return false }
            guard let close = observation.close, close.by != .client else { return true }
            return alert.ms <= close.ms
        }
    }

    private static func outcome(of alert: Alert, in observation: Observation) -> Outcome {
        if AlertClass.negotiation.contains(alert.code), !complainsOfKeyExchange(alert, observation) {
            return .negotiation
        }
        guard let flight = observation.flight, alert.ms >= flight.ms else {
            return alert.code == AlertCode.handshakeFailure.rawValue ? .negotiation : .early
        }
        // A word about certificates cannot be said before ours was read, whatever the kernel has acknowledged.
        guard flight.delivered || AlertClass.certificate.contains(alert.code) else { return .early }
        if observation.finishedMS != nil, alert.ms - flight.ms > closeLimitMS { return .idle }
        return .alert
    }

    /// Where a signature is wrong on purpose, "illegal_parameter" after the flight: in TLS 1.2 Go (1.22 and later) says so of a
    /// ServerKeyExchange whose signature does not verify.
    private static func complainsOfKeyExchange(_ alert: Alert, _ observation: Observation) -> Bool {
        guard alert.code == AlertCode.illegalParameter.rawValue, let flight = observation.flight, alert.ms >= flight.ms,
            observation.finishedMS == nil, let attack = observation.attack
        else { return false }
        return AttackCatalogue.signsHonestly(attack, observation.variant) == false
    }

    /// RFC 8446 §6: in TLS 1.3 the level means nothing. close_notify and user_canceled refuse nothing in any version.
    private static func isFatal(_ alert: Alert, _ version: TLSVersion?) -> Bool {
        if alert.isFatal { return true }
        return version == .tls13 && alert.code != AlertCode.closeNotify.rawValue
            && alert.code != AlertCode.userCanceled.rawValue
    }

    /// Where a signature is wrong on purpose, in place of the Finished a record of an alert's length that we cannot decrypt,
    /// and nothing more (RFC 8446 §5.2: two bytes of alert, one of type, sixteen of tag).
    ///
    /// Erlang says so that the handshake's signature was wrong: it has gone on to other keys by then. In TLS 1.3 no
    /// other message of a client's handshake is as short. Under an honest signature it would be a fault of ours.
    private static func saidUnreadableAlert(_ observation: Observation) -> Bool {
        guard observation.finishedMS == nil, let flight = observation.flight, flight.delivered,
            let attack = observation.attack,
            AttackCatalogue.signsHonestly(attack, observation.variant) == false,
            observation.records.count < Observation.recordLimit,
            observation.records.last == Observation.Record(type: 23, length: 19)
        else { return false }
        return observation.alerts.contains {
            $0.from == .proxy && $0.code == AlertCode.badRecordMAC.rawValue && $0.ms >= flight.ms
        }
    }

    /// Where an old version is all there is: an alert in the clear, in a record of another version than that, which our library
    /// does not read. So says Node.js with a `maxVersion` that it does not speak this one; whoever speaks it says so in its records.
    private static func refusedVersion(_ observation: Observation) -> Bool {
        guard observation.finishedMS == nil, let attack = observation.attack,
            case .only = AttackCatalogue.form(attack, observation.variant)?.conduct.offer
        else { return false }
        return observation.records == [Observation.Record(type: 21, length: 2)]
            && !observation.alerts.contains { $0.from == .client }
    }

    /// We found no parameters to share. An origin that failed is a fault of the environment, not of the client's offer.
    private static func gaveUpBeforeFlight(_ observation: Observation) -> Bool {
        if let upstream = observation.upstream, upstream.error != nil || !upstream.verified { return false }
        return observation.alerts.contains { alert in
            alert.from == .proxy && alert.level == 2 && observation.flight.map { alert.ms < $0.ms } ?? true
                && (AlertClass.negotiation.contains(alert.code) || alert.code == AlertCode.handshakeFailure.rawValue)
        }
    }

    /// We could not use what the client sent after our flight: a fault between the two of us, and no answer to the
    /// chain, whoever closed first (early data beyond our limit, a renegotiation, a broken record).
    private static func gaveUpAfterFlight(_ observation: Observation) -> Bool {
        guard let flight = observation.flight else { return false }
        return observation.alerts.contains { $0.from == .proxy && $0.level == 2 && $0.ms >= flight.ms }
    }

    /// The client had finished, and wanted to begin again (RFC 5246 §7.4.1.1), which we refuse: how it ends after that is its
    /// answer to us, and not to the chain.
    private static func refusedRenegotiation(_ observation: Observation) -> Bool {
        let refusal = observation.alerts.first { $0.from == .proxy && $0.code == AlertCode.noRenegotiation.rawValue }
        guard let refusal else { return false }
        return !observation.alerts.contains {
            $0.from == .client && isFatal($0, observation.negotiated?.version) && $0.ms < refusal.ms
        }
    }

    private static func closedByClient(_ observation: Observation) -> Bool {
        guard let close = observation.close, close.by == .client else { return false }
        return close.how == .closeNotify || close.how == .fin || close.how == .rst
    }

    /// A record of application data was begun behind the Finished, and the connection ended before the whole of it had come.
    ///
    /// Whoever holds the keys can read what has come of it: the client has sent something before it refused, or did not
    /// refuse at all. A record over 40 bytes is neither an alert nor a KeyUpdate. In TLS 1.3 the Finished is such a record
    /// itself; where the client was asked for a certificate, others may go before it.
    private static func beganToSend(_ observation: Observation) -> Bool {
        guard observation.close?.how != .closeNotify, let last = observation.records.last else { return false }
        // What came behind the first ones was not kept: empty records may stand before the one that counts.
        guard observation.records.count < Observation.recordLimit else { return true }
        guard last.isLong else { return false }
        guard observation.negotiated?.version == .tls13 else { return true }
        guard observation.records.count(where: \.isLong) > 1 else { return false }
        guard observation.upstream?.asksForCertificate == true else { return true }
        let lengths = finishedLengths(observation.negotiated?.cipher)
        // Behind its Finished whatever comes is data, of whichever length.
        return !lengths.contains(last.length) || observation.records.dropLast().contains { lengths.contains($0.length) }
    }

    /// Of a Finished by itself (RFC 8446 §4.4.4): header, MAC, type and tag, and the 16 bytes that JSSE adds to a record.
    private static func finishedLengths(_ cipher: String?) -> [Int] {
        guard let cipher else { return [4 + 32 + 1 + 16, 4 + 48 + 1 + 16] }
        let lone = 4 + (cipher.hasSuffix("SHA384") ? 48 : 32) + 1 + (cipher.contains("CCM_8") ? 8 : 16)
        return [lone, lone + 16]
    }

    /// Where the origin wants a certificate of the client it may have ended, and nothing of what it would have said has come:
    /// a client that leaves after a while may only have waited for a greeting. One that refuses does so at once.
    private static func mayHaveListened(_ observation: Observation, _ close: Observation.Close) -> Bool {
        guard observation.upstream?.asksForCertificate == true, observation.bytesDown == 0,
            // In HTTP it is the client that speaks first.
            !["h2", "http/1.1"].contains(observation.negotiated?.alpn)
        else { return false }
        return close.ms - (observation.finishedMS ?? 0) > promptMS
    }

    /// Time to check a pin after the handshake, on a busy machine too; whoever waits for a server to speak waits longer.
    private static let promptMS = 1000.0

    /// A client that was greeted and left without a word may only have listened: server-first protocols. In
    /// HTTP/2 every server speaks first, and says nothing by it.
    private static func heardTheServerFirst(_ observation: Observation) -> Bool {
        observation.bytesDown > 0 && observation.negotiated?.alpn != "h2"
    }
}

/// What kinds of alerts there are, as far as a verdict depends on it.
package enum AlertClass {
    /// We offered what the client cannot use: a fault of the environment, at any time.
    static let negotiation: Set<UInt8> = [47, 50, 70, 71, 86, 109, 112, 120]
    /// Only said about a certificate that was read.
    static let certificate: Set<UInt8> = [41, 42, 43, 44, 45, 46, 48, 49]
    /// The client could not read us, or found our signature wrong: no stack says so of a chain it will not trust.
    package static let unreadable: Set<UInt8> = [10, 20, 21, 22, 30, 51, 110]
    /// What stacks say when the chain was fine and the signature over the handshake was not (docs/verdicts.md, "The wrong-key
    /// probe").
    package static let signature: Set<UInt8> = [10, 40, 47, 51]
}
