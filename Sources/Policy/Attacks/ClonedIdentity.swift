import Facts

extension Attack {
    /// Everything that can be read in the genuine certificate, over another key: subject, issuer, serial, dates, names
    /// and extensions. The issuers above it are subordinate CAs made on the spot, which read as the genuine ones.
    ///
    /// A client that pins by any of these, or compares what its platform prints of a certificate, takes it for the
    /// genuine one. `without-root` is as long as the genuine list, for clients that compare the whole of it; the others
    /// have a look-alike of the root as well, for those that look for its name. `untrusted` finds the client that does
    /// so *instead* of checking the issuer.
    package static let clonedIdentity = Attack(
        id: "cloned-identity", set: .standard,
        presents: "the genuine chain's names, serials, dates and extensions, over other keys",
        source: "CWE-290, CWE-295; OWASP MASTG-TEST-0021", weakness: .bypass,
        standards: .pin,
        variants: [
            Variant(
                name: "trusted",
                recipe: Recipe(subordinates: .genuineIssuerLookalikes, identity: .genuine, key: .likeTheGenuine)),
            Variant(
                name: "untrusted",
                recipe: Recipe(
                    signer: .untrustedCA, subordinates: .genuineIssuerLookalikes, identity: .genuine,
                    key: .likeTheGenuine, defects: [.untrustedIssuer])),
            Variant(
                name: "without-root",
                recipe: Recipe(
                    subordinates: .genuineIssuerLookalikesWithoutRoot, identity: .genuine, key: .likeTheGenuine)),
        ])
}
