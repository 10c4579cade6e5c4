/// What signs a certificate: a name, a key and how it is used.
struct Issuer: Sendable {
    let name: [UInt8]
    let keyIdentifier: [UInt8]
    let key: PrivateKey
    let signature: SignatureAlgorithm
    /// Nothing that it signs may outlive it.
    var notAfter: Int64
}
