import Facts

/// What one connection answered to what it was shown: what was said, and how it ended.
///
/// Worked out once for each connection. Grade, environment, anchors, names and findings ask this and no alert of an
/// observation, so that all of them take the same word for the client's.
struct Answer: Hashable {
    /// nil where it was not touched.
    let outcome: Outcome?
    /// The client's first fatal alert, as long as nobody else had ended the connection before; also of one that was not
    /// touched.
    let alert: Alert?
    /// The client finished the handshake: whatever it refused, it refused after that.
    let hasFinished: Bool
    /// It went away in the handshake by an RST and without a word: a crash looks the same.
    let isBareReset: Bool

    /// - Parameter observation: lent, as a copy costs as much as all that is asked of it.
    init(_ observation: borrowing Observation, isTouched: Bool) {
        let outcome = isTouched ? Classifier.outcome(of: observation) : nil
        self.outcome = outcome
        alert = Classifier.fatalAlert(of: observation)
        hasFinished = observation.finishedMS != nil
        isBareReset = outcome == .silent && observation.close?.how == .rst
    }

    /// The alert, where it is about what was read in a certificate.
    var certificateAlert: Alert? { alert.flatMap { AlertClass.certificate.contains($0.code) ? $0 : nil } }

    /// It said what stacks say when the chain was fine and the signature over the handshake was not.
    var complainsOfSignature: Bool { alert.map { AlertClass.signature.contains($0.code) } ?? false }

    /// It could not read us, or found our signature wrong: no stack says so of a chain that it will not trust.
    var couldNotRead: Bool { alert.map { AlertClass.unreadable.contains($0.code) } ?? false }
}
