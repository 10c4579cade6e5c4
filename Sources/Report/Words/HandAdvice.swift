import Facts
import Verdict

/// Advice for a run that a person went through, device in hand.
///
/// Where that of `MissingAdvice` speaks of COMMAND.
enum HandAdvice {
    /// nil where the words are the same.
    static func text(for missing: Missing) -> String? {
        switch missing {
        case .coldStarts:
            """
            Go through the journey to the host in every phase, the app freshly started each time; where the time was too \
            short, take longer phases (`--phase-seconds`), or more of them (`--cold-starts`).
            """
        case .passthroughBefore:
            """
            Let the app exchange data with the genuine host while nothing is attacked: the first untouched phase carried none.
            """
        case .passthroughBetween:
            """
            Run the gate again: an untouched phase between the attacks carried no data, so an outage cannot be told from a \
            refusal; if it repeats, the app or the origin remembers the attacks (back-off, blocked address).
            """
        case .passthroughAfter:
            """
            Run the gate again: the last untouched phase carried no data, so the host may have been down during the attacks; \
            if it repeats, look for a back-off or a lock-out after refusals.
            """
        case .idleConnections:
            """
            Let the app use or close its connections before a phase is over: some were left open without a byte, as \
            preconnects and protocols in which the server speaks first are; switch them off for the test.
            """
        case .consistentRefusal:
            """
            Make the app end in the same way in every phase under trusted-ca: some of its connections broke off without a \
            word, which a crash or a killed app looks like too.
            """
        default: nil
        }
    }

    /// nil where the words are the same.
    static func text(for early: EarlyEnd.Reason) -> String? {
        switch early {
        case .nothingCrossed, .commandNotRun:
            """
            See that the device goes through the proxy (its proxy settings, `adb reverse`, no VPN, no QUIC) and that the app \
            was opened in the first phase. `--keep-going` goes through all phases nevertheless.
            """
        case .notVisited:
            """
            Go through the part of the app that contacts the host in every phase, and see that its name in the profile is the \
            one that the app asks for. `--keep-going` goes through all phases nevertheless.
            """
        case .originUnusable, .nameSlip, .caNotTrusted, .visitedOnce: nil
        }
    }

    /// nil where the words are the same.
    static func text(for verdict: VerdictWord) -> String? {
        switch verdict {
        case .notExercised:
            """
            Go through the part of the app that contacts the host; if you did, see that the app goes through the proxy and \
            not around it (the device's proxy settings, QUIC, a VPN).
            """
        case .invalidEnvironment:
            """
            Repair what the reason names and run again. Untouched, the app meets the genuine certificate, and has to trust \
            that as it does elsewhere. An origin that does not verify needs its root under `upstream.roots`. If it is \
            neither, see that the app works on this device without the proxy.
            """
        default: nil
        }
    }
}
