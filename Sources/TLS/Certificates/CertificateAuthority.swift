import COpenSSL
import Facts
import Policy

/// A CA that signs forged leaves: its certificates, its key, and what it may sign.
package final class CertificateAuthority: Sendable {
    package enum Kind: String, Sendable, Hashable {
        /// Its root signs leaves directly; the root key is kept.
        case general
        /// An intermediate with name constraints signs; the root key was destroyed when it was made.
        case constrained
        /// Somebody else's, brought along by `--ca-cert` and `--ca-key`.
        case lent
    }

    package let kind: Kind
    /// What clients are meant to trust.
    package let root: Certificate
    /// What signs leaves; the root itself unless the CA is constrained.
    package let issuing: Certificate
    package let key: PrivateKey
    private let constraints: NameConstraints?

    /// Checked by the makers: the key is the issuing certificate's.
    package init(kind: Kind, root: Certificate, issuing: Certificate, key: PrivateKey) throws(CAError) {
        self.kind = kind
        self.root = root
        self.issuing = issuing
        self.key = key
        constraints = try issuing.nameConstraints()
        signature = Self.signature(for: key)
        issuerDER = issuing.subjectDER
        keyIdentifier = issuing.subjectKeyIdentifier ?? Self.keyIdentifier(of: issuing.publicKeyDER)
        notAfter = min(issuing.notAfter, root.notAfter)
        notBefore = max(issuing.notBefore, root.notBefore)
        let above = root == issuing ? .max : (root.pathLength ?? .max) - 1
        room = min(issuing.pathLength ?? .max, above)
    }

    /// The certificates that stand between a leaf and what clients trust. A lent CA that another one issued is
    /// presented too: clients may hold only its issuer.
    package var presentedIntermediates: [Certificate] { issuing.isSelfIssued ? [] : [issuing] }

    /// May it sign for this host? A client would refuse a certificate outside the name constraints for that reason
    /// alone, and the refusal would prove nothing.
    package func permits(_ host: HostName) -> Bool { constraints?.permits(host) ?? true }

    /// The same of a name that is no host's: a wildcard, or what only looks like a domain.
    func permits(domain: String) -> Bool { constraints?.permits(domain: domain) ?? true }

    var isConstrained: Bool { constraints != nil }

    /// The domains and addresses it is constrained to, without the reserved one; empty for a CA without constraints.
    package var scope: [String] {
        guard let constraints else { return [] }
        return constraints.permittedDomains.filter { $0 != Self.reservedDomain }
            + constraints.permittedAddresses.compactMap { $0.single?.description }
    }

    /// The self-test's and `other-host`'s own domain: reserved (RFC 6761), so no one else's.
    package static let reservedDomain = "pinproof.invalid"

    /// Its root was made with the name of another CA's. Where it is installed, its name does not tell it from that one.
    package var isNamesake: Bool {
        let own = Hex.encode(Self.keyIdentifier(of: root.publicKeyDER).prefix(4))
        return kind != .lent && !root.subject.hasPrefix("CN=pinproof root \(own) ")
    }

    /// It signs by itself, under this name: then nothing that is made below it may bear that name as well, and it stands
    /// in the place of the genuine root.
    func signs(as name: [UInt8]) -> Bool { issuing == root && root.subjectDER == name }

    // What each leaf needs of its issuer, read once.
    let signature: SignatureAlgorithm
    let issuerDER: [UInt8]
    let keyIdentifier: [UInt8]
    /// No leaf may outlive it, and none can have been valid before it was.
    let notAfter: Int64
    let notBefore: Int64

    /// How many CAs path lengths allow between it and a leaf; older ones allow none.
    let room: Int

    /// It as the one that signs a certificate.
    var issuer: Issuer {
        Issuer(name: issuerDER, keyIdentifier: keyIdentifier, key: key, signature: signature, notAfter: notAfter)
    }

    /// The leftmost 160 bits of the SHA-256 of the SubjectPublicKeyInfo (in the manner of RFC 7093 §2).
    static func keyIdentifier(of publicKey: [UInt8]) -> [UInt8] { Array(SHA256.digest(publicKey).prefix(20)) }

    static func signature(for key: PrivateKey) -> SignatureAlgorithm {
        switch key.type {
        case .rsa: .rsa(.sha256)
        case .ed25519: .ed25519
        default: .ecdsa(.sha256)
        }
    }
}

extension CertificateAuthority {
    /// By how much its certificates are backdated: it was there when a certificate that is now `expired` began. Else a
    /// client that verifies that one as of its last day would refuse the CA, and not the certificate.
    static let backdated = LeafSpecification.offset + LeafSpecification.lifetime + LeafSpecification.backdated
    /// Two years: long enough to be forgotten by nobody, short enough that a stolen one dies.
    static let lifetime: Int64 = 730 * 86_400

    /// A clone needs a CA between this one and the leaf for each in the genuine chain: that is two or three, root
    /// included, and seldom one more.
    static let newRoom: UInt = 4

    /// A root that signs leaves directly, and CAs that last for one forged chain.
    ///
    /// - Parameter model: the genuine root that its root is named like; nil: it has a name of ours.
    package static func general(now: Double, like model: RootModel? = nil) throws -> CertificateAuthority {
        let made = try root(now: now, pathLength: newRoom, like: model)
        return try CertificateAuthority(
            kind: .general, root: made.certificate, issuing: made.certificate, key: made.key)
    }

    /// A root whose key signs one intermediate, constrained to the profile's hosts, and is gone when this returns.
    ///
    /// Hosts of `expect: tunnel` are never forged for, so they are not in it.
    ///
    /// - Parameter model: the genuine root that its root is named like; nil: it has a name of ours.
    package static func constrained(
        to profile: Profile, now: Double, like model: RootModel? = nil
    ) throws -> CertificateAuthority {
        guard profile.others != .accept else {
            throw CAError(
                .profile, "profile \(profile.name): \"others: accept\" forges for every host, a constrained CA cannot",
                hint: "remove \"others: accept\", or make a general CA (without --only)")
        }
        let hosts = (profile.rules.filter { $0.expect != .tunnel }.map(\.pattern) + profile.controls).map(\.base)
        guard !hosts.isEmpty else {
            throw CAError(
                .profile, "profile \(profile.name) names no host to forge for",
                hint: "add one with \"expect: refuse\" or \"expect: accept\" under hosts:")
        }
        let constraints = NameConstraints(
            domains: hosts.filter { !$0.isIP }.map(\.text) + [reservedDomain], addresses: hosts.compactMap(\.address))
        let root = try root(now: now, pathLength: newRoom + 1, like: model)
        let key = try PrivateKey.generate(.p256)
        let identifier = keyIdentifier(of: key.publicKeyDER)
        let intermediate = try CertificateBuilder(
            serial: CertificateBuilder.randomSerial(), signature: signature(for: root.key),
            issuer: root.certificate.subjectDER,
            subject: name("issuer", identifier, now).der, notBefore: root.certificate.notBefore,
            notAfter: root.certificate.notAfter, publicKey: key.publicKeyDER,
            extensions: [
                .authority(pathLength: newRoom), .keyUsage(.keyCertSign, .crlSign), constraints.certificateExtension,
                .subjectKeyIdentifier(identifier), .authorityKeyIdentifier(keyIdentifier(of: root.key.publicKeyDER)),
            ]
        ).signed(by: root.key)
        return try CertificateAuthority(kind: .constrained, root: root.certificate, issuing: intermediate, key: key)
        // Here the last reference to the root key ends, and OpenSSL overwrites it when it frees it.
    }

    private static func root(
        now: Double, pathLength: UInt, like model: RootModel?
    ) throws -> (certificate: Certificate, key: PrivateKey) {
        let key = try PrivateKey.generate(model?.keyType ?? .p256)
        let identifier = keyIdentifier(of: key.publicKeyDER)
        let name = model?.name ?? Self.name("root", identifier, now).der
        let second = Int64(now)
        let certificate = try CertificateBuilder(
            serial: CertificateBuilder.randomSerial(), signature: signature(for: key), issuer: name, subject: name,
            notBefore: second - backdated, notAfter: second + lifetime, publicKey: key.publicKeyDER,
            extensions: [
                .authority(pathLength: pathLength), .keyUsage(.keyCertSign, .crlSign),
                .subjectKeyIdentifier(identifier), .authorityKeyIdentifier(identifier),
            ]
        ).signed(by: key)
        return (certificate, key)
    }

    private static func name(_ role: String, _ identifier: [UInt8], _ now: Double) -> DistinguishedName {
        let day = UTCTime(unix: now).date.description
        return DistinguishedName(
            organization: "pinproof", commonName: "pinproof \(role) \(Hex.encode(identifier.prefix(4))) \(day)")
    }
}
