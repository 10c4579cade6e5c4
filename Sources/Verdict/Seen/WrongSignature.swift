import Facts
import Policy

/// Which attacks sign something wrong on purpose: the handshake, or the leaf.
///
/// Only there is a complaint about a signature an answer to what was shown, rather than to a fault of ours.
enum WrongSignature {
    /// nil for an attack that this version does not know: it may do so too.
    static func isShown(under attack: AttackID, _ variant: String?) -> Bool? {
        guard let attack = AttackCatalogue.attack(attack) else { return nil }
        guard let variant = attack.variants.first(where: { $0.name == variant }) ?? attack.variants.first else {
            return nil
        }
        return variant.recipe.imitatesKey || [.corrupted, .byAnotherKey].contains(variant.recipe.signature)
    }
}
