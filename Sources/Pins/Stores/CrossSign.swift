import Facts

/// What an older CA has issued for a newer one's key, so that older devices find a path.
///
/// Sources: letsencrypt.org/certificates (with the certificates themselves), security.googleblog.com (2021-03, GTS),
/// AWS Security Blog (2024-08, Amazon and Starfield), Sectigo's and Google's repositories.
struct CrossSign: Hashable, Sendable {
    let subject: KnownCA
    let issuer: KnownCA
    let notAfter: CalendarDate

    private init(_ subject: String, by issuer: String, until year: Int, _ month: Int, _ day: Int) {
        self.subject = KnownCA(subject)
        self.issuer = KnownCA(issuer)
        notAfter = CalendarDate(year: year, month: month, day: day)
    }

    static let all: [CrossSign] = [
        CrossSign("ISRG Root X2", by: "ISRG Root X1", until: 2032, 9, 2),
        CrossSign("Root YE", by: "ISRG Root X2", until: 2032, 9, 2),
        CrossSign("Root YR", by: "ISRG Root X1", until: 2032, 9, 2),
        CrossSign("GTS Root R1", by: "GlobalSign Root CA", until: 2028, 1, 28),
        CrossSign("GTS Root R4", by: "GlobalSign Root CA", until: 2028, 1, 28),
        CrossSign("Amazon Root CA 1", by: "Starfield Services Root Certificate Authority - G2", until: 2037, 12, 31),
        CrossSign("Amazon Root CA 2", by: "Starfield Services Root Certificate Authority - G2", until: 2037, 12, 31),
        CrossSign("Amazon Root CA 3", by: "Starfield Services Root Certificate Authority - G2", until: 2037, 12, 31),
        CrossSign("Amazon Root CA 4", by: "Starfield Services Root Certificate Authority - G2", until: 2037, 12, 31),
        CrossSign(
            "Starfield Services Root Certificate Authority - G2", by: "Starfield Class 2 Certification Authority",
            until: 2034, 6, 28),
        CrossSign("USERTrust RSA Certification Authority", by: "AAA Certificate Services", until: 2028, 12, 31),
        CrossSign("USERTrust ECC Certification Authority", by: "AAA Certificate Services", until: 2028, 12, 31),
        CrossSign(
            "Sectigo Public Server Authentication Root R46", by: "USERTrust RSA Certification Authority", until: 2038,
            1,
            18),
        CrossSign(
            "Sectigo Public Server Authentication Root E46", by: "USERTrust ECC Certification Authority", until: 2038,
            1,
            18),
    ]
}

/// A CA by the name of its key: a public root, or one that is to become one.
struct KnownCA: Hashable, Sendable {
    /// ISRG's next roots, in no store yet; computed from the certificates at letsencrypt.org/certificates.
    static let rootYE = "sCkq5UWXjg+7mKu9lMhhYF5bGLsy7VI/UNW3tccdR7w="
    static let rootYR = "fk6IOKit1ild5647BH06ujSIq5XbCgqlbYl6ANhhi88="

    let name: String
    /// SHA-256 of its SubjectPublicKeyInfo; nil where the name is not known.
    let key: [UInt8]?

    init(_ name: String) {
        self.name = name
        switch name {
        case "Root YE": key = Base64.decoded(Array(Self.rootYE.utf8)[...])
        case "Root YR": key = Base64.decoded(Array(Self.rootYR.utf8)[...])
        default: key = KnownRoot.all.first { $0.name == name }?.key
        }
    }
}
