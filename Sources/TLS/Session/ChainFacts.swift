import Facts

/// Origins' chains as values, each worked out once; for one loop.
package struct ChainFacts {
    /// Every host of an app; a chain's facts are some 2 KiB, and soon worked out once more.
    private static let limit = 64

    private var known = BoundedCache<[String], [CertificateFacts]>(limit: Self.limit)

    package init() {}

    /// Of the certificates that the origin showed, leaf first.
    package mutating func facts(of chain: GenuineChain) -> [CertificateFacts] {
        if let facts = known[chain.sha256] { return facts }
        let facts = chain.certificates.map(CertificateFacts.init)
        known.set(chain.sha256, facts)
        return facts
    }
}

extension CertificateFacts {
    package init(_ certificate: Certificate) {
        self.init(
            subject: certificate.subject, issuer: certificate.issuer,
            notAfter: UTCTime(unix: certificate.notAfter).rfc3339, sha256: certificate.sha256,
            spkiSHA256: SHA256.hex(certificate.publicKeyDER))
    }
}
