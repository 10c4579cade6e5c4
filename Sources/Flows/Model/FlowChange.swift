import Facts

/// What a recorder tells a store.
///
/// Of each flow in this order: it begins, its bytes come, it changes, it ends.
package enum FlowChange: Hashable, Sendable {
    /// A flow as it is now, whether it is new or not. Its bodies' bytes and messages follow, or have come before.
    /// Indirect, as it is ten times as large as the others, of which a WebSocket may have a million.
    indirect case flow(Flow)
    /// The next bytes of a body that are kept, as on the wire after the removal of framing.
    case body(flow: Int64, ExchangeDirection, [UInt8])
    case message(flow: Int64, FlowMessage)
    /// The next bytes as they were on the wire, of what could not be decoded.
    case raw(flow: Int64, ExchangeDirection, [UInt8])
}
