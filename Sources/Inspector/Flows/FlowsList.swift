import Console
import Facts
import Filters
import Flows
import Formats
import Loop
import Store

/// `pinproof flows list`: a line for each flow, the oldest first.
package struct FlowsList: Sendable {
    package struct Options: Hashable, Sendable {
        package var isJSON = false
        /// The oldest ones; nil: all.
        package var limit: Int?
        /// The newest ones.
        package var last: Int?
        /// Goes on with what comes.
        package var follows = false
        /// Begins with what comes.
        package var isNewOnly = false
        /// With what is muted.
        package var showsMuted = false

        package init() {}
    }

    package let access: FlowsAccess
    package let options: Options
    package let console: Console
    /// Columns, where the result goes to a terminal.
    package let width: Int?
    private let isColored: Bool

    /// Seconds between two looks at what is new.
    static let pause = 0.1

    package init(
        _ access: FlowsAccess, _ options: Options, console: Console, width: Int? = nil, isColored: Bool = false
    ) {
        self.isColored = isColored
        self.access = access
        self.options = options
        self.console = console
        self.width = width
    }

    private var filter: Filter { options.showsMuted ? access.filter : access.visible }
    private var hidden: Filter? { options.showsMuted ? nil : access.hidden }

    /// - Returns: how many flows were shown, and how many more were muted.
    package func run(_ interruption: Interruption) async throws -> (shown: Int, muted: Int) {
        let position = try access.store.position
        var shown = Shown()
        if options.isNewOnly {
            // What is there was there before.
        } else if let last = options.last {
            let page = try access.store.flows(matching: filter, limit: last, order: .newestFirst)
            for flow in page.flows.reversed() { try show(flow, &shown) }
        } else {
            // By pages: whoever writes is not held up, and a result of any size needs no memory.
            var after: Int64?
            repeat {
                let limit = min(Self.page, options.limit.map { $0 - shown.count } ?? .max)
                guard limit > 0 else { break }
                let page = try access.store.flows(matching: filter, after: after, limit: limit)
                for flow in page.flows { try show(flow, &shown) }
                after = page.next
            } while after != nil
        }
        var muted = options.isNewOnly ? 0 : try hidden.map { try access.store.count(matching: $0) } ?? 0
        if options.follows { try await follow(from: position, &shown, &muted, interruption) }
        return (shown.count, muted)
    }

    private static let page = 500

    /// A flow is shown when it is new, or has come to match, and once more when it is over.
    private func follow(
        from start: Int64, _ shown: inout Shown, _ muted: inout Int, _ interruption: Interruption
    ) async throws {
        var position = start
        var known = FlowNumbers()
        repeat {
            var hasMore = true
            while hasMore {
                let changes = try access.store.changes(since: position, matching: filter)
                if let hidden {
                    for flow in try access.store.changes(since: position, matching: hidden).flows
                    where known.insert(flow.id) { muted += 1 }
                }
                (position, hasMore) = (changes.position, changes.hasMore)
                for flow in changes.flows where shown.wants(flow) { try show(flow, &shown) }
                if hasMore, await interruption.isRequested { return }
            }
        } while await interruption.sleep(for: .seconds(Self.pause))
    }

    /// What has been shown.
    struct Shown {
        private(set) var count = 0
        private var open: Set<Int64> = []
        private var over: Set<Int64> = []

        /// Of flows that are over, whose only changes are what people say of them.
        static let limit = 20_000

        func wants(_ flow: Flow) -> Bool {
            flow.state == .open ? !open.contains(flow.id) && !over.contains(flow.id) : !over.contains(flow.id)
        }

        mutating func add(_ flow: Flow) {
            count += 1
            if flow.state == .open {
                open.insert(flow.id)
                return
            }
            open.remove(flow.id)
            over.insert(flow.id)
            guard over.count > Self.limit else { return }
            let newest = over.sorted().suffix(Self.limit / 2)
            over = Set(newest)
        }
    }

    private func show(_ flow: Flow, _ shown: inout Shown) throws {
        shown.add(flow)
        try show(flow)
    }

    private func show(_ flow: Flow) throws {
        if options.isJSON {
            try console.result(bytes: flow.json + [UInt8(ascii: "\n")])
        } else {
            try console.result(FlowLine.text(flow, width: width, isColored: isColored) + "\n")
        }
    }
}
