/// What a server presents: certificates, the leaf first, and the key that signs.
package final class PresentedChain: Sendable {
    package let certificates: [Certificate]
    package let key: PrivateKey
    /// SHA-256 (hex) of each certificate, in the same order.
    package let sha256s: [String]
    /// In what it differs from the genuine chain that it was to be like, but for what it is meant to: see `Likeness`.
    package let unlike: [String]

    package init(certificates: [Certificate], key: PrivateKey, unlike: [String] = []) {
        self.certificates = certificates
        self.key = key
        self.unlike = unlike
        sha256s = certificates.map(\.sha256)
    }

    /// SHA-256 (hex) over the whole list's DER: a name for the list.
    package var sha256: String { SHA256.hex(Array(certificates.map(\.der).joined())) }

    /// The list in PEM, for `presented/` of a run folder.
    package var pem: String { certificates.map(\.pem).joined() }
}
