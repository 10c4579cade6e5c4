import Facts
import Policy
import Verdict

/// What to mend in an app that sent data under an attack, by what it fell for.
///
/// Two weak pins of one subtype have different causes.
enum WeaknessAdvice {
    /// Of an app with several faults, so many are told; mending them may well mend the others.
    private static let toldAtMost = 3

    /// The causes of a host's `not-pinned`, each once, in the catalogue's order; the subtype's own sentence where none is
    /// known.
    static func texts(for host: HostVerdict) -> [String] {
        var texts: [String] = []
        for tally in host.attacks {
            for form in tally.dataFormsInOrder where isCause(tally.attack, form, host) {
                if let text = text(tally.attack, form), !texts.contains(text) { texts.append(text) }
            }
        }
        return texts.isEmpty ? [MissingAdvice.text(forAcceptanceOf: host.subtype)] : Array(texts.prefix(toldAtMost))
    }

    /// What is as bad as the subtype says. A client that takes `trusted-ca` takes every trusted chain for the right name,
    /// and that is no fault besides.
    private static func isCause(_ attack: AttackID, _ form: String?, _ host: HostVerdict) -> Bool {
        let weakness = AttackCatalogue.attack(attack)?.weakness(under: form)
        guard host.subtype == .bypass else { return host.subtype == .brokenTLS && weakness == .brokenTLS }
        let isUnpinned = host.attacks.contains { $0.attack == .trustedCA && $0.dataForms.contains(nil) }
        if isUnpinned { return attack == "cloned-identity" && form == "untrusted" }
        return weakness == .bypass || attack == .trustedCA
    }

    private static func text(_ attack: AttackID, _ form: String?) -> String? {
        if let form, let text = byForm["\(attack)/\(form)"] { return text }
        return byAttack[attack]
    }

    private static let byAttack: [AttackID: String] = [
        .trustedCA:
            "Check the pin on every kind of connection: it holds on the usual one, and is forgotten over another version "
            + "of TLS, with another type of key, or over another protocol.",
        "smuggled-chain":
            "Match the pins against the keys of the chain that was verified, not against the certificates as they were "
            + "presented, and not by looking for bytes in them: the pin is there and can be got around.",
        "cloned-identity":
            "Compare the public key (its SPKI): names, serial numbers, dates and key identifiers can be copied by anybody.",
        "later-connection":
            "Check the pin on every connection, in the client that sends: a look at one connection says nothing of the "
            + "next one.",
        "resumed-session": "Check the pin on resumed sessions too, or switch resumption off for pinned hosts.",
        "redirect":
            "Choose the pins by the host that is connected to, after a redirect too, and not by the one that the request "
            + "began with.",
        "wrong-usage":
            "Let the platform decide what a certificate may be used for: this client overlooks its names, its purpose or "
            + "the limits of its issuer.",
        "weak-crypto":
            "Refuse RSA keys under 2048 bits, and signatures over SHA-1 and MD5, as the platform's defaults do.",
        "untrusted-ca":
            "Take out what trusts every issuer (trust-all managers, delegates and callbacks that always agree): the client "
            + "accepts a CA that nobody installed.",
        "self-signed":
            "Take out what accepts certificates that vouch for themselves: an exception for a test server has come along.",
        "other-host":
            "Compare the host's name with the certificate's: the client accepts a valid certificate of anybody.",
        "expired": "Let the client refuse certificates that have ended, whatever it pins.",
        "not-yet-valid": "Let the client refuse certificates that have not begun, whatever it pins.",
        "wrong-key":
            "Update the TLS library or replace it: it does not verify the handshake's signature, so anybody can show your "
            + "own certificate.",
        "leaf-as-ca":
            "Verify with the platform's validator: the client lets a certificate that is no CA sign others.",
        "bad-signature":
            "Verify with the platform's validator: the client links certificates by name, and verifies no signature.",
        "old-tls":
            "Offer TLS 1.2 and 1.3 alone, with the platform's list of suites: the client talks over broken ones.",
    ]

    private static let byForm: [String: String] = [
        "later-connection/after-reset": outage,
        "later-connection/after-3-resets": outage,
        "later-connection/after-close": outage,
        "later-connection/after-alert": outage,
        "later-connection/after-timeout": outage,
        "later-connection/after-502": outage,
        "later-connection/after-407": outage,
        "later-connection/after-no-tunnel": outage,
        "later-connection/after-no-answer": outage,
        "trusted-ca/coalesced":
            "Send what is for a pinned host on connections that were checked for it: a certificate that names it as well is no "
            + "reason to take another host's connection.",
        "wrong-usage/common-name-only":
            "Compare alternative names alone: the common name of a subject has not counted since RFC 6125.",
    ]

    private static let outage =
        "Keep the pin when the client tries again: after a connection that failed, it went on without."
}
