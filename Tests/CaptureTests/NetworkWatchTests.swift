import Facts
import Loop
import Policy
import Support
import Testing

@testable import Capture

/// A listener and clients on loopback, watched by a gate's watch.
private final class Scene {
    let watch: NetworkWatch
    let loop: EventLoop
    let listener: Listener
    private var streams: [TCPStream] = []

    var origin: Endpoint { listener.address.endpoint }

    init() throws {
        loop = try EventLoop()
        let loopback = SocketAddress(try #require(IPAddress("127.0.0.1")), 0)
        listener = try Listener(on: loop, at: loopback) { _ in }
        let host = try #require(HostName("watched.test"))
        let profile = Profile(
            name: "p", rules: [HostRule(pattern: HostPattern(exactly: host), expect: .refuse)],
            resolve: [host: Destination(HostName(listener.address.address), listener.address.port)])
        watch = try NetworkWatch(profile: profile)
    }

    /// nil where this process may not look, which is said: a test that is skipped looks like one that passed.
    static func ifPermitted() throws -> Scene? {
        do {
            return try Scene()
        } catch let error as WatchError {
            print("SKIPPED: the network cannot be watched here: \(error.reason)")
            return nil
        }
    }

    /// Connects to the origin and returns from where.
    func connect() throws -> Endpoint {
        let stream = try TCPStream(on: loop, connectingTo: listener.address)
        streams.append(stream)
        return try #require(stream.localAddress?.endpoint)
    }

    /// Flows to this origin, of whatever is going on on this machine.
    func flows(trial: Int = 1) async -> [NetworkFlow] {
        await watch.collect(trial: trial).compactMap { record in
            guard case .flow(let flow) = record, flow.to == origin else { return nil }
            return flow
        }
    }
}

@Suite struct NetworkWatchTests {
    @Test("a direct connection is a flow with the names of its destination, once")
    func direct() async throws {
        guard let scene = try Scene.ifPermitted() else { return }
        await scene.watch.begin()
        let from = try scene.connect()
        let flows = await scene.flows(trial: 3)
        #expect(flows.map(\.from) == [from])
        #expect(flows.first?.names == [try #require(HostName("watched.test"))])
        #expect(flows.first?.trial == 3 && flows.first?.transport == .tcp && flows.first?.packets == 1)
        #expect(await scene.flows().isEmpty)
    }

    @Test("the proxy's own connection is none, whether it was told of before or after its SYN was seen")
    func own() async throws {
        guard let scene = try Scene.ifPermitted() else { return }
        await scene.watch.begin()
        let host = HostName("watched.test")
        scene.watch.dialed(host, from: try scene.connect(), to: scene.origin)
        let direct = try scene.connect()
        #expect(await scene.flows().map(\.from) == [direct])
        // Ports come again: what was the proxy's in one trial need not be so in the next.
        #expect(await scene.flows().isEmpty)
        _ = try scene.connect()
        #expect(await scene.flows().count == 1)
    }

    @Test("clients' connections to the proxy are none, at the address they are known to reach it by")
    func clients() async throws {
        guard let scene = try Scene.ifPermitted() else { return }
        await scene.watch.begin()
        scene.watch.accepted(at: scene.origin)
        _ = try scene.connect()
        #expect(await scene.flows().isEmpty)
    }

    @Test("what was there before the beginning does not count, and each trial says how it was watched")
    func beginning() async throws {
        guard let scene = try Scene.ifPermitted() else { return }
        _ = try scene.connect()
        await scene.watch.begin()
        let records = await scene.watch.collect(trial: 7)
        guard case .networkWatched(let watched) = records.last else {
            Issue.record("no record of the watch")
            return
        }
        #expect(watched.trial == 7 && watched.fault == nil && watched.dropped == 0)
        #expect(!records.contains { if case .flow(let flow) = $0 { flow.to == scene.origin } else { false } })
    }
}
