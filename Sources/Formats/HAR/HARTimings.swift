import Facts
import Flows

/// When things happened, as HAR counts it.
///
/// Parts that add up, none below zero but for −1, "does not apply".
struct HARTimings: Hashable {
    /// Before `connect`, where the flow knows of such a time.
    var blocked: Double?
    var connect: Double?
    /// A part of `connect`.
    var ssl: Double?
    var send: Double
    var wait: Double
    var receive: Double

    init(_ flow: Flow) {
        let timing = flow.timing
        func positive(_ milliseconds: Double?) -> Double? {
            milliseconds.map { $0.isFinite ? max(0, ($0 * 1000).rounded() / 1000) : 0 }
        }
        ssl = positive(timing.tlsMS)
        connect = timing.connectMS == nil && ssl == nil ? nil : (positive(timing.connectMS) ?? 0) + (ssl ?? 0)
        let blocked = positive(timing.blockedMS)
        self.blocked = blocked
        // What is counted from the flow's start, from where its connection was there.
        let setUp = blocked == nil ? 0 : (blocked ?? 0) + (connect ?? 0)
        func since(_ milliseconds: Double?) -> Double? { positive(milliseconds).map { max(0, $0 - setUp) } }
        let sent = since(timing.sentMS) ?? 0
        let end = since(timing.lastByteMS) ?? since(flow.durationMS) ?? sent
        // An answer may begin before its request is whole.
        let first = since(timing.firstByteMS) ?? max(end, sent)
        send = min(sent, first)
        wait = max(0, first - send)
        receive = max(0, end - first)
    }

    var time: Double { rounded((blocked ?? 0) + (connect ?? 0) + send + wait + receive) }

    /// Milliseconds of setting up that lie before the flow's start, and in HAR after the entry's.
    var before: Double { blocked == nil ? connect ?? 0 : 0 }

    func write(to json: inout JSONWriter) {
        json.key("timings")
        json.beginObject()
        json.field("blocked", blocked.map(rounded) ?? -1)
        json.field("dns", -1)
        json.field("connect", connect.map(rounded) ?? -1)
        json.field("send", rounded(send))
        json.field("wait", rounded(wait))
        json.field("receive", rounded(receive))
        json.field("ssl", ssl.map(rounded) ?? -1)
        json.endObject()
    }

    private func rounded(_ milliseconds: Double) -> Double { (milliseconds * 1000).rounded() / 1000 }
}
