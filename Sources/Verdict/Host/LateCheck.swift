import Facts
import Policy

/// Whether data under `trusted-ca` came from a client that checks its pin too late.
///
/// It decides between two words for the same failure, `leak` and `plain`, and nothing else: a byte that left is a
/// witness whatever came after it.
struct LateCheck {
    let file: CaseFile
    let review: Review

    /// The witnesses that look so; empty where any of them looks otherwise.
    var witnesses: [Sighting] {
        let witnesses = review.witnesses.filter { $0.attack == .trustedCA }
        guard !witnesses.isEmpty else { return [] }
        return witnesses.allSatisfy(brokeOff) || commandComplained(of: witnesses) ? witnesses : []
    }

    /// It went after its data without waiting for an answer, or said why.
    private func brokeOff(_ sighting: Sighting) -> Bool {
        if sighting.answer.certificateAlert != nil { return true }
        let seen = sighting.observation
        // A slow answer that a client gave up on looks the same, only later.
        guard let close = seen.close, close.by == .client, let flight = seen.flight else { return false }
        return seen.bytesDown == 0 && close.ms - flight.ms <= Classifier.closeLimitMS
    }

    /// COMMAND failed in each of these trials, and never where nothing was attacked. That is worth something only where
    /// neither another host nor another connection to this one can have been what it failed of, nor the answer to what
    /// it sent: the proxy has no client certificate, and an origin that asks for one serves it untouched alone.
    private func commandComplained(of witnesses: [Sighting]) -> Bool {
        guard witnesses.allSatisfy({ brokeOff($0) || wasServedAsUsual($0) }) else { return false }
        let keys = Set(witnesses.map(\.trial))
        let attacked = file.trials.filter { keys.contains($0.key) && $0.isComplete }
        let untouched = file.trials.filter { $0.isPassthrough && $0.isComplete }
        return !attacked.isEmpty && !untouched.isEmpty
            && attacked.allSatisfy { trial in
                guard let end = trial.end, !end.timedOut, let exit = end.exit, exit != 0 else { return false }
                let own = trial.sightings[review.host] ?? []
                guard !own.contains(where: { $0.isRefusal || hadFault($0) }) else { return false }
                return !trial.sightings.contains { host, seen in
                    host != review.host && seen.contains { $0.outcome != nil } && !seen.contains(where: \.wasServed)
                }
            } && untouched.allSatisfy { $0.end?.exit == 0 && $0.end?.timedOut == false }
    }

    private func wasServedAsUsual(_ sighting: Sighting) -> Bool {
        guard sighting.wasServed, let close = sighting.observation.close else { return sighting.wasServed }
        // An origin that closes when it has answered is ordinary; one that breaks off is not.
        return close.by != .origin || close.how == .fin || close.how == .closeNotify
    }

    /// The proxy or the origin failed the connection, whatever the client did.
    private func hadFault(_ sighting: Sighting) -> Bool {
        sighting.observation.error != nil || sighting.observation.upstream?.error != nil
    }
}
