import COpenSSL
import Facts
import Policy

/// Reads a finished leaf and its issuers back through OpenSSL, and says what is wrong.
///
/// It sees the finished certificate alone, and shares nothing with its making but the limits of `LeafSpecification`.
struct LeafLint {
    private let trusted: Issuer
    /// Issuers that are not trusted, whose signatures can still be checked.
    private let others: [Issuer]

    /// The trusted one first.
    var known: [Issuer] { [trusted] + others }

    struct Issuer {
        let certificate: Certificate
        let name: [UInt8]
        let keyIdentifier: [UInt8]?
        let pathLength: Int?

        init(_ certificate: Certificate) {
            self.certificate = certificate
            name = certificate.subjectDER
            keyIdentifier = certificate.subjectKeyIdentifier
            pathLength = certificate.pathLength
        }
    }

    init(trusted: Certificate, others: [Certificate] = []) {
        self.trusted = Issuer(trusted)
        self.others = others.map(Issuer.init)
    }

    /// In what a leaf is like the genuine one, beside names and extensions.
    enum Resemblance {
        /// Serial number, key identifier and dates.
        case clone
        /// Its dates, as far as its issuers' allow.
        case alike
        /// Its dates are later ones.
        case renewed

        init(_ identity: Recipe.Identity) {
            self =
                switch identity {
                case .genuine: .clone
                case .renewed: .renewed
                case .own, .likeTheGenuine, .ownBesideTheGenuineKey: .alike
                }
        }
    }

    /// - Parameters:
    ///   - subordinates: what stands between the leaf and the CA, the leaf's issuer first.
    ///   - genuine: what the leaf is to be taken for; its dates and names are then right when they are equal.
    ///   - resemblance: how far it is to be taken for that one.
    ///   - form: how the leaf is to name the host.
    ///   - verifies: its signature as well, which takes as long as all the rest ten times over.
    func defects(
        of leaf: Certificate, below subordinates: [Certificate] = [], like genuine: Certificate? = nil,
        resembling resemblance: Resemblance = .clone, named form: Recipe.Name = .target, for host: HostName,
        now: Double,
        verifies: Bool = true
    ) -> Set<LeafDefect> {
        var found: Set<LeafDefect> = []
        if unsafe X509_get_version(leaf.x509) != 2 { found.insert(.noVersion3) }
        if leaf.signatureAlgorithm == nil { found.insert(.weakSignature) }
        found.formUnion(issuerDefects(leaf, subordinates.first, verifies))
        found.formUnion(keyDefects(leaf, like: genuine))
        if let genuine {
            found.formUnion(likenessDefects(leaf, genuine, resemblance, host, now))
        } else {
            found.formUnion(dateDefects(leaf, now))
            found.formUnion(nameDefects(leaf, form, host))
        }
        // RFC 5280 §4.1.2.2: positive, at most 20 bytes; the platforms: not to be guessed.
        if genuine == nil || resemblance != .clone, !leaf.hasPositiveSerial || !(8...20).contains(leaf.serial.count) {
            found.insert(.badSerial)
        }
        if !subordinates.isEmpty { found.formUnion(subordinateDefects(leaf, subordinates, now)) }
        return found
    }

    /// A certificate's issuer is the one made for it, or else one of the CAs that are known.
    func issuerDefects(_ leaf: Certificate, _ subordinate: Certificate?, _ verifies: Bool = true) -> Set<LeafDefect> {
        var found: Set<LeafDefect> = []
        let issuerName = leaf.issuerDER
        let issuer: Issuer?
        if let subordinate, subordinate.subjectDER == issuerName {
            issuer = Issuer(subordinate)
        } else if issuerName == trusted.name, isByTrusted(leaf) {
            issuer = trusted
        } else if issuerName == leaf.subjectDER {
            found.insert(.selfSigned)
            issuer = Issuer(leaf)
        } else {
            found.insert(.untrustedIssuer)
            issuer = others.first { $0.name == issuerName }
        }
        if issuer == nil || verifies && issuer?.certificate.signed(leaf) != true { found.insert(.badSignature) }
        let authority = leaf.authorityKeyIdentifier
        let matches = authority != nil && issuer?.keyIdentifier.map { $0 == authority } ?? true
        if leaf.subjectKeyIdentifier?.isEmpty ?? true || !matches { found.insert(.keyIdentifiers) }
        return found
    }

    /// A root that was made like the genuine one has its name, which then says little.
    private func isByTrusted(_ leaf: Certificate) -> Bool {
        leaf.authorityKeyIdentifier == trusted.keyIdentifier || trusted.certificate.signed(leaf)
    }

    private func dateDefects(_ leaf: Certificate, _ now: Double) -> Set<LeafDefect> {
        var found: Set<LeafDefect> = []
        let (begin, end) = (leaf.notBefore, leaf.notAfter)
        if Double(end) < now { found.insert(.expired) }
        if Double(begin) > now {
            found.insert(.notYetValid)
        } else if Double(begin) > (now - Double(LeafSpecification.backdated)).rounded(.up) {
            found.insert(.notBackdated)
        }
        let (length, overflow) = end.subtractingReportingOverflow(begin)
        if overflow || length > LeafSpecification.lifetime { found.insert(.tooLong) }
        return found
    }

    private func nameDefects(_ leaf: Certificate, _ form: Recipe.Name, _ host: HostName) -> Set<LeafDefect> {
        switch form {
        case .noCommonName: return leaf.commonName == nil ? singleNameDefects(leaf, host, nil) : [.wrongName]
        case .foreignCommonName(let other): return singleNameDefects(leaf, host, other?.text ?? Recipe.decoyName)
        case .wildcard: return leaf.alternativeNames?.count == 1 && leaf.isFor(host) ? [] : [.wrongName]
        case .second(let other):
            guard let names = leaf.alternativeNames, names.count == 2, leaf.isFor(host) else { return [.wrongName] }
            return names[0].bytes == Array((other?.text ?? Recipe.decoyName).utf8) ? [] : [.wrongName]
        case .targetBeside(let patterns):
            let wanted = [HostPattern(exactly: host)] + patterns
            let bytes = wanted.map { $0.base.address?.bytes ?? Array($0.certifiedName.utf8) }
            return leaf.alternativeNames?.map(\.bytes) == bytes && leaf.isFor(host) ? [] : [.wrongName]
        case .besideLocal(let local):
            let wanted = [host] + local.filter { $0 != host }
            let bytes = wanted.map { $0.address?.bytes ?? Array($0.text.utf8) }
            return leaf.alternativeNames?.map(\.bytes) == bytes && leaf.isFor(host) ? [] : [.wrongName]
        case .capitals:
            let names = leaf.alternativeNames?.map(\.bytes) ?? []
            let wanted = host.address?.bytes ?? Array(host.text.uppercased().utf8)
            return leaf.commonName == nil && names == [wanted] && leaf.isFor(host) ? [] : [.wrongName]
        case .target, .decoy, .known, .affixed, .commonNameOnly, .beforeNUL, .topLevelWildcard, .parentDomain:
            return singleNameDefects(leaf, host, host.text)
        }
    }

    /// - Parameter subject: the common name that the leaf may have.
    private func singleNameDefects(_ leaf: Certificate, _ host: HostName, _ subject: String?) -> Set<LeafDefect> {
        guard let names = leaf.alternativeNames else {
            return leaf.commonName.map { $0 == host.text } ?? true ? [.noSAN] : [.noSAN, .wrongName]
        }
        // One name and no other: with more, a client could use the connection for another host (RFC 9113 §9.1.1).
        let wanted = host.address.map { (GEN_IPADD, $0.bytes) } ?? (GEN_DNS, Array(host.text.utf8))
        if names.count == 1, names[0].type == GEN_DNS, names[0].bytes.starts(with: Array(host.text.utf8) + [0]) {
            return leaf.commonName == nil ? [.nulInName] : [.nulInName, .wrongName]
        }
        guard names.count == 1, names[0].type == wanted.0, names[0].bytes == wanted.1 else { return [.wrongName] }
        guard let common = leaf.commonName else { return [] }
        return common != subject || host.isIP && common == host.text ? [.wrongName] : []
    }

    private func keyDefects(_ leaf: Certificate, like genuine: Certificate?) -> Set<LeafDefect> {
        var found: Set<LeafDefect> = []
        var usage = UInt32(KU_DIGITAL_SIGNATURE)
        switch leaf.keyType {
        case .ec where KeyType.tlsCurves.contains(leaf.keyType): break
        case .ed25519: break
        case .rsa(let bits):
            usage |= UInt32(KU_KEY_ENCIPHERMENT)
            if bits < 2048 { found.insert(.weakKey) }
        case .ec, .other: found.insert(.weakKey)
        }
        // All bits are set when there is no such extension; a clone has none either where the genuine one has none.
        var purpose = UInt32(XKU_SSL_SERVER)
        if let genuine {
            let isOnlyCAs = genuine.signsCertificates && !leaf.isAuthority
            if !isOnlyCAs, genuine.isUsed(as: leaf.keyType) { usage = unsafe X509_get_key_usage(genuine.x509) }
            purpose = unsafe X509_get_extended_key_usage(genuine.x509)
        }
        if unsafe X509_get_key_usage(leaf.x509) != usage { found.insert(.keyUsage) }
        if unsafe X509_get_extended_key_usage(leaf.x509) != purpose { found.insert(.noServerAuth) }
        if leaf.isAuthority { found.insert(.isCA) }
        return found
    }
}
