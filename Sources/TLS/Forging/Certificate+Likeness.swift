import COpenSSL
import Facts

/// What a certificate takes over from another one that it passes for.
extension Certificate {
    /// This certificate's extensions in their order, with some of them replaced by others of the same kind; others that
    /// it does not have come last.
    ///
    /// Left out is what asks for more than a clone has: policies in every certificate above (RFC 5280 §4.2.1.11). Who
    /// demands a stapled OCSP answer (RFC 7633) gets one, where the genuine server has one (`Forge.staple`).
    func extensions(replacing others: [CertificateExtension]) throws(OpenSSLError) -> [CertificateExtension] {
        var rest = others
        let kept = try extensions().filter { $0.oid != OID.policyConstraints }
        let replaced = kept.map { one in
            rest.firstIndex { $0.oid == one.oid }.map { rest.remove(at: $0) } ?? one
        }
        return replaced + rest
    }
}

extension Certificate {
    /// Who asks for a stapled OCSP answer must be given one (RFC 7633).
    var demandsStaple: Bool { (try? extensions().contains { $0.oid == OID.tlsFeature }) ?? false }
}

extension GenuineChain {
    /// The certificates that vouch for the leaf, its issuer first, as far up as they are known.
    var path: [Certificate] {
        var out: [Certificate] = []
        var below = certificates.first
        while let one = below, !one.isSelfIssued, out.count < Self.pathLimit {
            below = issuers.first { $0.subjectDER == one.issuerDER && !out.contains($0) && $0.signed(one) }
            if let below { out.append(below) }
        }
        return out
    }

    /// What the origin shows between its leaf and an anchor, the leaf's issuer first.
    var intermediates: [Certificate] { path.filter { !$0.isSelfIssued && certificates.contains($0) } }

    /// Most do not: a client has it already.
    var showsRoot: Bool { certificates.dropFirst().contains(where: \.isSelfIssued) }

    /// Real chains have up to four.
    private static let pathLimit = 8
}
