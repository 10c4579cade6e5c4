import Facts
import Policy

/// A forged leaf before it is made: what it says, for whom, and who signs it.
///
/// The platforms' rules are kept here.
struct LeafSpecification {
    let name: HostName
    let notBefore: Int64
    let notAfter: Int64
    let key: LeafKey
    /// nil: the leaf signs itself.
    let issuer: CertificateAuthority?

    /// 90 days: the strictest limit a platform has announced is longer for CAs that users install.
    static let lifetime: Int64 = 90 * 86_400
    /// Two days before now, because devices' clocks are off.
    static let backdated: Int64 = 2 * 86_400
    /// How far outside its dates a certificate of `expired` or `not-yet-valid` is: no clock is off by so much.
    static let offset: Int64 = 30 * 86_400
    /// The longest common name X.520 allows.
    static let longestCommonName = 64

    /// `end` is the time the issuer ends: no leaf outlives it.
    init(
        _ name: HostName, _ validity: Recipe.Validity, key: LeafKey, issuer: CertificateAuthority?, end: Int64,
        now: Double
    ) throws(ForgeError) {
        self.name = name
        self.key = key
        self.issuer = issuer
        let now = Int64(now)
        switch validity {
        case .current:
            notBefore = now - Self.backdated
            notAfter = min(notBefore + Self.lifetime, end)
            guard notAfter > now else { throw .issuerEndsTooSoon(unixSeconds: end) }
        case .expired:
            notAfter = now - Self.offset
            notBefore = notAfter - Self.lifetime
        case .notYetValid:
            notBefore = now + Self.offset
            notAfter = min(notBefore + Self.lifetime, end)
            guard notAfter > notBefore else { throw .issuerEndsTooSoon(unixSeconds: end) }
        }
    }

    /// When a kept certificate has to be made again: a day before its end, and once a day where the distance from now
    /// is the point of it.
    func freshUntil(_ validity: Recipe.Validity, now: Double) -> Double {
        let day = 86_400.0
        guard validity == .current else { return now + day }
        let end = Double(notAfter)
        // Under an issuer in its last day a new one would end at the same time.
        return end - day > now ? end - day : end
    }

    func make() throws(OpenSSLError) -> Certificate {
        let subject = DistinguishedName(
            organization: "pinproof",
            commonName: name.isIP || name.text.utf8.count > Self.longestCommonName ? nil : name.text
        ).der
        return try CertificateBuilder(
            serial: CertificateBuilder.randomSerial(),
            signature: issuer?.signature ?? CertificateAuthority.signature(for: key.key),
            issuer: issuer?.issuerDER ?? subject, subject: subject, notBefore: notBefore, notAfter: notAfter,
            publicKey: key.key.publicKeyDER,
            extensions: [
                key.usage, .serverAuth, .endEntity, .subjectKeyIdentifier(key.identifier),
                .authorityKeyIdentifier(issuer?.keyIdentifier ?? key.identifier), .subjectAltName(name),
            ]
        ).signed(by: issuer?.key ?? key.key)
    }
}

extension CertificateExtension {
    static func subjectAltName(_ host: HostName) -> Self {
        let name = host.address.map { DER.implicit(7, $0.bytes) } ?? DER.implicit(2, host.text.utf8)
        return Self(oid: OID.subjectAltName, critical: false, value: DER.sequence(name))
    }
}
