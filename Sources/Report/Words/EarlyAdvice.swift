import Facts
import Verdict

/// Advice for a run that ended early: the likeliest cause first, then what else there is.
enum EarlyAdvice {
    /// For a gate. nil where there is nothing to say.
    static func text(_ early: EarlyEnd, _ judgement: Judgement) -> String? {
        let isByHand = judgement.hosts.contains(where: \.seen.isByHand)
        if isByHand, let text = HandAdvice.text(for: early.reason) { return text }
        let general = FindingAdvice.text(for: early.reason.rawValue)
        switch early.reason {
        case .nothingCrossed:
            return [judgement.retried.last.flatMap { silence($0.end) }, general].compactMap(\.self).joined(
                separator: " ")
        case .originUnusable:
            let alerts = judgement.hosts.compactMap { host -> AlertCode? in
                if case .environment(.brokenUntouched(let alert, _)) = host.reason { alert } else { nil }
            }
            let hasDeadPins = judgement.hosts.contains { host in
                if case .environment(.foreignChain(let chain)) = host.reason { chain.cause == .deadPins } else { false }
            }
            guard let alert = alerts.first else {
                if !isByHand, hasOnlyWordless(judgement) { return wordless + FindingAdvice.keepGoing }
                if hasNoAddress(judgement) { return [general, otherWay].compactMap(\.self).joined(separator: " ") }
                return hasDeadPins ? [general, otherPort].compactMap(\.self).joined(separator: " ") : general
            }
            return refusedGenuine(by: alert.description, isByHand: isByHand) + FindingAdvice.keepGoing
        case .caNotTrusted:
            let controls = judgement.hosts.flatMap(\.seen.controls)
            let areWordless = !controls.isEmpty && controls.allSatisfy { $0.fate == .refused(alert: nil) }
            return [areWordless ? pinnedControl : nil, general].compactMap(\.self).joined(separator: " ")
        case .commandNotRun, .nameSlip, .notVisited, .visitedOnce: return general
        }
    }

    /// Every host without a usable environment was given up by the app, whose server answered.
    private static func hasOnlyWordless(_ judgement: Judgement) -> Bool {
        let faulty = judgement.hosts.filter { $0.verdict == .invalidEnvironment }
        return !faulty.isEmpty
            && faulty.allSatisfy { $0.reason == .environment(.brokenUntouched(nil, isAnswered: true)) }
    }

    private static func hasNoAddress(_ judgement: Judgement) -> Bool {
        judgement.hosts.contains { host in
            guard case .environment(.originUnusable(let reason?, _)) = host.reason else { return false }
            return reason.hasPrefix("cannot resolve ")
        }
    }

    /// Networks without names for the world outside have a proxy that knows them; pinproof takes none from the environment.
    private static let otherWay =
        "Where the way out of this network is a proxy (`https_proxy` names one), pinproof has to be told of it: `proxy` under "
        + "`upstream`."

    /// An app that misses its pin in the genuine chain closes so.
    private static let wordless =
        "The server answered, and the app gave up without an alert that could be read: client/1-passthrough.err may say why. Its pin "
        + "may be an old one, or it does not trust the server's certificate (a file of `PINPROOF_CA` alone replaces the usual "
        + "roots in many clients). See that the app works without the gate."

    /// The gate itself asks before the first start, and does not know where the app will call.
    private static let otherPort =
        "The server was asked at port 443 or where `resolve` says: where the app calls another port, name it there "
        + "(`resolve: { api.example.com: api.example.com:8443 }`)."

    /// What was seen that the advice is about, a line each.
    static func seen(_ early: EarlyEnd, _ judgement: Judgement) -> [String] {
        early.reason == .nothingCrossed ? [said(judgement.retried.last?.end)].compactMap(\.self) : []
    }

    /// How COMMAND ended where nothing came to the proxy: it tells a COMMAND that failed from one that goes around it.
    ///
    /// nil where no COMMAND was run.
    static func silence(_ end: TrialEnd?) -> String? {
        guard let end else { return nil }
        let surroundings = "It has no terminal, and nothing to read from its standard input."
        if end.timedOut {
            return "COMMAND asked for nothing in \(Summary.duration(end.seconds)), and was then ended "
                + "(`--attempt-timeout`): see what it waits for. \(surroundings)"
        }
        if let signal = end.signal {
            return "COMMAND died by signal \(signal) before anything came: mend that first."
        }
        guard let exit = end.exit else { return nil }
        if exit != 0 {
            return "COMMAND ended with \(exit) before anything came: mend that first. \(surroundings)"
        }
        guard end.seconds < brief else { return "COMMAND ended with 0 after \(Summary.duration(end.seconds))." }
        return
            "COMMAND ended with 0 after \(Summary.duration(end.seconds)): what it leaves running is ended with it, so let "
            + "it wait until the app is done."
    }

    /// What COMMAND said last before that: its own words, to be shown as such.
    static func said(_ end: TrialEnd?) -> String? { end?.lastError.map { "COMMAND said: \($0)" } }

    /// Seconds; a UI test takes longer, and a script that only starts something does not.
    private static let brief = 5.0

    /// - Parameter alert: what the app said of the genuine certificate.
    static func refusedGenuine(by alert: String, isByHand: Bool = false) -> String {
        switch alert {
        case "certificate_expired":
            "The app says that the genuine certificate has expired: renew it at the server, or set the clock of the machine "
                + "or device."
        default:
            "The app refused the genuine certificate (\(alert)). Let it trust the usual roots, or the server's own, besides the "
                + "CA\(isByHand ? "" : ": a file of `PINPROOF_CA` alone replaces them in many clients"). If it does: its pin "
                + "is an old one, its clock is wrong, or somebody intercepts between here and the server"
                + (isByHand ? "." : "; client/1-passthrough.err may say which.")
        }
    }

    /// An alert says that a chain was not believed; who checks a pin after the handshake closes without one.
    static let pinnedControl =
        "The controls went without an alert, as apps do that believe the certificate and then miss their pin: most likely "
        + "they are pinned as well, so name another control. If they are not, the app does not trust "
        + "the CA."
}
