/// What a server presents: certificates, the leaf first, and the key that signs.
public final class PresentedChain: Sendable {
    public let certificates: [Certificate]
    public let key: PrivateKey
    /// SHA-256 (hex) of each certificate, in the same order.
    public let sha256s: [String]

    public init(certificates: [Certificate], key: PrivateKey) {
        self.certificates = certificates
        self.key = key
        sha256s = certificates.map(\.sha256)
    }

    /// SHA-256 (hex) over the whole list's DER: a name for the list.
    public var sha256: String { SHA256.hex(Array(certificates.map(\.der).joined())) }

    /// The list in PEM, for `presented/` of a run folder.
    public var pem: String { certificates.map(\.pem).joined() }
}
