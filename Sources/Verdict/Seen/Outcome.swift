/// How one attacked connection ended (contract, "Outcome of a connection").
package enum Outcome: String, Hashable, Sendable, CaseIterable {
    case data, alert, silent, post, idle, early, negotiation, resumed
}
