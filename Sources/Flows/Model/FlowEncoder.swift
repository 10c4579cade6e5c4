import Facts

/// Writes flow after flow as `Flow.json` does, and what they have in common only once.
///
/// What both handshakes of a connection agreed on is half of a flow's text, and the same in all flows of the connection.
package struct FlowEncoder {
    /// Connections that have flows at a time; more of them cost time and nothing else.
    private static let limit = 1024

    private var known: [ObjectIdentifier: (tls: FlowTLS, json: [UInt8])] = [:]

    package init() {}

    package mutating func json(_ flow: Flow) -> [UInt8] {
        var json = JSONWriter(reserving: 2048)
        flow.write(to: &json, tls: { tls, json in json.verbatim(text(of: tls)) })
        return json.bytes
    }

    private mutating func text(of tls: FlowTLS) -> [UInt8] {
        let key = ObjectIdentifier(tls)
        if let known = known[key] { return known.json }
        var json = JSONWriter(reserving: 1024)
        tls.write(to: &json)
        if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
        // It is kept along: nothing else can have its identity meanwhile.
        known[key] = (tls, json.bytes)
        return json.bytes
    }
}
