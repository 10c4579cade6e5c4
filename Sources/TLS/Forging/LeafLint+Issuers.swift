import COpenSSL
import Facts
import Policy

/// What the lint looks at beside the leaf itself: the issuers that were made for it, and the one it passes for.
extension LeafLint {
    func subordinateDefects(_ leaf: Certificate, _ subordinates: [Certificate], _ now: Double) -> Set<LeafDefect> {
        var found: Set<LeafDefect> = []
        for (index, one) in subordinates.enumerated() {
            let above = index + 1 < subordinates.count ? subordinates[index + 1] : nil
            found.formUnion(issuerDefects(one, above))
            found.formUnion(authorityDefects(one, certificatesBelow: index))
            if one.signatureAlgorithm == nil { found.insert(.weakSignature) }
            if !one.hasPositiveSerial { found.insert(.badSerial) }
            if Double(one.notAfter) < now { found.insert(.expired) }
            if Double(one.notBefore) > now { found.insert(.notYetValid) }
            if ([leaf] + subordinates[..<index]).contains(where: one.forbidsName(of:)) {
                found.insert(.outsideNameConstraints)
            }
        }
        guard let top = known.first(where: { $0.name == subordinates.last?.issuerDER }) else { return found }
        if top.pathLength.map({ subordinates.count > $0 }) ?? false { found.insert(.pathTooLong) }
        if ([leaf] + subordinates).contains(where: top.certificate.forbidsName(of:)) {
            found.insert(.outsideNameConstraints)
        }
        return found
    }

    /// May it issue at all, and at this height?
    private func authorityDefects(_ issuer: Certificate, certificatesBelow count: Int) -> Set<LeafDefect> {
        let flags = unsafe X509_get_extension_flags(issuer.x509)
        guard flags & UInt32(EXFLAG_CA) != 0 else {
            return flags & UInt32(EXFLAG_BCONS) != 0 ? [.issuerIsEndEntity] : [.issuerWithoutConstraints]
        }
        var found: Set<LeafDefect> = []
        if issuer.pathLength.map({ count > $0 }) ?? false { found.insert(.pathTooLong) }
        if unsafe X509_get_key_usage(issuer.x509) & UInt32(KU_KEY_CERT_SIGN) == 0 { found.insert(.keyUsage) }
        // Below zero: an extension cannot be read.
        if unsafe X509_check_purpose(issuer.x509, X509_PURPOSE_SSL_SERVER, 1) < 1 { found.insert(.noServerAuth) }
        if flags & UInt32(EXFLAG_CRITICAL) != 0 { found.insert(.unknownCritical) }
        switch issuer.keyType {
        case .ec where KeyType.tlsCurves.contains(issuer.keyType): break
        case .ed25519: break
        case .rsa(let bits) where bits >= 2048: break
        default: found.insert(.weakKey)
        }
        return found
    }

    /// Dates and names are the genuine ones, and only have to hold for now and for this host.
    ///
    /// What is no clone may have lost some of the genuine dates, where its issuers' are narrower; what is renewed begins later.
    func likenessDefects(
        _ leaf: Certificate, _ genuine: Certificate, _ resemblance: Resemblance, _ host: HostName, _ now: Double
    ) -> Set<LeafDefect> {
        var found: Set<LeafDefect> = []
        if Double(leaf.notAfter) < now { found.insert(.expired) }
        if Double(leaf.notBefore) > now { found.insert(.notYetValid) }
        if leaf.alternativeNames == nil { found.insert(.noSAN) } else if !leaf.isFor(host) { found.insert(.wrongName) }
        // What vouches for itself is below no CA.
        if !leaf.isSelfIssued, known.first?.certificate.forbidsName(of: leaf) ?? false {
            found.insert(.outsideNameConstraints)
        }
        let isCurrent =
            Double(genuine.notBefore) <= now && Double(genuine.notAfter) > now
            && Double(leaf.notBefore) <= now && Double(leaf.notAfter) >= now
        let hasItsDates =
            switch resemblance {
            case .clone: leaf.notBefore == genuine.notBefore && leaf.notAfter == genuine.notAfter
            case .alike: leaf.notBefore >= genuine.notBefore && leaf.notAfter <= genuine.notAfter
            case .renewed: leaf.notBefore > genuine.notBefore
            }
        let isClone = resemblance == .clone
        if !hasExtensions(of: genuine, leaf) { found.insert(.unlikeTheGenuine) }
        if leaf.subjectDER != genuine.subjectDER || isCurrent && !hasItsDates { found.insert(.unlikeTheGenuine) }
        let identifier = genuine.subjectKeyIdentifier
        let hasItsNumbers =
            leaf.serial == genuine.serial && (identifier == nil || leaf.subjectKeyIdentifier == identifier)
        // Two certificates of one issuer with the same number are refused for that (RFC 5280 §4.1.2.2).
        if isClone ? !hasItsNumbers : leaf.serial == genuine.serial { found.insert(.unlikeTheGenuine) }
        // The point of it: everything but the key. What is lent may be the genuine key itself, and is no clone.
        if isClone, leaf.publicKeyDER == genuine.publicKeyDER { found.insert(.unlikeTheGenuine) }
        return found
    }

    /// Whether a leaf says all that the genuine one says, but for what its issuer, its key and its CA's scope decide.
    private func hasExtensions(of genuine: Certificate, _ leaf: Certificate) -> Bool {
        guard let wanted = try? genuine.extensions(), let there = try? leaf.extensions() else { return false }
        var others: Set = [
            OID.subjectAltName, OID.subjectKeyIdentifier, OID.authorityKeyIdentifier, OID.keyUsage,
            OID.policyConstraints,
        ]
        // Another purpose is a defect of its own.
        if unsafe X509_get_extended_key_usage(leaf.x509) != X509_get_extended_key_usage(genuine.x509) {
            others.insert(OID.extendedKeyUsage)
        }
        if genuine.isAuthority || leaf.isAuthority { others.insert(OID.basicConstraints) }
        return wanted.allSatisfy { others.contains($0.oid) || there.contains($0) }
    }
}

extension Certificate {
    /// Whether this CA's name constraints exclude a certificate.
    func forbidsName(of other: Certificate) -> Bool {
        ERR_clear_error()
        defer { ERR_clear_error() }
        var critical: Int32 = 0
        guard let raw = unsafe X509_get_ext_d2i(x509, NID_name_constraints, &critical, nil) else {
            // −1: it has none. Constraints that nobody can read permit nothing.
            return critical != -1
        }
        let constraints = unsafe raw.assumingMemoryBound(to: NAME_CONSTRAINTS.self)
        defer { unsafe NAME_CONSTRAINTS_free(constraints) }
        return unsafe NAME_CONSTRAINTS_check(other.x509, constraints) != X509_V_OK
    }
}
