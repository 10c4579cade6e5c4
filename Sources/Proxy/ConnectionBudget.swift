import Loop

/// How many clients are served at once, so that each finds a descriptor for its origin.
///
/// Whoever has no place waits in the kernel's queue, unseen: a client that is kept waiting has lost nothing, one that
/// hears "too many open files" has. Shared by all loops.
final class ConnectionBudget: Sendable {
    /// A client's place; given back when nobody holds it any more.
    final class Place: Sendable {
        private let budget: ConnectionBudget
        fileprivate init(_ budget: ConnectionBudget) { self.budget = budget }
        deinit { budget.giveBack() }
    }

    private struct Taken {
        var count = 0
        /// Somebody found no place since the last one became free.
        var isAwaited = false
        var awaken: (@Sendable () -> Void)?
    }

    /// Clients at once.
    let limit: Int
    private let taken = Locked(Taken())

    /// A client's socket, and its origin's.
    private static let perConnection = 2
    /// For what comes and goes beside connections: COMMAND's pipes and output, reports, questions to name servers.
    static let reserve = 24

    init(limit: Int) { self.limit = max(1, limit) }

    /// - Parameters:
    ///   - descriptors: how many this process may have open.
    ///   - inUse: how many it has open already, for good.
    ///   - others: how many more somebody else may open who asks for no place.
    convenience init(descriptors: Int, inUse: Int, others: Int = 0) {
        self.init(limit: (descriptors - inUse - others - Self.reserve) / Self.perConnection)
    }

    /// Called, on any thread, when a place has become free after `take` had none.
    func whenFree(_ awaken: @escaping @Sendable () -> Void) { taken.withLock { $0.awaken = awaken } }

    /// Clients that have a place.
    var count: Int { taken.withLock { $0.count } }

    /// Somebody waits for a place.
    var isAwaited: Bool { taken.withLock { $0.isAwaited } }

    /// A place, if there is one.
    func take() -> Place? {
        let isFree = taken.withLock { taken in
            guard taken.count < limit else {
                taken.isAwaited = true
                return false
            }
            taken.count += 1
            return true
        }
        return isFree ? Place(self) : nil
    }

    private func giveBack() {
        let awaken = taken.withLock { taken in
            taken.count -= 1
            defer { taken.isAwaited = false }
            return taken.isAwaited ? taken.awaken : nil
        }
        awaken?()
    }
}
