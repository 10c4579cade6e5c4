import Facts
import Loop
import TLS

/// Takes what the proxy notes, from any thread, to whoever is to have it now.
///
/// The proxy is bound before there is a run folder, and the self-test's connections are no evidence of the run.
public final class ObservationRouter: Sendable {
    public struct Sink: Sendable {
        public var observed: @Sendable (Observation) -> Void
        /// A chain that is about to be presented for the first time.
        public var presented: @Sendable (PresentedChain) -> Void

        public init(
            observed: @escaping @Sendable (Observation) -> Void,
            presented: @escaping @Sendable (PresentedChain) -> Void = { _ in }
        ) {
            self.observed = observed
            self.presented = presented
        }

        public static let none = Sink { _ in }
    }

    private let sink = Locked(Sink.none)

    public init() {}

    public func route(to sink: Sink) { self.sink.withLock { $0 = sink } }

    // Both call outside of the lock: a sink may take its time over a disk.
    public func deliver(_ observation: Observation) { current.observed(observation) }
    public func present(_ chain: PresentedChain) { current.presented(chain) }

    private var current: Sink { sink.withLock { $0 } }
}
