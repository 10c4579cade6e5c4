import Facts
import Policy
import Verdict

/// What to mend in an app that sent data under an attack, by what it fell for.
///
/// Two weak pins of one subtype have different causes.
enum WeaknessAdvice {
    /// Of an app with several faults, so many are told; mending them may well mend the others.
    private static let toldAtMost = 3

    /// The causes of a host's `not-pinned`, each once, in the catalogue's order; the subtype's own sentence where none is
    /// known.
    static func texts(for host: HostVerdict) -> [String] {
        var texts: [String] = []
        for tally in host.attacks {
            for form in tally.dataFormsInOrder
            where isCause(tally.attack, form, host) && !isExplained(form, by: tally) {
                if let text = text(tally.attack, form), !texts.contains(text) { texts.append(text) }
            }
        }
        return texts.isEmpty ? [MissingAdvice.text(forAcceptanceOf: host.subtype)] : Array(texts.prefix(toldAtMost))
    }

    /// What is as bad as the subtype says. A client that takes `trusted-ca` takes every trusted chain for the right name,
    /// and that is no fault besides.
    private static func isCause(_ attack: AttackID, _ form: String?, _ host: HostVerdict) -> Bool {
        let weakness = AttackCatalogue.attack(attack)?.weakness(under: form)
        guard host.subtype == .bypass else { return host.subtype == .brokenTLS && weakness == .brokenTLS }
        let isUnpinned = host.attacks.contains { $0.attack == .trustedCA && $0.dataForms.contains(nil) }
        if isUnpinned { return AttackCatalogue.form(attack, form)?.isTakenForGenuine ?? false }
        return weakness == .bypass || attack == .trustedCA
    }

    /// Another form that was fallen for has all that is in this one.
    private static func isExplained(_ form: String?, by tally: AttackTally) -> Bool {
        AttackCatalogue.form(tally.attack, form)?.includes.contains { tally.dataForms.contains($0) } ?? false
    }

    private static func text(_ attack: AttackID, _ form: String?) -> String? {
        AttackCatalogue.attack(attack)?.advice(under: form)
    }
}
