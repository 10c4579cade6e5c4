import Facts
import Verdict

/// One sentence of advice for everything that can stand between a run and a proof.
package enum MissingAdvice {
    package static func text(for missing: Missing) -> String {
        switch missing {
        case .trustControl: trustControl(needsColdStarts: false)
        case .coldStarts:
            """
            Let every run of COMMAND contact the host: see in client/ why some ended before, and raise \
            `--attempt-timeout` or `--cold-starts` if they need more time or more of them are wanted.
            """
        case .passthroughBefore:
            """
            Let the app exchange data with the genuine host while nothing is attacked: the first untouched run \
            carried none, and client/ says what COMMAND printed in it.
            """
        case .passthroughBetween:
            """
            Run the gate again: an untouched run between the attacks carried no data, so an outage cannot be told \
            from a refusal; if it repeats, the app or the origin remembers the attacks (back-off, blocked address).
            """
        case .passthroughAfter:
            """
            Run the gate again: the last untouched run carried no data, so the host may have been down during the \
            attacks; if it repeats, look for a back-off or a lock-out after refusals.
            """
        case .sameStackPassthrough:
            """
            Let the same TLS stack that was attacked make a real request in the untouched runs: sockets that never \
            carry data, such as preconnects, look like refusals.
            """
        case .idleConnections:
            """
            Let the client use or close its connections within the run: some were left open without a byte, as \
            preconnects and protocols in which the server speaks first are; switch them off for the test.
            """
        case .consistentRefusal:
            """
            Make the client end in the same way in every cold start: some of its connections broke off without a \
            word, which a crash or a killed process looks like too; see client/ for how COMMAND ended.
            """
        case fallback:
            """
            Take the fallback out of the app: while it was attacked it asked for the host by plain HTTP, as it never \
            did untouched.
            """
        case .attack(let id): text(forUnrefused: [id])
        case .attackedAlone: attackedAlone(nil)
        case .hostIdentity:
            """
            Let the client name the host on every connection: some had no server name, or hid it, or went to the \
            host's address under another name, so whose they were is not certain; connect by name rather than by \
            address, and switch ECH off for the test.
            """
        case .finding(let id):
            FindingAdvice.text(for: id)
                ?? "Mend what the finding `\(id.filter { $0 != "`" })` tells of, or state in a waiver why it is borne."
        case .steadyStarts:
            """
            See in client/ why COMMAND comes to nothing while something is attacked and not when nothing is: an app \
            that leaves before it asks for the host has not been seen to refuse.
            """
        case .releaseBuild:
            """
            Test the build that ships: in one that can be debugged, pins may be off, other anchors trusted and code \
            different.
            """
        case .time:
            "Give the run more time (`--max-minutes`), or fewer attacks (`--attacks`): what was left out may be what it falls for."
        case .run:
            "Let the run come to its end: it was interrupted, or its evidence is cut."
        }
    }

    /// Plain HTTP under attack, which stands among the attacks of `missing` but is none that could be left out.
    static let fallback = Missing.attack("cleartext-fallback")

    /// The attack whose refusal is missing, if that is what it is about.
    static func unrefused(_ missing: Missing) -> AttackID? {
        guard case .attack(let id) = missing, missing != fallback else { return nil }
        return id
    }

    /// What the rest of a run that was cut might have brought, so that nobody knows why it is missing.
    static func isOfRest(_ missing: Missing, of host: HostVerdict) -> Bool {
        switch missing {
        // By the profile's word no control of the host's could have come.
        case .trustControl: !host.seen.controls.contains { $0.fate == .otherAnchors }
        case .coldStarts, .passthroughBetween, .passthroughAfter, .sameStackPassthrough, .attackedAlone, .time: true
        default: unrefused(missing) != nil
        }
    }

    /// One sentence for all attacks that a host was not seen to refuse.
    ///
    /// - Parameter isUnmet: a connection, or a stack, that only some starts have is what was not attacked.
    static func text(forUnrefused attacks: [AttackID], isUnmet: Bool = false) -> String {
        if isUnmet, attacks == [later] { return nowAndThen }
        // Backquotes mark code in these sentences, and an id read from a file could hold one.
        let words = attacks.prefix(namedAtMost).map { $0.rawValue.filter { $0 != "`" } }.joined(separator: ", ")
        let more = attacks.count > namedAtMost ? " and \(attacks.count - namedAtMost) more" : ""
        // Both halves of the differential are in every run.
        let areFixed = attacks.allSatisfy { $0 == .trustedCA || $0 == .untrustedCA }
        let choice =
            areFixed
            ? "" : "; or leave out with `--attacks` what need not be tried, and the claim will say that it was not"
        return "Let the app contact the host in every run: not every TLS stack of the app that reaches this host was "
            + "seen to refuse \(words)\(more)\(choice)."
            + (isUnmet ? " " + nowAndThen : "")
    }

    private static let nowAndThen = """
        Make the journey the same in every cold start, or raise `--cold-starts`, so that a connection which only some \
        starts have comes in one that is to attack it.
        """

    private static let later: AttackID = "later-connection"

    /// The host's own line has them all.
    private static let namedAtMost = 4

    /// - Parameter needsColdStarts: there was one cold start alone, and more of them may be all that is needed.
    static func trustControl(needsColdStarts: Bool) -> String {
        let more = needsColdStarts ? " or run with `--cold-starts 2` or more, which is enough for some stacks;" : ""
        return """
            Show that this build trusts the forging CA: install the CA where the app looks for it, and name under \
            `controls:` a host that the app contacts without a pin;\(more) or give the evidence of a twin without \
            pins (`--evidence-from`).
            """
    }

    static let ownAnchors = """
        The profile says under `anchors:` that the app trusts roots of its own for this host, so a control that trusts \
        others does not count. Take `anchors:` away if the app does trust the forging CA there; else see that the genuine \
        chain leads to a root in those files, and name a control that the app contacts with the same TLS stack.
        """

    static func attackedAlone(_ company: Circumstances.Company?) -> String {
        switch company?.kind {
        case .controls:
            """
            Choose a control that answers as usual: the host closed its connections only after a control had refused, \
            was answered by an error or by nobody, and an app that gives up its journey there closes what it has \
            open. A control is met in every run, so no other profile would help.
            """
        case .otherStack:
            """
            Let the app's TLS stacks come to this host one after the other: connections of one were closed only after \
            another one had been refused, and may have been given up because of that; raise `--cold-starts`.
            """
        case .attacked, nil:
            """
            Let the app go on to this host when another one was refused: it closed its connections here only after \
            that, and the gate ran out of tries to attack it alone; raise `--cold-starts`, or give it a profile of \
            its own.
            """
        }
    }

    /// - Parameter silence: nothing at all was asked in the run, and COMMAND ended so each time.
    static func notExercised(_ silence: Circumstances.Silence?) -> String {
        let journey = """
            Let COMMAND's journey contact the host; if it does so already, see that the app goes through the proxy \
            and not around it (proxy variables, device settings, QUIC).
            """
        guard let silence else { return journey }
        if silence.timedOut {
            return "Nothing was asked in any run, and COMMAND had to be ended in each (`--attempt-timeout`). \(journey)"
        }
        if let signal = silence.signal {
            return "Nothing was asked in any run: COMMAND died by signal \(signal) in each; see client/ for why."
        }
        switch silence.exit {
        case 127:
            return "Correct COMMAND: it ended with 127 in every run, which says that the command was not found, and "
                + "asked for nothing; client/1-passthrough.err may name it."
        case 126:
            return
                "Correct COMMAND: it ended with 126 in every run, which says that the command is not executable, and "
                + "asked for nothing; client/1-passthrough.err may name it."
        case .some(let exit) where exit != 0:
            return "See in client/ why COMMAND ended with \(exit) in every run and asked for nothing. \(journey)"
        default: return "COMMAND ended with 0 in every run, and nothing came through the proxy. \(journey)"
        }
    }

    /// Added where a host came in some starts only.
    static let clearState = """
        It came in some starts only, as to an app that keeps state (a cache, a login, a refusal that it remembers): \
        clear that between the starts.
        """

    static func text(for verdict: VerdictWord, _ subtype: Subtype?) -> String {
        switch verdict {
        case .notPinned: text(forAcceptanceOf: subtype)
        case .refused:
            """
            Find out what refuses: a pin that this build should not have, or a CA that it does not trust; if the \
            refusal is wanted, say `expect: refuse` in the profile.
            """
        case .refusedUnproven: "Run the gate again with more cold starts (`--cold-starts`)."
        case .notExercised: notExercised(nil)
        case .invalidEnvironment:
            """
            Repair what the reason names and run again. Untouched, the client meets the genuine certificate: it has \
            to trust both its usual roots and the CA (a file of `PINPROOF_CA` alone replaces them in many clients), and \
            client/1-passthrough.err says what stopped it. An origin that does not verify needs its root under \
            `upstream.roots`. If it is neither, see that the app works without the gate on this machine.
            """
        case .provenPinned, .accepted, .tunnelled:
            "See that the profile's expectation and the host's rule fit together: this verdict does not answer it."
        }
    }

    static func text(forAcceptanceOf subtype: Subtype?) -> String {
        switch subtype {
        case .bypass:
            "Check the pin's own key, in the chain that was verified, on every connection: the pin can be got around."
        case .brokenTLS:
            """
            Repair certificate validation before pinning: the client accepts a chain that no client may accept \
            (look for trust-all managers and switched-off host name checks).
            """
        case .leak:
            "Send nothing before the pin was checked, and nothing where there is no TLS: data left all the same."
        case .plain, nil:
            """
            Pin the host in this build, and see that the pinning code is reached on this connection; if interception \
            is intended here, say `expect: accept` in the profile.
            """
        }
    }
}
