/// How one attacked connection ended (docs/verdicts.md, "What is observed").
package enum Outcome: String, Hashable, Sendable, CaseIterable {
    case data, alert, silent, post, idle, early, negotiation, resumed
}
