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
    private let door: Door
    private let watch = Locked<Task<Void, Never>?>(nil)
    private let socketPath: String?
    private let socket = Locked<AgentSocket?>(nil)

    /// Seconds in which a question has to be answered; a search through bodies of a large store may take long.
    private static let patience = 300.0

    package var endpoint: Endpoint { Self.reached(at: address) }
    package var url: String { "http://\(endpoint)/?token=\(token)" }

    /// Binds and answers; before `open` questions wait.
    ///
    /// - Throws: `PageListenError`.
    package static func start(_ request: PageRequest) async throws -> PageServer {
        let door = Door()
        let configuration: HTTPServer.Configuration
        do {
            configuration = try self.configuration(request.listen)
        } catch {
            throw PageListenError(address: request.listen, reason: "\(error)", isTaken: false)
        }
        let server = HTTPServer(config: configuration, handler: ClosureHTTPHandler { await door.response(to: $0) })
        let (running, address) = try await run(server, request.listen)
        return PageServer(address, token: PageToken.token(beside: request.store), request.socket, server, running, door)
    }

    private init(
        _ address: Loop.SocketAddress, token: String, _ socketPath: String?, _ server: HTTPServer,
        _ running: Task<Void, Never>, _ door: Door
    ) {
        self.socketPath = socketPath
        self.address = address
        self.token = token
        self.server = server
        self.running = running
        self.door = door
    }

    private static func configuration(_ listen: Loop.SocketAddress) throws -> HTTPServer.Configuration {
        let text = listen.address.description
        if listen.address.isIPv4 {
            return HTTPServer.Configuration(
                address: try .inet(ip4: text, port: listen.port), timeout: patience, logger: .disabled)
        }
        return HTTPServer.Configuration(
            address: try .inet6(ip6: text, port: listen.port), timeout: patience, logger: .disabled)
    }

    /// Returns once it listens.
    private static func run(
        _ server: HTTPServer, _ listen: Loop.SocketAddress
    ) async throws -> (Task<Void, Never>, Loop.SocketAddress) {
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
            throw PageListenError(failure, at: listen)
        }
        guard let port = await server.listeningAddress?.port else {
            throw PageListenError(address: listen, reason: "its port is not known", isTaken: false)
        }
        return (running, Loop.SocketAddress(listen.address, port))
    }

    package func note(_ changes: [FlowChange]) { hub.note(changes) }

    package func open(_ context: PageContext) async {
        let isWildcard = address.address.isUnspecified
        let admission = Admission(listen: endpoint, isWildcard: isWildcard, token: token)
        let situation = Situation(
            context: context, hub: hub, began: MonotonicClock.now, listen: endpoint.description,
            flushed: Locked(-1))
        await door.open(Router(admission: admission), situation)
        // The store is ours by now, and with it what another one has left at its place.
        if let socketPath {
            let opened = await AgentSocket.open(socketPath, LocalAsker(situation: situation))
            socket.withLock { $0 = opened }
        }
        let hub = hub
        let watching = Task {
            var last = 0
            // What is dropped is told within a second, also while nothing else is.
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                let dropped = context.dropped()
                if dropped != last { hub.noteDropped(dropped) }
                last = dropped
            }
        }
        watch.withLock { $0 = watching }
    }

    package func close() async {
        watch.withLock { $0 }?.cancel()
        hub.close()
        await socket.withLock { $0 }?.close()
        // Whoever reads an export or a large body is cut off: the store is about to go.
        await server.stop(timeout: 0.5)
        running.cancel()
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

extension Socket.Address {
    fileprivate var port: UInt16? {
        switch self {
        case .ip4(_, let port), .ip6(_, let port): port
        case .unix: nil
        }
    }
}

extension PageListenError {
    fileprivate init(_ error: any Error, at address: Loop.SocketAddress) {
        guard case SocketError.failed(_, let number, let message)? = error as? SocketError else {
            self.init(address: address, reason: "\(error)", isTaken: false)
            return
        }
        self.init(
            address: address, reason: message.lowercased(), isTaken: SystemError("bind", number).isAddressInUse)
    }
}
