import COpenSSL
import CShim
import Facts
import Policy

/// Reads a finished leaf back through OpenSSL and says what is wrong with it.
///
/// It knows nothing of how the leaf was made.
struct LeafLint {
    private let trusted: Issuer
    /// Issuers that are not trusted, whose signatures can still be checked.
    private let others: [Issuer]

    private struct Issuer {
        let certificate: Certificate
        let name: [UInt8]
        let keyIdentifier: [UInt8]?

        init(_ certificate: Certificate) {
            self.certificate = certificate
            name = certificate.subjectDER
            keyIdentifier = certificate.subjectKeyIdentifier
        }
    }

    init(trusted: Certificate, others: [Certificate] = []) {
        self.trusted = Issuer(trusted)
        self.others = others.map(Issuer.init)
    }

    func defects(of leaf: Certificate, for host: HostName, now: Double) -> Set<LeafDefect> {
        var found: Set<LeafDefect> = []
        if unsafe X509_get_version(leaf.x509) != 2 { found.insert(.noVersion3) }
        // RFC 5280 §4.1.2.2: positive, at most 20 bytes; the platforms: not to be guessed.
        if !leaf.hasPositiveSerial || !(8...20).contains(leaf.serial.count) { found.insert(.badSerial) }
        if leaf.signatureAlgorithm == nil { found.insert(.weakSignature) }
        found.formUnion(issuerDefects(leaf))
        found.formUnion(dateDefects(leaf, now))
        found.formUnion(nameDefects(leaf, host))
        found.formUnion(keyDefects(leaf))
        return found
    }

    private func issuerDefects(_ leaf: Certificate) -> Set<LeafDefect> {
        var found: Set<LeafDefect> = []
        let issuerName = leaf.issuerDER
        let issuer: Issuer?
        if issuerName == trusted.name {
            issuer = trusted
        } else if issuerName == leaf.subjectDER {
            found.insert(.selfSigned)
            issuer = Issuer(leaf)
        } else {
            found.insert(.untrustedIssuer)
            issuer = others.first { $0.name == issuerName }
        }
        if issuer?.certificate.signed(leaf) != true { found.insert(.badSignature) }
        let authority = leaf.authorityKeyIdentifier
        let matches = authority != nil && issuer?.keyIdentifier.map { $0 == authority } ?? true
        if leaf.subjectKeyIdentifier?.isEmpty ?? true || !matches { found.insert(.keyIdentifiers) }
        return found
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

    private func nameDefects(_ leaf: Certificate, _ host: HostName) -> Set<LeafDefect> {
        guard let names = leaf.alternativeNames else { return [.noSAN] }
        // One name and no other: with more, a client could use the connection for another host (RFC 9113 §9.1.1).
        let wanted = host.address.map { (GEN_IPADD, $0.bytes) } ?? (GEN_DNS, Array(host.text.utf8))
        guard names.count == 1, names[0].type == wanted.0, names[0].bytes == wanted.1 else { return [.wrongName] }
        guard let common = leaf.commonName else { return [] }
        return host.isIP || common != host.text ? [.wrongName] : []
    }

    private func keyDefects(_ leaf: Certificate) -> Set<LeafDefect> {
        var found: Set<LeafDefect> = []
        var usage = UInt32(KU_DIGITAL_SIGNATURE)
        switch leaf.keyType {
        case .ec where KeyType.tlsCurves.contains(leaf.keyType): break
        case .rsa(let bits):
            usage |= UInt32(KU_KEY_ENCIPHERMENT)
            if bits < 2048 { found.insert(.weakKey) }
        case .ec, .other: found.insert(.weakKey)
        }
        // All bits are set when there is no such extension.
        if unsafe X509_get_key_usage(leaf.x509) != usage { found.insert(.keyUsage) }
        if unsafe X509_get_extended_key_usage(leaf.x509) != UInt32(XKU_SSL_SERVER) { found.insert(.noServerAuth) }
        if unsafe X509_get_extension_flags(leaf.x509) & UInt32(EXFLAG_CA) != 0 { found.insert(.isCA) }
        return found
    }
}

extension Certificate {
    /// The subject alternative names; nil when there are none, empty when the extension cannot be read.
    var alternativeNames: [(type: Int32, bytes: [UInt8])]? {
        var critical: Int32 = 0
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let raw = unsafe X509_get_ext_d2i(x509, NID_subject_alt_name, &critical, nil) else {
            return critical == -1 ? nil : []
        }
        let names = OpaquePointer(raw)
        defer { unsafe GENERAL_NAMES_free(names) }
        let all = unsafe (0..<max(0, pp_sk_GENERAL_NAME_num(names))).compactMap { index in
            unsafe GeneralName.read(pp_sk_GENERAL_NAME_value(names, index))
        }
        return all.isEmpty ? nil : all
    }

    /// The first common name of the subject.
    var commonName: String? {
        let name = unsafe X509_get_subject_name(x509)
        let index = unsafe X509_NAME_get_index_by_NID(name, NID_commonName, -1)
        guard index >= 0, let entry = unsafe X509_NAME_get_entry(name, index),
            let value = unsafe X509_NAME_ENTRY_get_data(entry)
        else { return nil }
        return unsafe String(decoding: Self.bytes(of: value), as: UTF8.self)
    }
}
