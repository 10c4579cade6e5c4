import Facts
import FlyingFox
import FlyingSocks
import Flows
import Foundation
import Inspector
import Loop
import Proxy

/// Page and API of the debugging proxy, on loopback.
///
///     let page = try await PageServer.start(PageRequest(listen: address, store: path))
///     await page.open(context)
///     …
///     await page.close()
package final class PageServer: PageService {
    package let address: Loop.SocketAddress
    package let token: String
    package let hub = EventHub()
    private let server: HTTPServer
    private let running: Task<Void, Never>
    private let listener: PageListener
    private let door: Door
    private let askers: Askers
    private let watch = Locked<Task<Void, Never>?>(nil)
    private let request: PageRequest
    private let socket = Locked<AgentSocket?>(nil)

    /// Seconds in which a question has to be answered; a search through bodies of a large store may take long.
    private static let patience = 300.0

    package var endpoint: Endpoint { Self.reached(at: address) }
    package var descriptors: Int { listener.descriptors }
    package var url: String { "http://\(endpoint)/?token=\(token)" }

    /// Binds and answers; before `open` questions wait.
    ///
    /// - Throws: `PageListenError`.
    package static func start(_ request: PageRequest) async throws -> PageServer {
        if let reason = LiveSocket.prepare(request.inside) {
            throw PageListenError(address: request.listen, reason: reason, isTaken: false)
        }
        let door = Door()
        let server = HTTPServer(
            config: HTTPServer.Configuration(
                address: .unix(path: request.inside), timeout: patience, logger: .disabled),
            handler: ClosureHTTPHandler { await door.response(to: $0) })
        let running = try await run(server, request.listen)
        do {
            let askers = Askers()
            let listener = try PageListener(at: request.listen, before: request.inside, askers) { status, reason in
                Problem(status, reason).answer.bytes(at: reached(at: request.listen).description)
            }
            return PageServer(request, server, running, listener, door, askers)
        } catch {
            await server.stop()
            running.cancel()
            _ = FileTree.removeFile(request.inside)
            throw PageListenError(error, at: request.listen)
        }
    }

    private init(
        _ request: PageRequest, _ server: HTTPServer, _ running: Task<Void, Never>, _ listener: PageListener,
        _ door: Door, _ askers: Askers
    ) {
        (self.request, self.server, self.running, self.listener) = (request, server, running, listener)
        (self.door, self.askers) = (door, askers)
        address = listener.address
        token = PageToken.token(beside: request.store)
    }

    /// Returns once it listens.
    private static func run(_ server: HTTPServer, _ listen: Loop.SocketAddress) async throws -> Task<Void, Never> {
        let (outcomes, outcome) = AsyncStream<(any Error)?>.makeStream()
        let running = Task {
            do { try await server.run() } catch { outcome.yield(error) }
        }
        let waiting = Task {
            if (try? await server.waitUntilListening(timeout: 30)) != nil { outcome.yield(nil) }
        }
        defer { waiting.cancel() }
        for await failure in outcomes {
            guard let failure else { break }
            throw PageListenError(address: listen, reason: "\(failure)", isTaken: false)
        }
        return running
    }

    package func note(_ changes: [FlowChange]) { hub.note(changes) }

    package func open(_ context: PageContext) async {
        let isWildcard = address.address.isUnspecified
        let admission = Admission(listen: endpoint, isWildcard: isWildcard, token: token)
        let situation = Situation(
            context: context, hub: hub, began: MonotonicClock.now, listen: endpoint.description,
            flushed: Locked(-1), askers: askers)
        await door.open(Router(admission: admission), situation)
        // The store is ours by now, and with it what another one has left at its place.
        if let path = request.socket {
            let opened = await AgentSocket.open(path, LocalAsker(situation: situation))
            socket.withLock { $0 = opened }
        }
        let hub = hub
        let watching = Task {
            var last = 0
            var changes: Int?
            // What is dropped is told within a second, also while nothing else is; and so is what other processes have done.
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                let dropped = context.dropped()
                if dropped != last { hub.noteDropped(dropped) }
                last = dropped
                guard let now = await Self.changesByOthers(situation) else { continue }
                if let changes, changes != now { hub.noteReload() }
                changes = now
            }
        }
        watch.withLock { $0 = watching }
    }

    package func close() async {
        watch.withLock { $0 }?.cancel()
        listener.stopListening()
        hub.close()
        await socket.withLock { $0 }?.close()
        // Whoever reads an export or a large body is cut off: the store is about to go.
        await server.stop(timeout: 0.5)
        running.cancel()
        listener.close()
        _ = FileTree.removeFile(request.inside)
    }

    private static func changesByOthers(_ situation: Situation) async -> Int? {
        guard let store = situation.context.store else { return nil }
        return try? await situation.disk.run { _ in store.changesByOthers }
    }

    /// As browsers on this machine reach it.
    private static func reached(at address: Loop.SocketAddress) -> Endpoint {
        guard address.address.isUnspecified, let loopback = IPAddress(address.address.isIPv4 ? "127.0.0.1" : "::1")
        else { return address.endpoint }
        return Endpoint(HostName(loopback), address.port)
    }
}

/// What the server's handler goes through: closed until the proxy runs.
private actor Door {
    private var inside: (router: Router, situation: Situation)?
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func open(_ router: Router, _ situation: Situation) {
        inside = (router, situation)
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    private func enter() async -> (router: Router, situation: Situation)? {
        if inside == nil { await withCheckedContinuation { waiting.append($0) } }
        return inside
    }

    nonisolated func response(to request: HTTPRequest) async -> HTTPResponse {
        guard let (router, situation) = await enter() else { return HTTPResponse(statusCode: .serviceUnavailable) }
        let answer: Answer
        do {
            answer = await router.answer(try await Question(request), situation)
        } catch {
            answer = (error as? Problem ?? Problem(400, "the request could not be read")).answer
        }
        do {
            return try await answer.response(to: request, at: situation.listen)
        } catch {
            return HTTPResponse(statusCode: .internalServerError)
        }
    }
}

extension PageListenError {
    fileprivate init(_ error: any Error, at address: Loop.SocketAddress) {
        let error = error as? SystemError
        self.init(
            address: address, reason: error?.reason ?? "its port is not known",
            isTaken: error?.isAddressInUse ?? false)
    }
}
