import Console
import Facts
import Flows
import Formats
import Loop
import Store

/// `pinproof flows follow --har`: each flow in a HAR file, once it is over.
///
/// Without their secrets. What is in the store comes first, then what comes; a flow that is still open at the end is
/// written as far as it has come.
package struct FlowsFollow: Sendable {
    package struct Options: Hashable, Sendable {
        package var folder: String
        /// Bytes of a file after which the next one is begun.
        package var rotate = 64 << 20
        /// Seconds after which the next one is begun.
        package var rotateAfter = 3600.0
        /// Bytes of all files in the folder.
        package var keep = 4 << 30
        /// Nothing that is over already.
        package var isNewOnly = false
        /// A line of JSON on stdout for each of them as well, not redacted.
        package var isJSON = false

        package init(folder: String) { self.folder = folder }
    }

    package struct Outcome: Hashable, Sendable {
        package var flows = 0
        package var files = 0
        package var redacted = 0
        package var leftOut = 0
        /// Of `flows`, those that had not ended.
        package var open = 0
        /// Flows that were cleared or pruned before they could be written.
        package var gone = 0
        /// Bodies whose files are gone.
        package var bodiesGone = 0
        /// Files that were removed to make room.
        package var removed = 0
    }

    package let access: FlowsAccess
    package let options: Options
    package let console: Console

    package init(_ access: FlowsAccess, _ options: Options, console: Console) {
        self.access = access
        self.options = options
        self.console = console
    }

    /// Seconds in which the reason for an end that nobody has explained may still come.
    static let patience = 0.5

    /// Until it is interrupted.
    ///
    /// - Parameter told: what has come of it so far is handed out here, also where it ends with an error.
    package func run(_ interruption: Interruption, told: (Outcome) -> Void) async throws {
        var limits = HARFolder.Limits()
        (limits.file, limits.seconds, limits.folder) = (options.rotate, options.rotateAfter, options.keep)
        let position = try access.store.position
        var following = Following(
            access, try HARFolder(options.folder, limits: limits), console: options.isJSON ? console : nil)
        // Once the first file is there: whoever waits for this line may begin.
        console.say("HAR files go into \(options.folder); stop it with Ctrl-C")
        defer {
            following.folder.finish()
            told(following.outcome)
        }
        if !options.isNewOnly { try await takeAll(&following, interruption) }
        do {
            try await follow(from: position, &following, interruption)
        } catch StoreError.removed(let path) {
            // What has come until then is still to be had.
            try following.writeWaiting(isLast: true)
            try following.writeOpen()
            throw StoreError.removed(path: path)
        }
    }

    /// What is there, by pages: whoever writes is not held up.
    private func takeAll(_ following: inout Following, _ interruption: Interruption) async throws {
        var after: Int64?
        repeat {
            if await interruption.isRequested { return }
            let page = try access.store.flows(matching: access.filter, after: after, limit: 200)
            for flow in page.flows { try following.take(flow) }
            after = page.next
        } while after != nil
    }

    private func follow(
        from start: Int64, _ following: inout Following, _ interruption: Interruption
    ) async throws {
        var position = start
        var isLast = false
        while true {
            // What has come until the end was asked for belongs to it.
            let last = isLast ? try access.store.position : nil
            while true {
                let changes = try access.store.changes(since: position, matching: access.filter, limit: 500)
                position = changes.position
                for flow in changes.flows { try following.take(flow) }
                if !changes.hasMore { break }
                if let last, position >= last { break }
            }
            try following.writeWaiting(isLast: isLast)
            if isLast { return try following.writeOpen() }
            isLast = !(await interruption.sleep(for: .seconds(FlowsList.pause)))
        }
    }
}

/// What has been written of the flows that are followed.
struct Following {
    private let access: FlowsAccess
    var folder: HARFolder
    private let console: Console?
    private var counts = FlowsFollow.Outcome()
    private var written = FlowNumbers()
    private var open: Set<Int64> = []
    /// Over, and perhaps told the reason in a moment; by number, since when (monotonic).
    private var waiting: [Int64: Double] = [:]

    /// - Parameter console: where JSON goes; nil for none.
    init(_ access: FlowsAccess, _ folder: HARFolder, console: Console?) {
        self.access = access
        self.folder = folder
        self.console = console
    }

    var outcome: FlowsFollow.Outcome {
        var outcome = counts
        outcome.files = folder.files
        outcome.removed = folder.removed
        return outcome
    }

    /// One that matches, as it is now.
    mutating func take(_ flow: Flow) throws {
        guard !written.contains(flow.id) else { return }
        if flow.state == .open {
            open.insert(flow.id)
        } else if flow.state == .aborted, flow.status == nil, flow.failure == nil {
            open.remove(flow.id)
            if waiting[flow.id] == nil { waiting[flow.id] = MonotonicClock.now }
        } else {
            try write(flow.id)
        }
    }

    mutating func writeWaiting(isLast: Bool) throws {
        let now = MonotonicClock.now
        let due = waiting.filter { isLast || now - $0.value >= FlowsFollow.patience }.keys
        for id in due.sorted() { try write(id) }
    }

    /// In the end: what has not ended, as far as it is there.
    mutating func writeOpen() throws { for id in open.sorted() { try write(id) } }

    /// Once, with everything that the store has of it at this moment.
    private mutating func write(_ id: Int64) throws {
        open.remove(id)
        waiting[id] = nil
        guard let recorded = try access.recorded(id) else {
            counts.gone += 1
            return
        }
        let (clean, count) = Redaction.redacted(recorded.flow)
        try folder.add(clean)
        written.insert(id)
        counts.flows += 1
        counts.redacted += count
        counts.leftOut += clean.redaction?.missing.count ?? 0
        counts.bodiesGone += recorded.gone
        if clean.flow.state == .open { counts.open += 1 }
        if let console { try console.result(bytes: recorded.flow.flow.json + [UInt8(ascii: "\n")]) }
    }
}
