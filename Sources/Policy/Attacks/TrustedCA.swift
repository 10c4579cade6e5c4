import Facts

extension Attack {
    /// The pinning test itself: everything is right but the key. A client without a pin sends its request.
    ///
    /// Some stacks check in one place for one kind of connection and forget it for the other: so there are variants.
    package static let trustedCA = Attack(
        id: .trustedCA, set: .quick,
        presents: "right name, signed by the CA the tester installed",
        source: "OWASP MASTG-TEST-0244", weakness: .unpinned,
        standards: .pin,
        variants: [
            Variant(name: nil),
            Variant(name: "tls-1.2", set: .all, conduct: Conduct(offer: .tls12)),
            Variant(name: "rsa-leaf", set: .all, recipe: Recipe(key: .rsa)),
            Variant(name: "http-1.1", set: .all, conduct: Conduct(offer: .http1)),
            Variant(name: "no-alpn", set: .all, conduct: Conduct(offer: .noALPN)),
            Variant(name: "other-key", set: .all, recipe: Recipe(key: .unusual)),
            // For who looks at the chain of another connection than the one that is used, or of another host.
            Variant(name: "first-only", set: .standard, conduct: Conduct(onset: .only(1))),
            Variant(name: "host-only", set: .all, conduct: Conduct(sparesOthers: true)),
            // For pins that come with a configuration, and are not there without it.
            Variant(name: "others-unreachable", set: .all, conduct: Conduct(cutsOffOthers: true)),
            // The first three at once, as far as a client can. The standard set has this one, where there is room for it.
            Variant(name: "older", set: .all, recipe: Recipe(key: .rsa), conduct: Conduct(offer: .older)),
        ])
}
