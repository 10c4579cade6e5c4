import Console
import Facts
import Flows
import Loop

/// Follows what comes to the proxy, from any thread, until something was intercepted.
final class TrafficWatch: Sendable {
    private let traffic = Locked(SeenTraffic())
    private let isRecorded: Bool

    /// - Parameter isRecorded: flows are made of connections, and shown to this watch.
    init(isRecorded: Bool) { self.isRecorded = isRecorded }

    var seen: SeenTraffic { traffic.withLock { $0 } }

    func note(_ connection: Observation) {
        traffic.withLock { traffic in
            if traffic.hasIntercepted { return }
            if isRecorded { traffic.note(connection) } else { traffic.noteUnrecorded(connection) }
        }
    }

    func note(_ changes: [FlowChange]) {
        traffic.withLock { traffic in
            if traffic.hasIntercepted { return }
            for case .flow(let flow) in changes { traffic.note(flow) }
        }
    }

    func tell(_ reasons: [WhyNothing.Reason], _ beginning: String, _ console: Console) {
        if reasons.count > 1 { console.say("\(beginning):") }
        for reason in reasons {
            console.say(reasons.count > 1 ? "  " + reason.text : "\(beginning): \(reason.text)")
            // As under a failure.
            console.say("       " + reason.hint)
        }
    }
}
