import Facts
import Policy

/// A forged leaf before it is made: what it says, for whom, and who signs it.
///
/// The platforms' rules are kept here.
struct LeafSpecification {
    private(set) var subject: [UInt8]
    /// nil: a random one.
    private(set) var serial: [UInt8]?
    private(set) var notBefore: Int64
    private(set) var notAfter: Int64
    let key: LeafKey
    private(set) var keyIdentifier: [UInt8]
    private let alternativeNames: CertificateExtension?
    /// All of them, where it passes for another certificate.
    private var likeness: [CertificateExtension]?
    var purpose = CertificateExtension.serverAuth
    /// Basic constraints: it is no CA, unless a recipe wants it to say so.
    var constraints = CertificateExtension.endEntity
    /// It says its names, and nothing else.
    var isBare = false
    /// The public key, in DER, that stands in an extension beside the leaf's own.
    var keyBeside: [UInt8]?
    /// Bytes of its DER, where a signature of some length can make it so.
    private var length: Int?
    /// nil: the leaf signs itself.
    let issuer: Issuer?

    /// 90 days: the strictest limit a platform has announced is longer for CAs that users install.
    static let lifetime: Int64 = 90 * 86_400
    /// The shortest that browsers have agreed on (CA/Browser Forum, SC-081v3: from 2029-03-15 on).
    static let shortLifetime: Int64 = 47 * 86_400
    /// Two days before now, because devices' clocks are off.
    static let backdated: Int64 = 2 * 86_400
    /// How far outside its dates a certificate of `expired` or `not-yet-valid` is: no clock is off by so much.
    static let offset: Int64 = 30 * 86_400
    /// What one under a CA that soon ends has to be at the least: clocks that are set by a network are seconds off.
    static let leastOffset: Int64 = 3600

    /// `begin` and `end` are the issuer's: no leaf outlives it, and none ends before it has begun.
    init(
        _ name: LeafName, _ validity: Recipe.Validity, key: LeafKey, issuer: Issuer?, begin: Int64, end: Int64,
        now: Double
    ) throws(ForgeError) {
        subject = DistinguishedName(organization: name.isOrganized ? "pinproof" : nil, commonName: name.commonName).der
        self.key = key
        keyIdentifier = key.identifier
        alternativeNames = name.alternative
        self.issuer = issuer
        let now = Int64(now)
        switch validity {
        case .current:
            notBefore = now - Self.backdated
            notAfter = min(notBefore + Self.lifetime, end)
            guard notAfter > now else { throw .issuerEndsTooSoon(unixSeconds: end) }
        case .expired:
            // A young CA's certificate ended half-way between then and now.
            notAfter = max(now - Self.offset, begin < now ? begin + (now - begin) / 2 : .min)
            notBefore = max(notAfter - Self.lifetime, begin < notAfter ? begin : .min)
        case .notYetValid:
            // A CA that soon ends has one that begins half-way between now and then.
            notBefore = min(now + Self.offset, now + max(end - now, 0) / 2)
            notAfter = min(notBefore + Self.lifetime, end)
            guard notBefore > now + Self.leastOffset else { throw .issuerEndsTooSoon(unixSeconds: end) }
        case .around(let day):
            let begin = Int64(day.daysSince1970) * 86_400
            notBefore = begin - 86_400
            notAfter = min(notBefore + Self.shortLifetime, end)
            guard notAfter > begin + 86_400 else { throw .issuerEndsTooSoon(unixSeconds: end) }
        }
    }

    /// Everything a certificate says of itself but its key, from the genuine one, and as many bytes of it: an app may compare
    /// its length, or a beginning that has the length in it.
    mutating func take(
        identityOf genuine: Certificate, names: CertificateExtension?, now: Double
    ) throws(OpenSSLError) {
        serial = genuine.serial
        length = genuine.der.count
        keyIdentifier = genuine.subjectKeyIdentifier ?? keyIdentifier
        try take(namesOf: genuine, names: names)
        guard isCurrent(genuine, now) else { return }
        (notBefore, notAfter) = (genuine.notBefore, genuine.notAfter)
    }

    /// The same but serial number and key identifier, and the genuine dates as far as they lie within the issuers'.
    mutating func take(
        likenessOf genuine: Certificate, names: CertificateExtension?, from begin: Int64, until end: Int64, now: Double
    ) throws(OpenSSLError) {
        try take(namesOf: genuine, names: names)
        guard isCurrent(genuine, now) else { return }
        (notBefore, notAfter) = (max(genuine.notBefore, begin), min(genuine.notAfter, end))
    }

    /// Names and extensions as of the genuine one, and number and dates as of one that has just been issued for as long.
    mutating func take(
        renewalOf genuine: Certificate, names: CertificateExtension?, until end: Int64, now: Double
    ) throws(OpenSSLError) {
        try take(namesOf: genuine, names: names)
        guard isCurrent(genuine, now) else { return }
        // What was issued a moment ago is not so for clocks that are off.
        notBefore = min(max(genuine.notBefore + 1, Int64(now) - Self.justIssued), Int64(now))
        let (whole, isTooMuch) = notBefore.addingReportingOverflow(genuine.notAfter - genuine.notBefore)
        notAfter = min(isTooMuch ? end : whole, end)
    }

    /// How long ago a renewed certificate was issued, in seconds.
    static let justIssued: Int64 = 3600

    private mutating func take(namesOf genuine: Certificate, names: CertificateExtension?) throws(OpenSSLError) {
        subject = genuine.subjectDER
        var own = identifiers
        if let names { own.append(names) }
        // What is no CA may sign none (RFC 5280 §4.2.1.3): who is strict would have something else to dislike.
        let isOnlyCAs = genuine.signsCertificates && constraints == .endEntity
        if isOnlyCAs || !genuine.isUsed(as: key.key.type) { own.append(key.usage) }
        if purpose != .serverAuth { own.append(purpose) }
        // A server's own certificate may be a CA, as `openssl req -x509` makes them; none of ours is.
        if genuine.isAuthority || constraints != .endEntity { own.append(constraints) }
        likeness = try genuine.extensions(replacing: own)
    }

    /// Outside its dates it would be refused for them; and where the dates are the point, they are not the genuine ones.
    private func isCurrent(_ genuine: Certificate, _ now: Double) -> Bool {
        Double(notBefore) <= now && Double(notAfter) > now && Double(genuine.notBefore) <= now
            && Double(genuine.notAfter) > now
    }

    /// When a kept certificate has to be made again: a day before its end, and once a day where the distance from now
    /// is the point of it.
    func freshUntil(_ validity: Recipe.Validity, now: Double) -> Double {
        let day = 86_400.0
        // In good time before it becomes valid another one is made, or none.
        if validity == .notYetValid { return min(now + day, Double(notBefore - Self.leastOffset / 2)) }
        guard validity == .current else { return now + day }
        let end = Double(notAfter)
        // Under an issuer in its last day a new one would end at the same time.
        return end - day > now ? end - day : end
    }

    func make(_ signature: Recipe.Signature = .sound) throws(OpenSSLError) -> Certificate {
        let sound = issuer?.signature ?? CertificateAuthority.signature(for: signer)
        let algorithm =
            switch signature {
            case .sound, .corrupted, .byAnotherKey, .zeros: sound
            case .sha1: sound.with(.sha1)
            case .md5: sound.with(.md5)
            }
        let key = signature == .byAnotherKey ? try PrivateKey.generate(signer.type) : signer
        let number = if let serial { serial } else { try CertificateBuilder.randomSerial() }
        return try CertificateBuilder(
            serial: number, signature: algorithm,
            issuer: issuer?.name ?? subject, subject: subject, notBefore: notBefore, notAfter: notAfter,
            publicKey: self.key.key.publicKeyDER,
            extensions: likeness ?? ownExtensions
        ).signed(by: key, changed: signature, length: length)
    }

    /// What signs it.
    var signer: PrivateKey { issuer?.key ?? key.key }

    private var identifiers: [CertificateExtension] {
        [
            .subjectKeyIdentifier(keyIdentifier),
            .authorityKeyIdentifier(issuer?.keyIdentifier ?? keyIdentifier),
        ]
    }

    private var ownExtensions: [CertificateExtension] {
        if isBare { return [alternativeNames].compactMap(\.self) }
        return [key.usage, purpose, constraints] + identifiers
            + [alternativeNames, keyBeside.map(CertificateExtension.alternativePublicKey)].compactMap(\.self)
    }
}
