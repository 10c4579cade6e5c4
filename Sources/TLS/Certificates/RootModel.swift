import Facts

/// What a CA takes from a genuine root that it is made like.
///
/// The name, and the type and size of the key.
package struct RootModel: Hashable, Sendable {
    let name: [UInt8]
    package let keyType: KeyType

    /// - Parameters:
    ///   - topmost: of a genuine chain: its root, or else what the root has signed. The key of a root that is not there is
    ///     told by the signature that it made.
    /// nil: the root has no name, or a key that no CA is made with here (Ed25519, and rare curves).
    package init?(above topmost: Certificate) {
        let isRoot = topmost.isSelfIssued
        guard topmost.hasIssuerName, topmost.signatureAlgorithm != .ed25519,
            let type = (isRoot ? topmost.keyType : topmost.signerKeyType).imitated, type != .ed25519
        else { return nil }
        name = topmost.issuerDER
        keyType = type
    }
}

extension Certificate {
    /// An empty name is a SEQUENCE without content.
    fileprivate var hasIssuerName: Bool { issuerDER.count > 2 }
}
