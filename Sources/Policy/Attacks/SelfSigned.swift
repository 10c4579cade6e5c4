import Facts

extension Attack {
    /// The right name under a certificate that vouches for itself.
    package static let selfSigned = Attack(
        id: "self-signed", set: .standard,
        presents: "right name, its own issuer",
        source: "CWE-295; MASTG-TEST-0021", weakness: .brokenTLS,
        standards: .validation("CWE-295", "CWE-296"),
        recipe: Recipe(signer: .leafItself, order: [.leaf], defects: [.selfSigned]))
}
