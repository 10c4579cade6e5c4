import Facts
import Policy

/// Certificates made for one forged chain between CA and leaf, and the issuer they end in.
struct SubordinateChain {
    /// The leaf's issuer first.
    private(set) var certificates: [Certificate] = []
    /// What signs the leaf.
    private(set) var issuer: Issuer
    /// When all of them, and the CA, have begun.
    private(set) var begin: Int64
    private let notBefore: Int64

    private typealias Dates = (from: Int64, until: Int64)

    /// - Parameters:
    ///   - genuine: the chain whose issuers are imitated, where they are.
    ///   - isTimeless: imitated issuers are valid whenever the CA is, and not for their own time alone.
    init(
        _ wanted: Recipe.Subordinates, under authority: CertificateAuthority, genuine: GenuineChain?,
        material: ForgeMaterial, isTimeless: Bool, now: Double
    ) throws(OpenSSLError) {
        issuer = authority.issuer
        notBefore = authority.issuing.notBefore
        begin = authority.notBefore
        switch wanted {
        case .none: break
        case .imitating(let imitation):
            // An older CA without room signs the clone itself, which then differs in its issuer.
            guard let genuine, let leaf = genuine.certificates.first, authority.room > 0 else { break }
            let count = min(authority.room, imitation.hasRoot ? .max : genuine.intermediates.count)
            let models = Model.all(of: genuine, above: leaf, imitation.identifiers).prefix {
                !authority.signs(as: $0.name)
            }
            for model in models.prefix(count).reversed() {
                let dates = imitation.hasEnded && certificates.isEmpty ? Self.ended(model.certificate, now) : nil
                let style = model.below.issuerStyle(of: model.certificate)
                let key = try material.issuerKey(style.key, under: authority)
                try add(
                    model.name, key: key, identifier: model.identifier(of: key), signs: style.signature,
                    like: model.certificate, during: dates, isTimeless: isTimeless, now)
                // What is below has not ended with it.
                if dates != nil { issuer.notAfter = authority.issuer.notAfter }
            }
        case .inTheGenuineShape:
            guard let genuine, let leaf = genuine.certificates.first else { break }
            let models = genuine.intermediates
            // A CA that is no root itself stands in the place of one of them.
            let count = min(max(0, models.count - authority.presentedIntermediates.count), authority.room)
            for index in (0..<count).reversed() {
                try add(
                    inThePlaceOf: models[index], above: index == 0 ? leaf : models[index - 1], material, authority, now)
            }
        case .endEntity:
            let key = LeafKey(try .generate(.p256))
            try add(Self.decoyName, key: key, [key.usage, .serverAuth, .endEntity] + Self.decoyNames)
        case .unconstrainedEndEntity:
            try add(Self.decoyName, key: LeafKey(.generate(.p256)), [.serverAuth] + Self.decoyNames)
        case .elsewhereOnly:
            var elsewhere = NameConstraints(domains: [Recipe.decoyName], addresses: []).certificateExtension
            // RFC 5280 §4.2.1.10 wants it so; who does not know the extension must then refuse.
            elsewhere.critical = true
            try add(Self.name("pinproof elsewhere"), key: LeafKey(.generate(.p256)), Self.authority + [elsewhere])
        case .tooMany:
            // Under a CA that allows none itself, one is too many already.
            for level in 0...(authority.room == 0 ? 0 : 1) {
                try add(Self.name("pinproof level \(level + 1)"), key: LeafKey(.generate(.p256)), Self.authority)
            }
        case .ended:
            let key = LeafKey(try .generate(.p256))
            try add(
                Self.name("pinproof ended"), serial: CertificateBuilder.randomSerial(), during: Self.ended(nil, now),
                key: key, identifier: key.identifier, extensions: Self.authority + identifiers(key.identifier))
            issuer.notAfter = authority.issuer.notAfter
        case .rsa:
            try add(
                Self.name("pinproof RSA"), key: material.issuerKey(.rsa(bits: 2048), under: authority),
                Self.authority)
        }
    }

    /// The dates of one that has ended, as long ago as a leaf would have; it began when `model` did, where that is before.
    private static func ended(_ model: Certificate?, _ now: Double) -> Dates {
        let end = Int64(now) - LeafSpecification.offset
        return (min(model?.notBefore ?? .max, end - 365 * 86_400), end)
    }

    /// A CA under which no other fits.
    private static let authority: [CertificateExtension] = [
        .authority(pathLength: 0), .keyUsage(.keyCertSign, .crlSign),
    ]

    private static let decoyName = name(Recipe.decoyName)
    private static let decoyNames = [HostName(Recipe.decoyName)].compactMap {
        $0.map(CertificateExtension.subjectAltName)
    }

    private static func name(_ commonName: String) -> [UInt8] {
        DistinguishedName(organization: "pinproof", commonName: commonName).der
    }

    private mutating func add(
        _ subject: [UInt8], key: LeafKey, _ extensions: [CertificateExtension]
    ) throws(OpenSSLError) {
        try add(
            subject, serial: CertificateBuilder.randomSerial(), during: (notBefore, issuer.notAfter), key: key,
            identifier: key.identifier, extensions: extensions + identifiers(key.identifier))
    }

    /// Adds a CA with a name of ours and all else as `model` has it.
    ///
    /// Name and identifier are this model's alone, though its key serves others as well: a client that keeps issuers
    /// must not take one of them for another.
    private mutating func add(
        inThePlaceOf model: Certificate, above below: Certificate, _ material: ForgeMaterial,
        _ authority: CertificateAuthority, _ now: Double
    ) throws(OpenSSLError) {
        let style = below.issuerStyle(of: model)
        let key = try material.issuerKey(style.key, under: authority)
        let identifier = Array(SHA256.digest(key.identifier + model.der).prefix(20))
        let own = identifiers(identifier)
        let isCurrent = Double(model.notBefore) <= now && Double(model.notAfter) > now
        try add(
            Self.name("pinproof issuer \(Hex.encode(identifier.prefix(4)))"),
            serial: CertificateBuilder.randomSerial(),
            during: isCurrent ? (model.notBefore, model.notAfter) : (notBefore, issuer.notAfter), key: key,
            identifier: identifier, signs: style.signature,
            extensions: model.isAuthority ? model.extensions(replacing: own, inAnIssuer: true) : Self.authority + own)
    }

    /// Adds what reads as `model`; where that is not known, or says nothing of what it may sign, only its name is.
    ///
    /// - Parameter dates: other ones than it has; nil: its own.
    private mutating func add(
        _ subject: [UInt8], key: LeafKey, identifier: [UInt8], signs: SignatureAlgorithm, like model: Certificate?,
        during dates: Dates?, isTimeless: Bool, _ now: Double
    ) throws(OpenSSLError) {
        let own = identifiers(identifier)
        guard let model, model.isAuthority else {
            return try add(
                subject, serial: CertificateBuilder.randomSerial(), during: dates ?? (notBefore, issuer.notAfter),
                key: key, identifier: identifier, signs: signs, extensions: Self.authority + own)
        }
        let isCurrent = Double(model.notBefore) <= now && Double(model.notAfter) > now
        // Some roots have the serial number 0, which RFC 5280 §4.1.2.2 forbids and clients may not take of others.
        let serial = try model.hasPositiveSerial ? model.serial : CertificateBuilder.randomSerial()
        var (begin, end) = isCurrent ? (model.notBefore, model.notAfter) : (notBefore, issuer.notAfter)
        if isTimeless { (begin, end) = (min(begin, notBefore), max(end, issuer.notAfter)) }
        try add(
            subject, serial: serial, during: dates ?? (begin, end), key: key, identifier: identifier, signs: signs,
            extensions: model.extensions(replacing: own, inAnIssuer: true))
    }

    private func identifiers(_ own: [UInt8]) -> [CertificateExtension] {
        [.subjectKeyIdentifier(own), .authorityKeyIdentifier(issuer.keyIdentifier)]
    }

    private mutating func add(
        _ subject: [UInt8], serial: [UInt8], during dates: Dates, key: LeafKey, identifier: [UInt8],
        signs: SignatureAlgorithm? = nil, extensions: [CertificateExtension]
    ) throws(OpenSSLError) {
        let certificate = try CertificateBuilder(
            serial: serial, signature: issuer.signature, issuer: issuer.name, subject: subject, notBefore: dates.from,
            notAfter: dates.until, publicKey: key.key.publicKeyDER, extensions: extensions
        ).signed(by: issuer.key)
        certificates.insert(certificate, at: 0)
        begin = max(begin, dates.from)
        issuer = Issuer(
            name: subject, keyIdentifier: identifier, key: key.key,
            signature: signs ?? CertificateAuthority.signature(for: key.key),
            notAfter: min(dates.until, issuer.notAfter))
    }
}

/// An issuer of the genuine chain, to be imitated.
private struct Model {
    let name: [UInt8]
    /// nil: nothing is known of it but its name.
    let certificate: Certificate?
    /// What it has signed.
    let below: Certificate
    /// The leaf's issuer is at 0.
    let height: Int
    /// The genuine one's key identifier, where the clone may have it.
    private let genuineIdentifier: [UInt8]?

    static func all(
        of genuine: GenuineChain, above leaf: Certificate, _ identifiers: Recipe.Imitation.Identifiers
    ) -> [Model] {
        let path = genuine.path
        let isFirstTaken =
            switch identifiers {
            case .ofTheLeafsIssuer: !genuine.isLeafIssuedByAnchor
            case .own: false
            case .genuine: true
            }
        let first = Model(
            name: leaf.issuerDER, certificate: path.first, below: leaf, height: 0,
            genuineIdentifier: isFirstTaken ? leaf.authorityKeyIdentifier : nil)
        let higher = zip(path.dropFirst(), path).enumerated().map { index, pair in
            Model(
                name: pair.0.subjectDER, certificate: pair.0, below: pair.1, height: index + 1,
                genuineIdentifier: identifiers == .genuine ? pair.0.subjectKeyIdentifier : nil)
        }
        // A client may hold the genuine one as an anchor, or another of its name. What has no identifier is then not
        // told apart from it.
        return [first] + higher.prefix { $0.certificate?.subjectKeyIdentifier != nil }
    }

    /// By name and identifier a client that holds the genuine issuer as an anchor would take that one for the issuer,
    /// and stop at the signature (OpenSSL does): there only the name is the same.
    func identifier(of key: LeafKey) -> [UInt8] {
        if let genuineIdentifier { return genuineIdentifier }
        // One key serves several heights.
        return key.identifier.dropLast() + [UInt8(truncatingIfNeeded: height)]
    }
}
