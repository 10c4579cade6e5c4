import Facts
import Policy
import Verdict

/// One sentence of advice for each finding that somebody can do something about.
package enum FindingAdvice {
    /// nil for notes that only tell how to read a verdict.
    package static func text(for finding: String) -> String? {
        table[finding].map { EarlyEnd.Reason(rawValue: finding) == nil ? $0 : $0 + keepGoing }
    }

    /// The same of what keeps a gate from a proof, without what else a gate could do.
    static func cause(_ finding: String) -> String { table[finding] ?? "" }

    static let keepGoing = " `--keep-going` goes through all trials nevertheless."

    private static let table: [String: String] = [
        "session-cache-bypass":
            "Check the pin on resumed sessions too, or switch resumption off for pinned hosts: give them a session (a "
            + "client, an SSL context) of their own, with tickets and the session cache off.",
        "leak-after-refusal":
            "Take the fallback out of the app: after a refusal the request must fail, not go out in the clear or to "
            + "another host; pin the siblings, and name them under `hosts`. A host that takes reports of a refusal is named by "
            + "`reports_to`, and one that can demand an update has `update: true`: neither is a leak then.",
        "pin-checked-late":
            "Check the pin before anything is sent: in the handshake, or between it and the first byte of the request.",
        "weak-pin":
            "Pin the key of your own server (and a backup) rather than a CA's, and keep the check of the host name on; lend "
            + "`other_host` (a chain that the pins take, with its key, for another name), and the gate shows whether it is.",
        "undeclared-host":
            "Name the host under `hosts`: with `refuse` if the app pins it, else with `tunnel` or `accept`.",
        "never-pinned":
            "Pin the host, or say `expect: accept` or `tunnel` if nobody means to; see that a pattern does not cover more "
            + "than the app pins.",
        "retry-storm":
            "Do not retry what was refused by a pin; for other failures wait longer each time, with a limit and some chance.",
        "no-recovery":
            "Let the app try again with its next request once the network is trusted again: remember no refusal beyond "
            + "the one that was seen.",
        "missing-pin-report":
            "Send the report when a pin refuses (TrustKit's report URIs, a callback of your own), to a host without pins; "
            + "if it goes elsewhere, correct `reports_to`.",
        "blocked-update-host":
            "Ask the host that can demand an update without a pin, and before the pinned ones: with wrong pins the app "
            + "has no other way to learn of it.",
        "weak-suites-offered":
            "Take suites without encryption or authentication and those of export strength out of the client's list; "
            + "where the TLS library offers them by default, name the suites that it is to offer.",
        "asked-under-another-name":
            "Ask the host by its own name, on connections that are checked for it: no domain fronting, and no connection "
            + "shared with a host that has no pin.",
        "asked-over-another-connection":
            "Send what is for the host on connections that were checked for it, even where another one's certificate names it "
            + "too: give pinned hosts a client of their own, or check their pins against the connection that is used.",
        "pins-from-unpinned-host":
            "Pin the host that the pins come from, or sign the set of pins and check the signature by a key in the app, and "
            + "ship pins that hold without it. Where the set is signed, or is not what the app compares with, waive the finding.",
        "unread-tunnel":
            "See what the app says there: TLS should begin with the connection, or after a short dialogue; a "
            + "protocol without TLS is open to everybody. What is meant so can be waived.",
        "plain-http": "Ask the host by HTTPS only; forbid cleartext traffic in the app's network security settings.",
        "lent-key-refused":
            "See whether the lent key is among the pins of this very build, and whether the app trusts the CA; a pin of a "
            + "CA or of a whole certificate cannot be shown with a key.",
        "any-certificate":
            "Let the client check the certificates it is shown: an SDK or a session with a trust manager that takes all of "
            + "them (or a `-k` of old) is open to everybody in the network; and name another control for this gate.",
        "refusal-unexplained":
            "Name under `controls` a host that the same build contacts without a pin; where this build applies no policy "
            + "besides pins once a handshake is over, say so by `only_pins: true`.",
        "refused-once": "Find out what differs between the trials: a second TLS stack, a pin on some requests only.",
        NetworkFindings.direct: "Let the app go through the proxy, or redirect its traffic to it on the network.",
        NetworkFindings.quic: "Block UDP 443 for the test, or switch HTTP/3 off: what goes by QUIC is not examined.",
        "platform-default-refusal":
            "Install the CA where this app looks (Android 7 and later: the system's store, or a network security config "
            + "that names it; iOS: full trust for the profile; elsewhere: the roots that its TLS library reads), and run again.",
        "local-anchors":
            "If the app does pin the host, let its pins hold against installed CAs as well, and run again: Cronet by "
            + "`enablePublicKeyPinningBypassForLocalTrustAnchors(false)`, Android without `overridePins` and debug-overrides, "
            + "TrustKit by `kTSKIgnorePinningForUserDefinedTrustAnchors: NO`.",
        "ct-like-refusal":
            "A browser asks Certificate Transparency of CAs in the system's store alone: install the CA as a user's or an "
            + "administrator's. Android from 17 on asks it for every app that targets 37 or later, and such apps do not see a "
            + "user's CAs: run on Android 16 or older, or a build whose network security config names the CA, which exempts "
            + "that configuration.",
        "nothing-crossed":
            "See that the app goes through the proxy: by the variables that COMMAND gets (`PINPROOF_PROXY`, `https_proxy`), by "
            + "the device's settings, by `adb reverse`, and that nothing makes an exception of its hosts (`no_proxy`); "
            + "client/1-passthrough.err has what COMMAND said.",
        "command-not-run":
            "Correct COMMAND: the shell did not find it (127), or may not execute it (126); client/1-passthrough.err names it.",
        "origin-unusable":
            "Repair what the host's line says (an address under `resolve`, a root under `upstream.roots`, its pins, the server), and "
            + "see that the app works without the gate.",
        "name-slip":
            "Correct the name in the profile, or let the app ask for it; name the other one under `hosts` where both are meant.",
        "not-visited":
            "Let COMMAND's journey contact the host, or correct its name or pattern in the profile. If the app did contact it, it "
            + "went around the proxy there (QUIC, a native library, a list of exceptions).",
        "visited-once":
            "Clear what the app keeps between starts (a cache, a login) before each, or keep it in `PINPROOF_STATE`, which is "
            + "new in each start.",
        "ca-not-trusted":
            "Install the CA where this app looks (Android 7 and later: the system's store, or a network security config "
            + "that names it; iOS: full trust for the profile; elsewhere: the roots that its TLS library reads), and run again: the one "
            + "of this run, as one that was made earlier or elsewhere is another CA. Or name a control that is not pinned.",
        "shard":
            "Join the run folders of all shares by `pinproof judge`: one share alone is no pass, whatever it proves.",
        "shard-missing":
            "Give `pinproof judge` the run folders of all shares; a job that left none has to run again.",
        "left-out":
            "Give the run more time (`--max-minutes`), or fewer attacks (`--attacks`).",
        "fails-under-attack":
            "See in client/ why COMMAND comes to nothing while something is attacked: it may notice the attack by other means.",
        "waiver-expired": "Repair what was waived, or agree on a new date and write it into the profile.",
        "waiver-unused": "Remove the waiver from the profile.",
        "new-finding":
            "Repair what is new, waive it in the profile with a date and a reason, or write the baseline anew.",
    ]
}
