/// The keys of a chain as pins see them: the leaf's, and those above it.
///
/// Keys are SHA-256 of the SubjectPublicKeyInfo in base64 (RFC 7469 §2.4).
package struct ChainKeys: Hashable, Sendable {
    /// nil: a key that no pin names.
    package var leaf: String?
    /// Of what stands above the leaf, the anchor among them; those that no pin names are left out.
    package var issuers: [String]
    /// SHA-256 of the leaf's DER, in hexadecimal; nil: a certificate that no pin names.
    package var certificate: String?
    /// False: more may stand above than is known.
    package var isWhole: Bool

    package init(leaf: String?, issuers: [String] = [], certificate: String? = nil, isWhole: Bool = true) {
        self.leaf = leaf
        self.issuers = issuers
        self.certificate = certificate
        self.isWhole = isWhole
    }

    /// Keys and a certificate that nobody has seen yet: what a forging CA shows.
    package static let unknown = ChainKeys(leaf: nil)

    package var all: [String] { (leaf.map { [$0] } ?? []) + issuers }

    /// With a new leaf certificate over another key; nil: one that no pin names.
    package func renewed(leaf: String?) -> ChainKeys { ChainKeys(leaf: leaf, issuers: issuers, isWhole: isWhole) }

    /// With another issuer in the place of one, and so with a new leaf certificate over the same key.
    package func replacing(issuer key: String) -> ChainKeys {
        ChainKeys(leaf: leaf, issuers: issuers.filter { $0 != key }, isWhole: isWhole)
    }
}
