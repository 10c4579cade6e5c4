import Policy

extension Attack {
    /// The fault that this attack's first form has, in a short chain with the host as its only name: it needs no origin.
    package var plain: Variant {
        let full = variants[0].recipe
        var recipe = Recipe(
            signer: full.signer, name: full.name, validity: full.validity, purpose: full.purpose,
            signature: full.signature, defects: full.defects)
        if full.signer == .leafItself { recipe.order = [.leaf] }
        return Variant(name: nil, recipe: recipe)
    }
}
