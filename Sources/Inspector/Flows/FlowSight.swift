import Flows
import Formats
import Store

/// Flows as somebody may see them: as they were recorded, or without their secrets.
package struct FlowSight: Sendable {
    private let access: FlowsAccess
    /// Passwords, cookies and tokens are `[redacted]`.
    package let hidesSecrets: Bool

    package init(_ store: FlowStore, hidesSecrets: Bool) {
        access = FlowsAccess(store)
        self.hidesSecrets = hidesSecrets
    }

    /// Without its bytes. The hash of a body goes too: a short secret could be found by it.
    package func flow(_ flow: Flow) -> Flow {
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

    /// - Parameter after: the index of the last one that is known.
    package func messages(of flow: Flow, after: Int, limit: Int) throws -> [FlowMessage] {
        let messages = try access.store.messages(of: flow.id, after: after, limit: limit)
        return hidesSecrets ? Redaction.redacted(RecordedFlow(flow, messages: messages)).0.messages : messages
    }
}
