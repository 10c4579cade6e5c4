import Facts
import Loop
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What lives on the loop of these tests.
private final class Bench {
    let loop: EventLoop
    var listener: Listener?
    var players: [Player] = []
    init(loop: EventLoop) { self.loop = loop }

    func listen(_ accepted: @escaping (TCPStream) -> Void) throws -> SocketAddress {
        let loopback = try #require(IPAddress("127.0.0.1"))
        let listener = try Listener(on: loop, at: SocketAddress(loopback, 0)) { [unowned self] socket in
            if let stream = TCPStream(on: loop, accepted: socket) { accepted(stream) }
        }
        self.listener = listener
        return listener.address
    }
}

/// A stream with its events as closures.
private final class Player: StreamHandler {
    let stream: TCPStream
    var received: [UInt8] = []
    var onConnected: (Player) -> Void = { _ in }
    var onReceived: (Player) -> Void = { _ in }
    var onEnd: (Player) -> Void = { _ in }
    var onFailure: (Player, SystemError) -> Void = { _, _ in }
    var onDrained: (Player) -> Void = { _ in }

    init(_ stream: TCPStream, _ bench: Bench) {
        self.stream = stream
        stream.handler = self
        bench.players.append(self)
    }

    func streamConnected(_ stream: any ByteStream) { onConnected(self) }
    func stream(_ stream: any ByteStream, received bytes: Span<UInt8>) {
        for index in bytes.indices { received.append(bytes[index]) }
        onReceived(self)
    }
    func streamReachedEnd(_ stream: any ByteStream) { onEnd(self) }
    func stream(_ stream: any ByteStream, failed error: SystemError) { onFailure(self, error) }
    func streamDrained(_ stream: any ByteStream) { onDrained(self) }
}

private func withBench<Value: Sendable>(
    _ body: @escaping @Sendable (Bench, _ done: @escaping @Sendable (Value) -> Void) throws -> Void
) async throws -> Value {
    let thread = try LoopThread(name: "test") { Bench(loop: $0) }
    let answer = Locked<Result<Value, any Error>?>(nil)
    await thread.run { bench, done in
        do {
            try body(bench) { value in
                answer.withLock { $0 = .success(value) }
                done()
            }
        } catch {
            answer.withLock { $0 = .failure(error) }
            done()
        }
    }
    thread.stop { bench in
        for player in bench.players { player.stream.close() }
        bench.players = []
        bench.listener = nil
    }
    return try #require(answer.withLock { $0 }).get()
}

@Test("bytes written before the connection stands arrive, and an end half-closes")
func halfClose() async throws {
    let text: String = try await withBench { bench, done in
        let address = try bench.listen { stream in
            let server = Player(stream, bench)
            server.onEnd = { server in
                server.stream.write(Array("answer to ".utf8) + server.received)
                server.stream.end()
            }
            stream.resume()
        }
        let client = Player(try TCPStream(on: bench.loop, connectingTo: address), bench)
        client.stream.write(Array("hello".utf8))
        client.onConnected = { client in
            client.stream.resume()
            client.stream.end()
        }
        client.onEnd = { done(String(decoding: $0.received, as: UTF8.self)) }
    }
    #expect(text == "answer to hello")
}

@Test("what the kernel does not take waits, in order, and its departure is told")
func backlog() async throws {
    let size = 8 * 1024 * 1024
    let (sent, sum): (Int, Int) = try await withBench { bench, done in
        let address = try bench.listen { stream in
            let server = Player(stream, bench)
            // Reading starts when the sender has found its queue full: so there is a backlog.
            server.onReceived = { server in
                guard server.received.count == size else { return }
                done((server.received.count, server.received.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xffff_ffff }))
            }
        }
        let client = Player(try TCPStream(on: bench.loop, connectingTo: address), bench)
        client.onConnected = { client in
            client.stream.write((0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) })
            #expect(client.stream.backlog > 0)
            // The server's side has been accepted by the time its first player exists.
            func open() { bench.players.first { $0 !== client }?.stream.resume() }
            bench.listener?.acceptWaiting()
            open()
        }
    }
    #expect(sent == size)
    #expect(sum == (0..<size).reduce(0) { ($0 &* 31 &+ Int(UInt8(truncatingIfNeeded: $1 / 7))) & 0xffff_ffff })
}

@Test("a refused connection is a failure with the system's words")
func refused() async throws {
    let error: SystemError = try await withBench { bench, done in
        let address = try bench.listen { _ in }
        bench.listener = nil
        let client = Player(try TCPStream(on: bench.loop, connectingTo: address), bench)
        client.onFailure = { _, error in done(error) }
    }
    #expect(error.call == "connect")
    #expect(error.reason == "connection refused")
}

@Test("a used port cannot be listened on a second time")
func usedPort() async throws {
    let isInUse: Bool = try await withBench { bench, done in
        let address = try bench.listen { _ in }
        do throws(SystemError) {
            _ = try Listener(on: bench.loop, at: address) { _ in }
            done(false)
        } catch {
            done(error.isAddressInUse)
        }
    }
    #expect(isInUse)
}

@Test("a paused stream hands out nothing, and its bytes come once it resumes")
func pause() async throws {
    let text: String = try await withBench { bench, done in
        let address = try bench.listen { stream in
            let server = Player(stream, bench)
            server.stream.resume()
            server.onReceived = { server in
                if server.received == Array("one".utf8) {
                    server.stream.pause()
                    bench.players.first { $0 !== server }?.stream.write(Array("two".utf8))
                    // Another connection's life in between shows that time has passed on the loop.
                    guard let address = bench.listener?.address,
                        let stream = try? TCPStream(on: bench.loop, connectingTo: address)
                    else { return }
                    Player(stream, bench).onConnected = { _ in
                        #expect(server.received == Array("one".utf8))
                        server.stream.resume()
                    }
                } else if server.received.count == 6 {
                    done(String(decoding: server.received, as: UTF8.self))
                }
            }
        }
        let client = Player(try TCPStream(on: bench.loop, connectingTo: address), bench)
        client.onConnected = { $0.stream.write(Array("one".utf8)) }
    }
    #expect(text == "onetwo")
}

@Test("acknowledged means that the peer's system has it; a peer that resets shows as a failure")
func acknowledged() async throws {
    let code: Int32 = try await withBench { bench, done in
        let address = try bench.listen { stream in
            let server = Player(stream, bench)
            stream.resume()
            server.onReceived = { server in
                // Closing with unread bytes in the queue makes the kernel send RST.
                server.stream.pause()
                bench.players.first { $0 !== server }?.stream.write([UInt8](repeating: 7, count: 1000))
                #expect(bench.players.first { $0 !== server }?.stream.unacknowledged == 0)
                server.stream.close()
            }
        }
        let client = Player(try TCPStream(on: bench.loop, connectingTo: address), bench)
        client.onConnected = { client in
            client.stream.resume()
            client.stream.write([1])
        }
        client.onFailure = { _, error in done(error.code) }
    }
    #expect(code == ECONNRESET)
}

@Test("a write that fails after the peer's end is told, on the loop's next turn")
func failureAfterEnd() async throws {
    let failure: SystemError = try await withBench { bench, done in
        let address = try bench.listen { stream in
            let server = Player(stream, bench)
            server.stream.end()
        }
        let client = Player(try TCPStream(on: bench.loop, connectingTo: address), bench)
        client.onConnected = { $0.stream.resume() }
        var isInside = false
        client.onEnd = { client in
            bench.players.first { $0 !== client }?.stream.close()
            isInside = true
            // The first is answered with a reset, the second finds it.
            client.stream.write([1])
            client.stream.write([2])
            isInside = false
        }
        client.onFailure = { _, error in
            #expect(!isInside)
            done(error)
        }
    }
    #expect(failure.call == "write")
}

@Test("what a peer said before it reset is read before the reset is told, though a write met it first")
func wordsBeforeReset() async throws {
    let (words, code): (String, Int32) = try await withBench { bench, done in
        let address = try bench.listen { stream in
            let server = Player(stream, bench)
            stream.resume()
            server.onReceived = { server in
                let client = bench.players.first { $0 !== server }
                server.stream.pause()
                server.stream.write(Array("alert".utf8))
                // Unread bytes make the close a reset.
                client?.stream.write([2])
                server.stream.close()
                client?.stream.write([3])
            }
        }
        let client = Player(try TCPStream(on: bench.loop, connectingTo: address), bench)
        // Paused, as a client is whose origin takes nothing.
        client.onConnected = { $0.stream.write([1]) }
        client.onEnd = { _ in Issue.record("a reset that looks like an end") }
        client.onFailure = { client, error in done((String(decoding: client.received, as: UTF8.self), error.code)) }
    }
    #expect(words == "alert" && code == ECONNRESET)
}

@Test("what was given up when a write failed was never acknowledged")
func givenUp() async throws {
    let (waiting, unacknowledged): (Int, Int?) = try await withBench { bench, done in
        var waiting = 0
        let address = try bench.listen { stream in
            let server = Player(stream, bench)
            stream.resume()
            server.onReceived = { server in
                server.stream.pause()
                let client = bench.players.first { $0 !== server }
                // More than both kernels take.
                client?.stream.write([UInt8](repeating: 7, count: 32 << 20))
                waiting = client?.stream.backlog ?? 0
                server.stream.close()
            }
        }
        let client = Player(try TCPStream(on: bench.loop, connectingTo: address), bench)
        client.onConnected = { client in client.stream.write([1]) }
        client.onFailure = { client, _ in done((waiting, client.stream.unacknowledged)) }
    }
    #expect(waiting > 0 && unacknowledged ?? 0 >= waiting)
}

@Test("a backlog that never empties keeps only what was not sent")
func steadyBacklog() async throws {
    let (heaviest, received): (Int, Int) = try await withBench { bench, done in
        let total = 64 << 20
        var heaviest = 0
        var received = 0
        let address = try bench.listen { stream in
            let server = Player(stream, bench)
            server.onReceived = { server in
                guard let client = bench.players.first(where: { $0 !== server }) else { return }
                received += server.received.count
                // As much again as was taken: the backlog stays as it is.
                client.stream.write(server.received)
                server.received = []
                heaviest = max(heaviest, client.stream.held - client.stream.backlog)
                if received >= total {
                    server.stream.pause()
                    done((heaviest, received))
                }
            }
            stream.resume()
        }
        let client = Player(try TCPStream(on: bench.loop, connectingTo: address), bench)
        client.onConnected = { $0.stream.write([UInt8](repeating: 7, count: 16 << 20)) }
        client.onDrained = { _ in Issue.record("the backlog emptied: this test shows nothing") }
    }
    #expect(received >= 64 << 20)
    #expect(heaviest <= 32 << 20)
}
