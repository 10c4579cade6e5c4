import Facts

extension Attack {
    /// Everything that can be read in the genuine certificate, over another key: subject, issuer, serial, dates, names
    /// and key identifiers. The issuer's name is a subordinate CA's that is made on the spot.
    ///
    /// A client that pins by any of these, or compares what its platform prints of a certificate, takes it for the
    /// genuine one. `untrusted` finds the client that does so *instead* of checking the issuer.
    public static let clonedIdentity = Attack(
        id: "cloned-identity", set: .standard,
        presents: "the genuine certificate's names, serial, dates and key identifiers, over another key",
        source: "CWE-290, CWE-295; OWASP MASTG-TEST-0021", weakness: .bypass,
        variants: [
            Variant(
                name: "trusted",
                recipe: Recipe(subordinates: .genuineIssuerLookalike, identity: .genuine, key: .likeTheGenuine)),
            Variant(
                name: "untrusted",
                recipe: Recipe(
                    signer: .untrustedCA, subordinates: .genuineIssuerLookalike, identity: .genuine,
                    key: .likeTheGenuine, defects: [.untrustedIssuer])),
        ])
}
