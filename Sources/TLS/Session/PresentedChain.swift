/// What a server presents: certificates, the leaf first, and the key that signs.
package final class PresentedChain: Sendable {
    package let certificates: [Certificate]
    package let key: PrivateKey
    /// SHA-256 (hex) of each certificate, in the same order.
    package let sha256s: [String]

    package init(certificates: [Certificate], key: PrivateKey) {
        self.certificates = certificates
        self.key = key
        sha256s = certificates.map(\.sha256)
    }

    /// SHA-256 (hex) over the whole list's DER: a name for the list.
    package var sha256: String { SHA256.hex(Array(certificates.map(\.der).joined())) }

    /// The list in PEM, for `presented/` of a run folder.
    package var pem: String { certificates.map(\.pem).joined() }
}
