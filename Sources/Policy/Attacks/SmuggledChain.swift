import Facts

extension Attack {
    /// Pins must be matched on the chain that was *verified*. A client that looks through the list as it was
    /// presented finds the genuine certificates there and lets the forged leaf pass.
    public static let smuggledChain = Attack(
        id: "smuggled-chain", set: .standard,
        presents: "a trusted-ca leaf with the genuine chain appended",
        source: "CVE-2016-2402", weakness: .bypass,
        variants: [
            Variant(name: "after", recipe: Recipe(order: [.leaf, .intermediates, .root, .genuineChain])),
            Variant(name: "between", recipe: Recipe(order: [.leaf, .genuineChain, .intermediates, .root])),
        ])
}
