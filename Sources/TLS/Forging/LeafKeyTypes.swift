/// Types of keys that a leaf may have, besides P-256, to be like the genuine one.
package struct LeafKeyTypes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let p384 = LeafKeyTypes(rawValue: 1)
    package static let p521 = LeafKeyTypes(rawValue: 2)
    package static let ed25519 = LeafKeyTypes(rawValue: 4)
    /// Of any size of `KeyType.rsaSizes`.
    package static let rsa = LeafKeyTypes(rawValue: 8)
    package static let all: LeafKeyTypes = [.p384, .p521, .ed25519, .rsa]

    func has(_ type: KeyType) -> Bool {
        switch type {
        case .p384: contains(.p384)
        case .p521: contains(.p521)
        case .ed25519: contains(.ed25519)
        case .rsa(let bits): contains(.rsa) && KeyType.rsaSizes.contains(bits)
        default: false
        }
    }
}
