import COpenSSL
import Facts

/// What a certificate takes over from another one that it passes for.
extension Certificate {
    /// This certificate's extensions in their order, with some of them replaced by others of the same kind; others that
    /// it does not have come last.
    ///
    /// Left out is what asks for more than a clone has: policies in every certificate above (RFC 5280 §4.2.1.11). Who
    /// demands a stapled OCSP answer (RFC 7633) gets one, where the genuine server has one (`Forge.staple`).
    func extensions(
        replacing others: [CertificateExtension], inAnIssuer isIssuer: Bool = false
    ) throws(OpenSSLError) -> [CertificateExtension] {
        var rest = others
        let kept = try extensions().filter { $0.oid != OID.policyConstraints && !(isIssuer && isInTheWay($0)) }
        let replaced = kept.map { one in
            rest.firstIndex { $0.oid == one.oid }.map { rest.remove(at: $0) } ?? one
        }
        return isIssuer ? Self.strict(replaced + rest) : replaced + rest
    }

    /// What strict clients want of a CA (RFC 5280 §4.2.1.3, §4.2.1.9; OpenSSL's X509_V_FLAG_X509_STRICT), which the genuine one
    /// that nobody looks at may lack.
    private static func strict(_ all: [CertificateExtension]) -> [CertificateExtension] {
        let usage: [CertificateExtension] =
            all.contains { $0.oid == OID.keyUsage } ? [] : [.keyUsage(.keyCertSign, .crlSign)]
        return all.map { one in
            var one = one
            if one.oid == OID.basicConstraints { one.critical = true }
            return one
        } + usage
    }

    /// Whether clients refuse a chain through an issuer for this extension, whatever they pin.
    ///
    /// Nobody knows that they ever had to look at the genuine one: a certificate that an old root has signed for a new one
    /// is shown to clients that hold the new root, and stop there. What is made in its place is looked at.
    private func isInTheWay(_ one: CertificateExtension) -> Bool {
        switch one.oid {
        case OID.inhibitAnyPolicy, OID.netscapeType: true
        case OID.extendedKeyUsage: unsafe X509_get_extended_key_usage(x509) & UInt32(XKU_SSL_SERVER) == 0
        case OID.basicConstraints, OID.keyUsage, OID.nameConstraints, OID.policies: false
        // Whoever does not know it must refuse (RFC 5280 §4.2).
        default: one.critical
        }
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
