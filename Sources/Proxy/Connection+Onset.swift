import Facts
import Loop
import Policy

/// Connections that go untouched before an attack begins (`Conduct.Onset`).
extension Connection {
    /// What the trial remembers it by.
    func subject(_ host: HostName) -> TrialMemory.Subject { .init(client: note.clientName, host: host) }

    /// Asked once, when the ClientHello is whole: a socket that was opened and never used counts for nothing.
    func isBeforeOnset(_ host: HostName) -> Bool {
        guard case .attack(_, let variant, _) = machine.plan.phase, variant.conduct.onset != .atOnce,
            case .intercept(_, let met) = machine.plan.decide(host)
        else { return false }
        return trial.spares(subject(host), until: met.conduct.onset, now: MonotonicClock.now)
    }

    /// Tells the trial what a spared tunnel has shown, as soon as it has: the next connection may be the one.
    func reportAnswers() {
        guard isSpared, let host = note.host, let tap else { return }
        if tap.clientFinished { countForOnset(host) }
        guard tap.requests > note.requests else { return }
        trial.requestsAnswered(subject(host), tap.requests - note.requests)
        note.requests = tap.requests
    }

    /// A tunnel that has ended was one of the first as well, whatever could be read of it.
    func reportEndOfTunnel() {
        guard isSpared, let host = note.host, let tap, tap.serverAnswered else { return }
        countForOnset(host)
    }

    /// The genuine server is cut off when it has been asked something: before the onset of an attack that needs that.
    var losesAnswer: Bool {
        guard isSpared, case .attack(_, let variant, _) = machine.plan.phase else { return false }
        return variant.conduct.onset == .afterLostAnswer
    }

    func loseAnswer() {
        dropOrigin()
        noteClose(by: .proxy, how: .fin)
        drain()
    }

    private func countForOnset(_ host: HostName) {
        guard !countsForOnset else { return }
        countsForOnset = true
        trial.handshakeEnded(subject(host))
    }
}
