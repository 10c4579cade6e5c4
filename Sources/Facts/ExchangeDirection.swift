/// Which way the bytes of an exchange go.
package enum ExchangeDirection: String, Hashable, Sendable, CaseIterable {
    /// To the origin: requests.
    case up
    /// To the client: answers.
    case down
}
