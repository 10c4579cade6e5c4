import Facts
import Loop

/// Takes the proxy's observations from any thread to whoever is to have them now.
///
/// The proxy is bound before there is a run folder, and the self-test's connections are no evidence of the run.
public final class ObservationRouter: Sendable {
    public typealias Sink = @Sendable (Observation) -> Void

    private let sink: Locked<Sink>

    public init() { sink = Locked { _ in } }

    public func route(to sink: @escaping Sink) { self.sink.withLock { $0 = sink } }

    public func deliver(_ observation: Observation) {
        // Called outside of the lock: a sink may take its time over a disk.
        let sink = sink.withLock { $0 }
        sink(observation)
    }
}
