import Facts
import Filters
import Flows
import Formats
import Store

/// Flows as somebody may see them: as they were recorded, or without their secrets.
package struct FlowSight: Sendable {
    private let access: FlowsAccess
    package var store: FlowStore { access.store }
    /// Passwords, cookies and tokens are `[redacted]`.
    package let hidesSecrets: Bool

    package init(_ store: FlowStore, hidesSecrets: Bool) {
        access = FlowsAccess(store)
        self.hidesSecrets = hidesSecrets
    }

    /// Without its bytes. The hash of a body goes too: a short secret could be found by it.
    package func flow(_ flow: Flow) -> Flow { Self.shown(flow, hidesSecrets: hidesSecrets) }

    /// The same of one that may be in no store.
    package static func shown(_ flow: Flow, hidesSecrets: Bool) -> Flow {
        guard hidesSecrets else { return flow }
        var out = Redaction.redacted(RecordedFlow(flow)).0.flow
        out.request?.body?.sha256 = nil
        out.response?.body?.sha256 = nil
        return out
    }

    /// With all of its bytes; nil where it is gone.
    package func recorded(_ id: Int64) throws -> RecordedFlow? {
        guard let flow = try access.recorded(id)?.flow else { return nil }
        return hidesSecrets ? Redaction.redacted(flow).0 : flow
    }

    /// Flows that match, as they are seen: a filter looks at what is shown, as it would else tell a guess at a secret from
    /// a wrong one.
    package func page(
        matching filter: Filter, after: Int64?, before: Int64? = nil, limit: Int, order: FlowOrder = .oldestFirst
    ) throws -> FlowPage {
        guard hidesSecrets, filter.looksIntoTexts else {
            var page = try access.store.flows(
                matching: filter, after: after, before: before, limit: limit, order: order)
            page.flows = page.flows.map { flow($0) }
            return page
        }
        let candidates = filter.isMonotone ? filter : filter.broadened
        var found: [Flow] = []
        var start = after
        repeat {
            let page = try access.store.flows(
                matching: candidates, after: start, before: before, limit: Self.batch, order: order)
            for one in page.flows {
                guard let shown = try fitting(one, filter) else { continue }
                found.append(shown)
                if found.count == limit { return FlowPage(flows: found, next: one.id) }
            }
            start = page.next
        } while start != nil
        return FlowPage(flows: found)
    }

    private static let batch = 200

    /// - Returns: as it is seen; nil where it does not match then.
    private func fitting(_ flow: Flow, _ filter: Filter) throws -> Flow? {
        let shown = self.flow(flow)
        guard filter.needsBodies else { return filter.matches(shown, NoContent()) ? shown : nil }
        guard let recorded = try recorded(flow.id) else { return nil }
        return fits(recorded, filter) ? shown : nil
    }

    /// - Parameter recorded: as it is seen.
    func fits(_ recorded: RecordedFlow, _ filter: Filter) -> Bool {
        filter.matches(recorded.flow, SeenContent(flow: recorded))
    }

    /// - Parameters:
    ///   - after: the index of the last one that is known.
    ///   - bytes: of their data; a message that has more by itself is a page of its own.
    package func messages(of flow: Flow, after: Int, limit: Int, bytes: Int) throws -> MessagePage {
        var page = try access.store.messagePage(of: flow.id, after: after, limit: limit, bytes: bytes)
        if hidesSecrets { page.messages = page.messages.map { Redaction.redacted($0).0 } }
        return page
    }
}

/// Bytes of a flow as they are seen.
private struct SeenContent: FilterContent {
    let flow: RecordedFlow

    func text(_ direction: ExchangeDirection) -> [UInt8]? {
        flow.body(direction).decoded.flatMap { String(validating: $0, as: UTF8.self) == nil ? nil : $0 }
    }

    func hasMessage(_ direction: ExchangeDirection, where fits: ([UInt8]) -> Bool) -> Bool {
        flow.messages.contains { $0.message.from == direction && fits($0.message.data) }
    }
}
