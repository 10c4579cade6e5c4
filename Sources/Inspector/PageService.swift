import Facts
import Filters
import Flows
import Loop
import Store

/// Page and API, as the debugging proxy sees them: somebody else serves them.
package protocol PageService: Sendable {
    /// Where it listens, with the port that was picked.
    var address: SocketAddress { get }
    /// The page's address with its token.
    var url: String { get }
    var token: String { get }
    /// How many its connections may come to need.
    var descriptors: Int { get }

    /// Told of every flow as it changes, on the recorder's thread; must not block.
    func note(_ changes: [FlowChange])
    /// Before it, every question has to wait.
    func open(_ context: PageContext) async
    func close() async
}

/// What a page service is made by, before anything is recorded.
package struct PageRequest: Hashable, Sendable {
    package var listen: SocketAddress
    /// Where flows are kept; nil: nowhere.
    package var store: String?
    /// Where programs of the same user ask without a token (`LiveSocket`); nil: nowhere.
    package var socket: String?
    /// A Unix socket of its own, between the part that listens and the part that answers.
    package var inside: String

    package init(listen: SocketAddress, store: String?, socket: String? = nil, inside: String) {
        self.listen = listen
        self.store = store
        self.socket = socket
        self.inside = inside
    }
}

/// An address that page and API cannot listen on.
package struct PageListenError: ExplainedError, Hashable {
    package var address: SocketAddress
    package var reason: String
    /// Somebody else has it.
    package var isTaken: Bool

    package init(address: SocketAddress, reason: String, isTaken: Bool) {
        self.address = address
        self.reason = reason
        self.isTaken = isTaken
    }

    package var cause: ErrorCause { .environment }
    package var explanations: [Explanation] {
        [
            Explanation(
                "cannot serve the page on \(address): \(reason)",
                hints: [
                    isTaken
                        ? "another program has that port: --ui 127.0.0.1:0 picks a free one, --no-ui serves no page"
                        : "--ui HOST:PORT names another address, --no-ui serves no page"
                ])
        ]
    }
}

/// What page and API are given of a running proxy.
package struct PageContext: Sendable {
    /// nil: nothing is recorded.
    package var store: FlowStore?
    /// Returns when everything that was told so far can be read, or so many seconds have passed (nil: as long as it takes);
    /// whether it can. Waits for a disk.
    package var flush: @Sendable (Double?) -> Bool
    /// Returns when what has passed until now has been told.
    package var catchUp: @Sendable () async -> Void
    /// Flows, messages and connections that are not in the store, as there was no room for them.
    package var dropped: @Sendable () -> Int
    /// Why recording has stopped.
    package var fault: @Sendable () -> String?
    /// Filters that have names.
    package var book: FilterBook
    /// Where clients connect.
    package var proxies: [String]
    /// Where other devices reach the proxy, the likeliest first; empty: nowhere.
    package var devices: @Sendable () -> [Endpoint]
    /// What was said of single hosts since the start.
    package var hosts: @Sendable () async -> [HostName: HostAction]
    /// Throws where the proxy cannot do it.
    package var setHost: @Sendable (HostName, HostAction) async throws -> Void
    /// The folder of gate runs.
    package var runs: String

    package init(
        store: FlowStore?, flush: @escaping @Sendable (Double?) -> Bool,
        catchUp: @escaping @Sendable () async -> Void = {}, dropped: @escaping @Sendable () -> Int,
        fault: @escaping @Sendable () -> String?, book: FilterBook, proxies: [String],
        devices: @escaping @Sendable () -> [Endpoint] = { [] },
        hosts: @escaping @Sendable () async -> [HostName: HostAction],
        setHost: @escaping @Sendable (HostName, HostAction) async throws -> Void, runs: String
    ) {
        self.store = store
        self.flush = flush
        self.catchUp = catchUp
        self.dropped = dropped
        self.fault = fault
        self.book = book
        self.proxies = proxies
        self.devices = devices
        self.hosts = hosts
        self.setHost = setHost
        self.runs = runs
    }
}

/// What a debugging proxy does with a host, instead of what its profile says.
package enum HostAction: String, Hashable, Sendable, CaseIterable { case tunnel, intercept }
