import Facts
import Policy
import Verdict

extension AttackTally {
    /// `"3 alert, 1 early"`; of untouched connections the bytes, for they have no outcome.
    var summary: String {
        if attack == .passthrough { return "\(connectionCount), \(byteCounts)" }
        let seen = Outcome.allCases.compactMap { outcome in
            outcomes[outcome].flatMap { $0 > 0 ? "\($0) \(outcome.rawValue)" : nil }
        }
        return seen.isEmpty ? connectionCount : seen.joined(separator: ", ")
    }

    /// The forms under which data was sent, in the catalogue's order; nil for the plain one.
    var dataFormsInOrder: [String?] {
        let known = AttackCatalogue.attack(attack)?.variants.map(\.name) ?? []
        let unknown = dataForms.filter { !known.contains($0) }.sorted { ($0 ?? "") < ($1 ?? "") }
        return known.filter(dataForms.contains) + unknown
    }

    /// `["trusted-ca", "trusted-ca/older"]`.
    var dataUnder: [String] {
        dataFormsInOrder.map { form in form.map { "\(attack)/\($0)" } ?? attack.rawValue }
    }

    /// `"smuggled-chain"`, and in which of its forms data was sent, where it was not the plain one: `" (after)"`.
    var title: String {
        let forms = dataFormsInOrder.compactMap(\.self)
        return dataForms.contains(nil) || forms.isEmpty
            ? attack.rawValue : "\(attack) (\(forms.joined(separator: ", ")))"
    }

    var byteCounts: String { "\(bytesUp) bytes up, \(bytesDown) down" }

    private var connectionCount: String { English.count(connections, "connection") }

    /// A cell of the outcome matrix: zeros are left empty, so that what happened stands out.
    func cell(_ outcome: Outcome) -> String {
        guard attack != .passthrough, let count = outcomes[outcome], count > 0 else { return "" }
        return "\(count)"
    }

    /// `"certificate_unknown 3, unknown_ca 1"`.
    var alertList: String {
        alerts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
