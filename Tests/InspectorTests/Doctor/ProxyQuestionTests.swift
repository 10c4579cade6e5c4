import Facts
import Loop
import Testing

@testable import Inspector

@Suite("ProxyQuestion", .timeLimit(.minutes(15)))
struct ProxyQuestionTests {
    private static let about = #"{"pinproof":"0.1.0","ca":{"sha256":"ab"},"time":5}"#

    @Test("it asks for about.json as of any proxy, and takes the answer in whatever pieces")
    func answered() async throws {
        let server = try ScriptedServer { request in
            guard request.hasPrefix("GET http://pinproof.test/about.json HTTP/1.1\r\nHost: pinproof.test\r\n") else {
                return ["HTTP/1.1 400 Bad Request\r\n\r\n"]
            }
            return [
                "HTTP/1.1 200 OK\r\nContent-Le", "ngth: \(Self.about.utf8.count)\r\n\r\n{", "\(Self.about.dropFirst())",
            ]
        }
        let answer = await ProxyQuestion.ask(server.endpoint)
        #expect(answer.about == AboutProxy(version: "0.1.0", ca: .init(sha256: "ab"), time: 5))
    }

    @Test("an answer without a length ends with the connection")
    func unmeasured() async throws {
        let server = try ScriptedServer(ends: true) { _ in ["HTTP/1.0 200 OK\r\n\r\n", Self.about] }
        #expect(await ProxyQuestion.ask(server.endpoint).about?.version == "0.1.0")
    }

    @Test("one that closes without a word is another program; one that says nothing is silent")
    func mute() async throws {
        let closing = try ScriptedServer(ends: true) { _ in [] }
        #expect(await ProxyQuestion.ask(closing.endpoint) == .other(server: nil))
        let silent = try ScriptedServer { _ in [] }
        #expect(await ProxyQuestion.ask(silent.endpoint, within: 1) == .silent(reason: "no answer within 1 s"))
    }

    @Test("where nobody listens, that is said; whoever listens is found by the system's tables")
    func nobody() async throws {
        let server = try ScriptedServer { _ in [] }
        let endpoint = server.endpoint
        #if os(Linux)
            #expect(PortOwner.find(endpoint.port)?.process == ProcessControl.ownID)
        #endif
        server.close()
        #expect(await ProxyQuestion.ask(endpoint) == .nothingListens)
        #expect(PortOwner.find(endpoint.port) == nil)
    }
}

/// A server of one port that says what a script says to the first bytes of each connection.
private final class ScriptedServer: Sendable {
    let endpoint: Endpoint
    private let thread: LoopThread<State>

    final class State {
        let loop: EventLoop
        var listener: Listener?
        var streams: [TCPStream] = []
        var handlers: [Handler] = []

        init(_ loop: EventLoop) { self.loop = loop }
    }

    final class Handler: StreamHandler {
        let script: @Sendable (String) -> [String]
        let ends: Bool

        init(_ script: @escaping @Sendable (String) -> [String], _ ends: Bool) {
            self.script = script
            self.ends = ends
        }

        func streamConnected(_ stream: any ByteStream) {}
        func stream(_ stream: any ByteStream, received bytes: Span<UInt8>) {
            var request: [UInt8] = []
            for index in bytes.indices { request.append(bytes[index]) }
            for piece in script(String(decoding: request, as: UTF8.self)) { stream.write(Array(piece.utf8)) }
            if ends { stream.end() }
        }
        func streamReachedEnd(_ stream: any ByteStream) { stream.close() }
        func stream(_ stream: any ByteStream, failed error: SystemError) {}
        func streamDrained(_ stream: any ByteStream) {}
    }

    init(ends: Bool = false, _ script: @escaping @Sendable (String) -> [String]) throws {
        thread = try LoopThread(name: "scripted") { State($0) }
        let loopback = try #require(IPAddress("127.0.0.1"))
        endpoint = try thread.call { state in
            let listener = try Listener(on: state.loop, at: SocketAddress(loopback, 0)) { socket in
                guard let stream = TCPStream(on: state.loop, accepted: socket) else { return }
                let handler = Handler(script, ends)
                stream.handler = handler
                state.streams.append(stream)
                state.handlers.append(handler)
                stream.resume()
            }
            state.listener = listener
            return listener.address.endpoint
        }
    }

    func close() { try? thread.call { $0.listener = nil } }

    deinit { thread.stop { state in (state.listener, state.streams) = (nil, []) } }
}
