import Policy
import Verdict

extension Finding {
    /// `MASWE-0028, CWE-295`: what a reader can look it up by; nil where no catalogue speaks of it.
    var lookup: String? {
        let words = standards.maswe + standards.cwe
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// `waived until 2027-01-31: reason` or `known`; nil where it counts in full.
    var mark: String? {
        if let waived { return "waived until \(waived.until): \(waived.reason)" }
        return isKnown ? "known" : nil
    }

    /// The id, and what it can be looked up by.
    var label: String { ([id] + [lookup].compactMap(\.self)).joined(separator: "; ") }
}

extension HostVerdict {
    /// Tests and weaknesses that the verdict rests on, or fell for.
    var standards: Standards {
        guard expect == .refuse else { return .none }
        let fallen = attacks.filter { $0.outcomes[.data, default: 0] > 0 }.map(\.attack)
        let named = verdict == .notPinned && !fallen.isEmpty ? fallen : Claim.tried(self)
        // Whatever came of it, the pinning test is what was made.
        return .union(named.compactMap { AttackCatalogue.attack($0)?.standards } + [Attack.trustedCA.standards])
    }
}
