/// What the lint of a forged leaf, and of the issuers made for it, can find wrong.
package enum LeafDefect: String, Hashable, Sendable {
    case wrongName = "wrong-name"
    case noSAN = "no-san"
    case nulInName = "nul-in-name"
    case expired
    case notYetValid = "not-yet-valid"
    case untrustedIssuer = "untrusted-issuer"
    case selfSigned = "self-signed"
    case badSignature = "bad-signature"
    case weakSignature = "weak-signature"
    case weakKey = "weak-key"
    case noServerAuth = "no-server-auth"
    case isCA = "is-ca"
    case tooLong = "lives-too-long"
    case notBackdated = "not-backdated"
    case badSerial = "bad-serial"
    case noVersion3 = "not-version-3"
    case keyUsage = "key-usage"
    case keyIdentifiers = "key-identifiers"
    /// It differs from the certificate it was to be taken for.
    case unlikeTheGenuine = "unlike-the-genuine"
    /// An issuer says that it is no CA.
    case issuerIsEndEntity = "issuer-is-end-entity"
    /// An issuer does not say that it is a CA.
    case issuerWithoutConstraints = "issuer-without-basic-constraints"
    case outsideNameConstraints = "outside-name-constraints"
    case pathTooLong = "path-too-long"
    /// An issuer has a critical extension that OpenSSL does not know.
    case unknownCritical = "unknown-critical-extension"
}
