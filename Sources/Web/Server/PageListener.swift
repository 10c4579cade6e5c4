import Loop

/// Takes page and API's connections, and lets whole requests through to their server.
///
/// That server has no limits for a request's head, or for how long one takes to come: two senders of endless heads would
/// keep it, and everything else that runs on its threads, from doing anything else. It listens on a Unix socket that only
/// this user reaches, and what gets there is one whole request after the other.
final class PageListener: Sendable {
    let address: Loop.SocketAddress
    /// How many its connections may come to need.
    let descriptors: Int
    private let thread: LoopThread<PageConnections>

    /// - Parameters:
    ///   - path: the Unix socket of the server behind.
    ///   - askers: is told who comes and goes.
    ///   - refusal: the answer to a request that is not let through, by its status and the reason.
    /// - Throws: `SystemError`.
    init(
        at listen: Loop.SocketAddress, before path: String, _ askers: Askers,
        refusal: @escaping @Sendable (Int, String) -> [UInt8]
    ) throws {
        thread = try LoopThread(name: "pinproof-page") { try PageConnections($0, listen, path, askers, refusal) }
        (address, descriptors) = try thread.call { ($0.address, $0.limit * PageConnections.descriptorsEach) }
    }

    /// Takes no more connections; those that are there go on until `close`.
    func stopListening() { thread.submit { $0.stopListening() } }

    func close() { thread.stop { $0.close() } }
}

/// The connections of one `PageListener`, on its loop.
final class PageConnections {
    let loop: EventLoop
    let path: String
    let askers: Askers
    let refusal: @Sendable (Int, String) -> [UInt8]
    private var listener: Listener?
    private var connections: [ObjectIdentifier: PageConnection] = [:]
    private var timer: LoopTimer?
    let address: Loop.SocketAddress

    /// A browser has six per page, and a script that exports in parallel some more. For each sixteen that the process may have
    /// open, one at most: the proxy's clients leave as many free as these need, and whoever is silent here takes none of theirs.
    static func limit(descriptors: Int) -> Int { max(8, min(256, descriptors / 16)) }

    /// The client's socket, and once it has asked something both ends of the one to the server behind.
    static let descriptorsEach = 3

    let limit: Int

    init(
        _ loop: EventLoop, _ listen: Loop.SocketAddress, _ path: String, _ askers: Askers,
        _ refusal: @escaping @Sendable (Int, String) -> [UInt8]
    ) throws {
        (self.loop, self.path, self.askers, self.refusal) = (loop, path, askers, refusal)
        limit = Self.limit(descriptors: DescriptorLimit.current)
        // Its closure is called on the loop, which runs only after this.
        var take: (AcceptedSocket) -> Void = { _ in }
        let listener = try Listener(on: loop, at: listen) { take($0) }
        (self.listener, address) = (listener, listener.address)
        take = { [unowned self] in accept($0) }
        timer = LoopTimer(on: loop, every: 1) { [unowned self] in checkDeadlines() }
    }

    private func accept(_ socket: AcceptedSocket) {
        // Who has been silent for the longest gives its place up: silence keeps nobody out.
        if connections.count >= limit {
            guard let silent = connections.values.filter(\.mayGo).min(by: { $0.lastWord < $1.lastWord }) else { return }
            silent.close()
        }
        guard let stream = TCPStream(on: loop, accepted: socket) else { return }
        let connection = PageConnection(stream, self)
        connections[ObjectIdentifier(connection)] = connection
        connection.begin()
    }

    private func checkDeadlines() {
        let now = MonotonicClock.now
        for connection in connections.values where connection.isOverdue(now) { connection.close() }
    }

    func left(_ connection: PageConnection) { connections[ObjectIdentifier(connection)] = nil }

    func stopListening() { listener = nil }

    func close() {
        listener = nil
        timer = nil
        for connection in connections.values { connection.close() }
    }
}
