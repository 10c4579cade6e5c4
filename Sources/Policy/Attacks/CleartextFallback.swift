import Facts

extension Attack {
    /// No TLS at all, in the ways in which networks and servers refuse it: for clients that then go on without. A safe
    /// client gives up or tries TLS again. Nothing can be sent on such a connection; what tells is a later one to the
    /// same host in the clear, where an untouched run has none. Or the offer of TLS is taken out of a dialogue in the clear
    /// (STARTTLS): what the client then says of its own, on that very connection, tells.
    package static let cleartextFallback = Attack(
        id: "cleartext-fallback", set: .all,
        presents: "nothing: TLS is refused, or its offer taken away or not kept, and clear text would be let through",
        source: "CWE-319; CWE-636; RFC 7507; RFC 3207 §6", weakness: .leak,
        standards: .cleartext, reading: read,
        variants: [
            // A client that gives its pin up when all else has failed does so on its last try.
            Variant(name: "reset", reading: countedTries, conduct: Conduct(refusal: .reset)),
            Variant(name: "close", reading: countedTries, conduct: Conduct(refusal: .close)),
            Variant(name: "handshake-failure", reading: countedTries, conduct: Conduct(refusal: .handshakeFailure)),
            Variant(name: "inappropriate-fallback", conduct: Conduct(refusal: .inappropriateFallback)),
            Variant(name: "unrecognized-name", conduct: Conduct(refusal: .unrecognizedName)),
            // For who takes a server that answers HTTP in the clear for one that speaks no TLS.
            Variant(name: "plain-answer", conduct: Conduct(refusal: .plainAnswer)),
            Variant(name: "timeout", reading: countedTries, conduct: Conduct(refusal: .silence)),
            // STARTTLS taken away, as some firewalls do it: for who asks whether there is TLS, and does without.
            Variant(name: "no-starttls", reading: inDialogues, conduct: Conduct(denialOfTLS: .hidden)),
            // Or refused where it is asked for: for who trusts the offer, and does without where it cannot be had.
            Variant(name: "starttls-refused", reading: inDialogues, conduct: Conduct(denialOfTLS: .refused)),
        ])

    private static let read = Reading(end: .any, data: .inTheClearOnly)
    private static let countedTries = Reading(end: .any, data: .inTheClearOnly, probe: .outages)
    private static let inDialogues = Reading(end: .any, data: .inTheClearOnly, occasion: .dialogue)
}
