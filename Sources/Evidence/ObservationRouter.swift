import Facts
import Loop
import TLS

/// Takes what the proxy notes, from any thread, to whoever is to have it now.
///
/// The proxy is bound before there is a run folder, and the self-test's connections are no evidence of the run.
package final class ObservationRouter: Sendable {
    package struct Sink: Sendable {
        package var observed: @Sendable (Observation) -> Void
        /// A chain that is about to be presented for the first time.
        package var presented: @Sendable (PresentedChain) -> Void

        package init(
            observed: @escaping @Sendable (Observation) -> Void,
            presented: @escaping @Sendable (PresentedChain) -> Void = { _ in }
        ) {
            self.observed = observed
            self.presented = presented
        }

        package static let none = Sink { _ in }
    }

    private let sink = Locked(Sink.none)

    package init() {}

    package func route(to sink: Sink) { self.sink.withLock { $0 = sink } }

    // Both call outside of the lock: a sink may take its time over a disk.
    package func deliver(_ observation: Observation) { current.observed(observation) }
    package func present(_ chain: PresentedChain) { current.presented(chain) }

    private var current: Sink { sink.withLock { $0 } }
}
