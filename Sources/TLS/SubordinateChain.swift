import Facts
import Policy

/// Certificates made for one forged chain, between a CA and a leaf, and the issuer they end in.
struct SubordinateChain {
    /// The leaf's issuer first.
    private(set) var certificates: [Certificate] = []
    /// What signs the leaf.
    private(set) var issuer: Issuer
    private let notBefore: Int64

    /// - Parameter genuine: the chain whose leaf's issuer is imitated, where one is.
    init(
        _ wanted: Recipe.Subordinates, under authority: CertificateAuthority, genuine: GenuineChain?,
        material: ForgeMaterial
    ) throws(OpenSSLError) {
        issuer = authority.issuer
        notBefore = authority.issuing.notBefore
        switch wanted {
        case .none: break
        case .genuineIssuerLookalike:
            // An older CA without room signs the clone itself, which then differs in its issuer.
            guard let genuine, let leaf = genuine.certificates.first, authority.room > 0 else { break }
            let style = leaf.issuerStyle
            let key = try material.issuerKey(style.key)
            // By name and identifier a client that holds the genuine issuer as an anchor would take that one for the
            // issuer, and stop at the signature (OpenSSL does): there only the name is the same.
            let identifier = genuine.isLeafIssuedByAnchor ? nil : leaf.authorityKeyIdentifier
            try add(leaf.issuerDER, key: key, identifier: identifier, signs: style.signature, Self.authority)
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
        case .rsa:
            try add(Self.name("pinproof RSA"), key: material.issuerKey(.rsa(bits: 2048)), Self.authority)
        }
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
        _ subject: [UInt8], key: LeafKey, identifier: [UInt8]? = nil, signs: SignatureAlgorithm? = nil,
        _ extensions: [CertificateExtension]
    ) throws(OpenSSLError) {
        let identifier = identifier ?? key.identifier
        let certificate = try CertificateBuilder(
            serial: CertificateBuilder.randomSerial(), signature: issuer.signature, issuer: issuer.name,
            subject: subject, notBefore: notBefore, notAfter: issuer.notAfter, publicKey: key.key.publicKeyDER,
            extensions: extensions + [
                .subjectKeyIdentifier(identifier), .authorityKeyIdentifier(issuer.keyIdentifier),
            ]
        ).signed(by: issuer.key)
        certificates.insert(certificate, at: 0)
        issuer = Issuer(
            name: subject, keyIdentifier: identifier, key: key.key,
            signature: signs ?? CertificateAuthority.signature(for: key.key), notAfter: issuer.notAfter)
    }
}
