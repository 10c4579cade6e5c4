import Loop
import Wire

/// One client of page and API, and the server's side of it.
final class PageConnection: StreamHandler {
    private unowned let owner: PageConnections
    /// Among the owner's `askers`.
    private let number: Int
    private let client: TCPStream
    /// Once there is something whole for it.
    private var server: TCPStream?
    private var state = State.requests
    private var reader = PageConnection.reader()
    /// What the client has sent and nobody was given yet: a part of a request, or what follows one.
    private var received: [UInt8] = []
    private var clientHasEnded = false
    private(set) var lastWord = MonotonicClock.now
    private var requestBegan: Double?
    private var ended: Double?
    /// Bytes of what is of no interest, or that a listener to events has sent in `window`.
    private var idleBytes = 0
    private var window = 0.0

    private enum State: Equatable {
        case requests
        /// A request for another protocol is being answered: what follows belongs to that, or is the next request.
        case upgrading(answer: [UInt8])
        /// Every byte is passed on.
        case upgraded
        /// Nothing that still comes from the client is of interest.
        case ending
    }

    /// Bytes on their way to one side from which on the other is held back.
    private static let backlogLimit = 64 * 1024
    /// Seconds for a request, from its first byte to its last: 128 KiB at most, from this machine.
    private static let requestLimit = 30.0
    /// Seconds without a word of either side; an answer may take five minutes to begin.
    private static let idleLimit = 900.0
    /// Seconds for a client to take what was said last, 64 KiB or little more, and then to go.
    private static let (takeLimit, endLimit) = (300.0, 5.0)
    /// Bytes that are read and dropped after an answer, so that no reset overtakes it; what comes then waits in vain.
    private static let dropLimit = 1 << 20
    /// Bytes a minute of who listens to events: it has nothing to say but pongs and a farewell.
    private static let listenerLimit = 64 * 1024
    private static let switching = Array("HTTP/1.1 101".utf8)

    /// Bytes of a line: the server looks at all of a line again for each of its bytes, which is a second's work for 30 KB. A
    /// filter has 8 KiB.
    private static let lineLimit = 16 * 1024

    private static func reader() -> WholeRequestReader {
        WholeRequestReader(bodyLimit: Question.bodyLimit, lineLimit: lineLimit)
    }

    init(_ client: TCPStream, _ owner: PageConnections) {
        (self.client, self.owner) = (client, owner)
        number = owner.askers.arrived()
    }

    func begin() {
        client.handler = self
        client.resume()
    }

    func close() {
        client.close()
        server?.close()
        owner.askers.left(number)
        owner.left(self)
    }

    /// It may be ended for the sake of others; events are few, and come when they come.
    var mayGo: Bool { state != .upgraded }

    func isOverdue(_ now: Double) -> Bool {
        switch state {
        case .upgraded: false
        case .ending: now - (ended ?? now) > (client.backlog > 0 ? Self.takeLimit : Self.endLimit)
        case .requests, .upgrading:
            now - (requestBegan ?? now) > Self.requestLimit || now - lastWord > Self.idleLimit
        }
    }

    // MARK: From the client

    /// Hands on every request that is whole.
    private func read() {
        var begin = 0
        defer { received.removeFirst(begin) }
        while state == .requests, begin < received.count {
            switch reader.read(received.span.extracting(begin...)) {
            case .needMore:
                requestBegan = requestBegan ?? MonotonicClock.now
                return
            case .refused(let status, let reason): return refuse(status, reason)
            case .complete(let length, let wantsUpgrade):
                // Another protocol may follow the first request alone: of a later one it is not sure which answer is its.
                if wantsUpgrade, server != nil { return refuse(400, "ask for the upgrade on a connection of its own") }
                guard let server = reachServer() else { return refuse(503, "page and API are not there: try again") }
                hand(received.span.extracting(begin..<(begin + length)), to: server)
                begin += length
                reader = PageConnection.reader()
                requestBegan = nil
                if wantsUpgrade { state = .upgrading(answer: []) }
                if wantsUpgrade || server.backlog > Self.backlogLimit { return client.pause() }
            }
        }
    }

    /// With who asks, behind all fields: of two with one name the server takes the last.
    private func hand(_ request: Span<UInt8>, to server: TCPStream) {
        let end = Self.endOfFields(request)
        server.write(request.extracting(0..<end))
        server.write(Array("\(Question.askerField): \(number)\r\n".utf8).span)
        server.write(request.extracting(end...))
    }

    /// Where the empty line begins that ends a head; empty lines may stand before it as well (RFC 9112 §2.2).
    static func endOfFields(_ request: Span<UInt8>) -> Int {
        let (feed, carriage) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        var at = 0
        while at < request.count, request[at] == carriage || request[at] == feed { at += 1 }
        while at < request.count {
            if request[at] == feed {
                let next = at + 1
                if next < request.count, request[next] == feed { return next }
                if next + 1 < request.count, request[next] == carriage, request[next + 1] == feed { return next }
            }
            at += 1
        }
        return request.count
    }

    private func reachServer() -> TCPStream? {
        if let server { return server }
        guard let server = try? TCPStream.local(on: owner.loop, at: owner.path) else { return nil }
        server.handler = self
        server.resume()
        self.server = server
        return server
    }

    /// Whoever was answered before is told by the connection's end alone: that answer may still be on its way.
    private func refuse(_ status: Int, _ reason: String) {
        state = .ending
        if let server { return server.end() }
        client.write(owner.refusal(status, reason).span)
        end()
    }

    /// Nothing more is said to the client.
    private func end() {
        state = .ending
        ended = MonotonicClock.now
        client.end()
        client.resume()
    }

    /// What a client sends that nobody waits for is taken in small amounts.
    private func dropped(_ count: Int) {
        idleBytes += count
        if idleBytes > Self.dropLimit { client.pause() }
    }

    private func heard(_ bytes: Span<UInt8>) {
        if lastWord - window > 60 { (window, idleBytes) = (lastWord, 0) }
        idleBytes += bytes.count
        guard idleBytes <= Self.listenerLimit, let server else { return close() }
        server.write(bytes)
    }

    // MARK: From the server

    private func settleUpgrade(_ bytes: Span<UInt8>) {
        guard case .upgrading(var answer) = state else { return }
        answer.append(copying: bytes.extracting(first: min(bytes.count, Self.switching.count - answer.count)))
        guard answer.count == Self.switching.count else {
            state = .upgrading(answer: answer)
            return
        }
        client.resume()
        if answer != Self.switching {
            state = .requests
            return read()
        }
        state = .upgraded
        heard(received.span)
        received = []
    }

    // MARK: StreamHandler

    func stream(_ stream: any ByteStream, received bytes: Span<UInt8>) {
        lastWord = MonotonicClock.now
        if stream === server {
            client.write(bytes)
            if client.backlog > Self.backlogLimit { server?.pause() }
            return settleUpgrade(bytes)
        }
        switch state {
        case .requests:
            received.append(copying: bytes)
            read()
        case .upgrading: received.append(copying: bytes)
        case .upgraded: heard(bytes)
        case .ending: dropped(bytes.count)
        }
    }

    func streamReachedEnd(_ stream: any ByteStream) {
        if stream === server {
            end()
            if clientHasEnded, client.backlog == 0 { close() }
            return
        }
        clientHasEnded = true
        owner.askers.ended(number)
        // The server still has what it was asked.
        if let server, state != .ending { return server.end() }
        if client.backlog == 0 { close() }
    }

    func streamDrained(_ stream: any ByteStream) {
        lastWord = MonotonicClock.now
        if stream === client {
            if ended != nil { ended = lastWord }
            server?.resume()
            if state == .ending, clientHasEnded { close() }
            return
        }
        guard state == .requests else { return }
        client.resume()
        read()
    }

    func stream(_ stream: any ByteStream, failed error: SystemError) { close() }
    func streamConnected(_ stream: any ByteStream) {}
}
