import Facts

/// Lets the first line of each genuine chain alone say what its certificates are.
///
/// Subjects and dates are for people who read a report. Said again on each connection they would double the evidence.
struct ChainIntroductions {
    /// Different ones: every host of an app, and what a client makes up beyond that is not described.
    static let limit = 4096
    /// Of a name, in characters; what an origin writes there may be as long as a certificate.
    static let nameLimit = 256

    private var known: Set<[String]> = []

    mutating func introducing(_ record: EvidenceRecord) -> EvidenceRecord {
        guard var seen = record.observation, let upstream = seen.upstream, !upstream.certificates.isEmpty else {
            return record
        }
        let isNew = known.count < Self.limit && !upstream.chain.isEmpty && known.insert(upstream.chain).inserted
        seen.upstream?.certificates = isNew ? upstream.certificates.map(Self.shortened) : []
        return .connection(seen)
    }

    private static func shortened(_ certificate: CertificateFacts) -> CertificateFacts {
        var short = certificate
        short.subject = String(certificate.subject.prefix(nameLimit))
        short.issuer = String(certificate.issuer.prefix(nameLimit))
        return short
    }
}
