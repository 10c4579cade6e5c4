import Facts

extension Attack {
    /// Keys and digests that have been broken, or soon are: signed by the trusted CA all the same.
    ///
    /// A safe client takes no RSA key under 2048 bits (CA/Browser Forum BR §6.1.5), and no signature over SHA-1 or MD5
    /// in a chain (RFC 8446 §4.2.3). Below private CAs, Go and Node.js take the one and JSSE the other as they come: data
    /// under these says of a client without a pin what `trusted-ca` says, and nothing worse.
    package static let weakCrypto = Attack(
        id: "weak-crypto", set: .all,
        presents: "right name, trusted issuer, with a key or a signature too weak to be believed",
        source: "CVE-2004-2761, CVE-2005-4900; CWE-326, CWE-328", weakness: .brokenTLS,
        standards: .validation("CWE-295", "CWE-326", "CWE-327"), advice: Advice.whole,
        reading: Reading(end: .unusableOrUnverifiable),
        variants: [
            Variant(name: "rsa-1024", weakness: .bypass, recipe: Recipe(key: .rsa1024, defects: [.weakKey])),
            Variant(name: "sha-1", weakness: .bypass, recipe: Recipe(signature: .sha1, defects: [.weakSignature])),
            Variant(
                name: "md5", recipe: Recipe(subordinates: .rsa, signature: .md5, defects: [.weakSignature])),
        ])
}

/// What to mend in an app that sent data under one of these.
private enum Advice {
    static let whole =
        "Refuse RSA keys under 2048 bits, and signatures over SHA-1 and MD5, as the platform's defaults do."
}
