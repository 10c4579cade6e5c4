import Facts

/// L18: two lists of which each has to match, and that never do together.
enum LeafAndCACannotMatch: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L18", "leaf-and-ca-cannot-both-match", .error, "The leaf's and the CA's pins can never both match",
        why:
            "iOS takes NSPinnedLeafIdentities and NSPinnedCAIdentities as two conditions, and both have to hold. A CA's key among the leaf's, the same key in both lists, or a list of which every entry is dropped refuses every connection.",
        fix: "Keep one of the lists, or put leaf keys into the one and CA keys into the other.",
        sources: ["SecPolicy.c, SecPolicyServer.c (Apple)", "https://developer.apple.com/news/?id=g9ejcf8y"])

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.appFiles.flatMap { file in
            file.entriesByPlace.compactMap { entry, hosts -> LintFinding? in
                guard entry.format == .appleATS, let pins = file.effective(of: entry), pins.pinsKnown else {
                    return nil
                }
                let leaf = pins.pins(.leaf)
                let ca = pins.pins(.ca)
                guard !leaf.isEmpty, let reason = reason(leaf, ca, context) else { return nil }
                return finding(
                    in: file, line: entry.line, host: LintWords.single(hosts),
                    "\(LintWords.hosts(hosts)) has pins for leaf and CA, and both have to match: \(reason), so that every connection is refused",
                    fix:
                        "keep one of NSPinnedLeafIdentities and NSPinnedCAIdentities, or move each key to where it belongs"
                )
            }
        }
    }

    private static func reason(_ leaf: [DeclaredPin], _ ca: [DeclaredPin], _ context: LintContext) -> String? {
        let leafKeys = Set(leaf.compactMap(\.digest))
        let caKeys = Set(ca.compactMap(\.digest))
        // A key of a public CA is never a server's own, and needs no second list to be wrong.
        let roots = leafKeys.compactMap { KnownRoot.of(key: $0) }
        if !leafKeys.isEmpty, roots.count == leafKeys.count, let root = roots.min(by: { $0.name < $1.name }) {
            return "the leaf's list has only CAs (\(root.name))"
        }
        guard !ca.isEmpty else { return nil }
        if leafKeys.isEmpty { return "no pin of the leaf's list is a digest" }
        if caKeys.isEmpty { return "no pin of the CA's list is a digest" }
        if leafKeys == caKeys, leafKeys.count == 1 { return "both lists have the same one key" }
        let leaves = Set(context.situation.chains.values.compactMap { $0.first?.spkiSHA256 })
        if caKeys.isSubset(of: leaves) { return "the CA's list has only the server's own key" }
        return nil
    }
}
