import Facts

extension Attack {
    /// `trusted-ca` at a host that the client was sent to by a redirect: for pins that are chosen by the host a request
    /// began with. `to` comes from a host that is expected to accept (or from plain HTTP), `from` from an attacked host
    /// under a lent key that the app pins (noted as `lent-key`, and no evidence). A safe client checks the host that
    /// it was sent to by that host's own pins; data there tells. The other forms spell the host in another way, for pins that
    /// are looked up by how a URL has it.
    package static let redirect = Attack(
        id: "redirect", set: .all,
        presents: "trusted-ca, to a client that another host has redirected there",
        source: "CWE-295; CWE-601; RFC 9110 §15.4", weakness: .bypass,
        standards: .pin, advice: Advice.whole, reading: Reading(occasion: .redirect),
        variants: [
            Variant(name: "to", recipe: .likeTheGenuine, conduct: Conduct(answer: .redirect)),
            Variant(
                name: "to-final-dot", recipe: .likeTheGenuine, conduct: Conduct(answer: .redirect, spelling: .finalDot)),
            Variant(
                name: "to-capitals", recipe: .likeTheGenuine, conduct: Conduct(answer: .redirect, spelling: .capitals)),
            Variant(name: "to-port", recipe: .likeTheGenuine, conduct: Conduct(answer: .redirect, spelling: .port)),
            Variant(name: "from", needs: .backupKey, recipe: .likeTheGenuine, conduct: Conduct(answer: .redirect)),
        ])
}

/// What to mend in an app that sent data under one of these.
private enum Advice {
    static let whole =
        "Choose the pins by the host that is connected to, after a redirect too, and not by the one that the request "
        + "began with. Compare hosts in lower case, without a dot at the end and without the port."
}
