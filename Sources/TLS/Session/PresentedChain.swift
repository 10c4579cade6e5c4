/// What a server presents: certificates, the leaf first, and the key that signs.
package final class PresentedChain: Sendable {
    package let certificates: [Certificate]
    package let key: PrivateKey
    /// SHA-256 (hex) of each certificate, in the same order.
    package let sha256s: [String]
    /// In what it differs from the genuine chain that it was to be like, but for what it is meant to: see `Likeness`.
    package let unlike: [String]
    /// Who says by OCSP that the leaf is good.
    let voucher: Voucher

    enum Voucher: Sendable {
        case nobody
        /// The chain is the origin's: so is the answer.
        case origin
        case issuer(OCSPResponder)
    }

    package convenience init(certificates: [Certificate], key: PrivateKey) {
        self.init(certificates: certificates, key: key, voucher: .nobody)
    }

    init(certificates: [Certificate], key: PrivateKey, unlike: [String] = [], voucher: Voucher) {
        self.certificates = certificates
        self.key = key
        self.unlike = unlike
        self.voucher = voucher
        sha256s = certificates.map(\.sha256)
    }

    /// SHA-256 (hex) over the whole list's DER: a name for the list.
    package var sha256: String { SHA256.hex(Array(certificates.map(\.der).joined())) }

    /// The list in PEM, for `presented/` of a run folder.
    package var pem: String { certificates.map(\.pem).joined() }
}
