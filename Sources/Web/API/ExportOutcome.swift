import Inspector
import Loop

/// What came of an export, from the thread that made it to the one that waits for it.
final class ExportOutcome: Sendable {
    private let outcome = Locked<FlowsExport.Outcome?>(nil)

    var value: FlowsExport.Outcome? { outcome.withLock { $0 } }

    func set(_ value: FlowsExport.Outcome) { outcome.withLock { $0 = value } }
}
