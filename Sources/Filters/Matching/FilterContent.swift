import Facts

/// The bytes of one flow, for filters that ask for them.
///
/// It is asked only where nothing else could decide, and may read them then.
package protocol FilterContent {
    /// The body without content codings, in UTF-8. nil where there is none, or where it is no text.
    func text(_ direction: ExchangeDirection) -> [UInt8]?

    /// One of the messages of that side fits: their data, if they are text.
    func hasMessage(_ direction: ExchangeDirection, where fits: ([UInt8]) -> Bool) -> Bool
}

/// Of a flow whose bytes are not at hand.
package struct NoContent: FilterContent {
    package init() {}
    package func text(_ direction: ExchangeDirection) -> [UInt8]? { nil }
    package func hasMessage(_ direction: ExchangeDirection, where fits: ([UInt8]) -> Bool) -> Bool { false }
}
