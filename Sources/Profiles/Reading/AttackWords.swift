import Facts
import Policy

/// The words that choose attacks: ids, and the sets `quick`, `standard` and `all`.
///
/// They are the same in a profile and for `--attacks`.
package enum AttackWords {
    static let sets: [(word: String, set: AttackSet)] = [("quick", .quick), ("standard", .standard), ("all", .all)]

    /// All words that choose something, sets first.
    package static var known: [String] { sets.map(\.word) + AttackCatalogue.all.map(\.id.rawValue) }

    /// What one or more words choose together. The baseline `passthrough` may be named; it is always done.
    ///
    ///     try AttackWords.selection(of: ["quick", "expired"])   // trusted-ca, untrusted-ca and expired
    package static func selection(of words: [String]) throws(AttackWordFault) -> AttackSelection {
        guard !words.isEmpty else { throw .none }
        var ids: Set<AttackID> = []
        for word in words {
            if let set = sets.first(where: { $0.word == word })?.set {
                if words.count == 1 { return .set(set) }
                ids.formUnion(AttackSelection.set(set).attacks.map(\.id))
            } else {
                ids.insert(try id(word))
            }
        }
        return .list(AttackCatalogue.all.map(\.id).filter(ids.contains))
    }

    /// The id that a word is, when this version has it.
    static func id(_ word: String) throws(AttackWordFault) -> AttackID {
        let id = AttackID(word)
        if AttackCatalogue.attack(id) != nil || id == .passthrough { return id }
        throw .unknown(word, nearest: Nearest.word(to: word, among: known))
    }
}
