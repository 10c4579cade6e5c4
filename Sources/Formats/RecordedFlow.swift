import Facts
import Flows

/// A flow with all of its bytes: what is exported, imported, copied and shown.
///
///     let recorded = RecordedFlow(flow, response: RecordedBody(wire: bytes, decoded: bytes))
///
/// Bytes of a body belong to a `FlowBody`, which is made where there is none yet.
package struct RecordedFlow: Hashable, Sendable {
    package var flow: Flow
    package var request: RecordedBody
    package var response: RecordedBody
    /// In their order, over both directions.
    package var messages: [FlowMessage]
    /// As it was on the wire, of what could not be decoded.
    package var rawUp: [UInt8]
    package var rawDown: [UInt8]
    /// What was done to it, where secrets were taken out.
    package var redaction: RedactionNote?

    package init(
        _ flow: Flow, request: RecordedBody = RecordedBody(), response: RecordedBody = RecordedBody(),
        messages: [FlowMessage] = [], rawUp: [UInt8] = [], rawDown: [UInt8] = [], redaction: RedactionNote? = nil
    ) {
        self.flow = flow
        self.request = request
        self.response = response
        self.messages = messages
        self.rawUp = rawUp
        self.rawDown = rawDown
        self.redaction = redaction
        Self.complete(&self.flow.request, request)
        Self.complete(&self.flow.response, response)
    }

    private static func complete(_ side: inout FlowSide?, _ body: RecordedBody) {
        guard let kept = body.wire ?? body.decoded, side?.body == nil else { return }
        var known = side ?? FlowSide()
        known.body = FlowBody(size: kept.count, decodedSize: body.decoded?.count, kept: kept.count)
        side = known
    }

    package func body(_ direction: ExchangeDirection) -> RecordedBody { direction == .up ? request : response }
}

/// The bytes of one body, as far as they are kept.
package struct RecordedBody: Hashable, Sendable {
    /// As on the wire, after the removal of framing. Nil where nobody knows them any more, as in most HAR files.
    package var wire: [UInt8]?
    /// After content decoding; the same as `wire` where there was no coding. Nil where they could not be decoded.
    package var decoded: [UInt8]?

    package init(wire: [UInt8]? = nil, decoded: [UInt8]? = nil) {
        self.wire = wire
        self.decoded = decoded
    }

    /// A body without a content coding.
    package init(plain bytes: [UInt8]) {
        wire = bytes
        decoded = bytes
    }

    /// What a store keeps of it. Where these are decoded bytes without the wire's, the flow's `encoding` is nil.
    package var kept: [UInt8]? { wire ?? decoded }

    /// For people: decoded where that was possible.
    package var shown: [UInt8]? { decoded ?? wire }
}

/// What `Redaction` did to a flow.
package struct RedactionNote: Hashable, Sendable {
    /// How many values were replaced.
    package var count: Int
    /// What could not be searched and is missing: `request.body`, `response.wire`, `raw`.
    package var leftOut: [String]

    package init(count: Int = 0, leftOut: [String] = []) {
        self.count = count
        self.leftOut = leftOut
    }

    /// Of what is left out, that of which nothing is there: a body without its content coding is there all the same.
    package var missing: [String] { leftOut.filter { !$0.hasSuffix(".wire") } }
}
