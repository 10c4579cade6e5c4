/// What everything that is being read may hold in memory, beside what is kept of it.
///
/// Windows of content codings, messages that have not ended, and messages that wait for their turn: a few bytes on the wire
/// can ask for megabytes of each, on thousands of streams. Each has a limit of its own; this is the one for all of them
/// together. Belongs to one thread, as all that one recorder reads does.
package final class DecodingBudget {
    /// Sixteen of the largest windows, and sixteen times what waits for a disk at most.
    package static let limit = 256 * 1024 * 1024

    private let limit: Int
    package private(set) var held = 0

    package init(limit: Int = DecodingBudget.limit) { self.limit = limit }

    /// What one reader holds; given back with it.
    final class Share {
        private let budget: DecodingBudget
        private(set) var size = 0

        init(of budget: DecodingBudget) { self.budget = budget }

        deinit { budget.held -= size }

        /// It holds so many bytes now, in the place of what it held before.
        ///
        /// - Returns: false where there is no room for that: then it has to hold less, and what it held counts still.
        func hold(_ bytes: Int) -> Bool {
            guard bytes <= size || budget.held - size + bytes <= budget.limit else { return false }
            budget.held += bytes - size
            size = bytes
            return true
        }
    }
}
