import Facts

extension Attack {
    /// The pinning test itself: everything is right but the key. A client without a pin sends its request.
    public static let trustedCA = Attack(
        id: .trustedCA, set: .quick,
        presents: "right name, signed by the CA the tester installed",
        source: "OWASP MASTG-TEST-0244", weakness: .unpinned, recipe: Recipe())
}
