/// What everything that is being read may hold in memory, beside what is kept of it.
///
/// Windows of content codings, messages that have not ended, and messages that wait for their turn: a few bytes on the wire
/// can ask for megabytes of each, on thousands of streams. Each has a limit of its own; this is the one for all of them
/// together. Belongs to one thread, as all that one recorder reads does.
///
/// And how much work a few bytes may make of it in a while: what decodes to over a hundred times its own size is bombs, and
/// one of them takes some hundredths of a second. A flood of them has about a tenth of one processor.
package final class DecodingBudget {
    /// Sixteen of the largest windows, and sixteen times what waits for a disk at most.
    package static let limit = 256 * 1024 * 1024

    private let limit: Int
    package private(set) var held = 0

    /// Bytes that may come out of contents beyond what came in has earned: so many at once, and again so many each second.
    static let most = 256 * 1024 * 1024
    static let perSecond = 64 * 1024 * 1024
    /// Bytes that each byte of a content earns: texts shrink to a tenth, and hardly any to a hundredth.
    static let growth = 100

    /// Of `most`; below zero what was begun was more than that.
    private(set) var unearned = DecodingBudget.most
    private var turned = -Double.infinity

    package init(limit: Int = DecodingBudget.limit) { self.limit = limit }

    /// - Parameter now: seconds of the recorder's clock.
    func turn(to now: Double) {
        guard now > turned else { return }
        let seconds = min(now - turned, 60)
        turned = now
        guard unearned < Self.most, seconds.isFinite else { return }
        unearned = min(Self.most, unearned + Int(seconds * Double(Self.perSecond)))
    }

    /// So many bytes came out of it beyond what it had earned.
    func spend(_ bytes: Int) { unearned = max(-2 * Self.most, unearned - bytes) }

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
