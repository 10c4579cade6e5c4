import Facts
import Loop
import Policy

/// Makes the TCP connection to an origin: its name, its addresses, an upstream proxy.
final class Dialer: StreamHandler {
    private let loop: EventLoop
    private let target: Endpoint
    private let proxy: UpstreamProxy?
    /// Of a CONNECT to an upstream proxy: who has passed it on, and we (RFC 9110 §7.6.3). By it we know it when it comes back.
    private let via: [UInt8]
    /// Why an address is not to be called; nil where it may be.
    private let refusal: (SocketAddress) -> ClientReach.Refusal?
    /// Told of both ends of each connection that is begun: ours, and where it goes.
    private let connecting: ((SocketAddress, SocketAddress) -> Void)?
    /// Told of all addresses that were found for the target's name; where an upstream proxy calls it, at any time, or never.
    private let resolved: (([SocketAddress]) -> Void)?
    private var done: ((Result<Dialed, Failure>) -> Void)?
    private var waiting: [SocketAddress] = []
    private var stream: TCPStream?
    private var attemptStarted = 0.0
    private var lastFailure = Failure(reason: "")
    /// An upstream proxy has been sent CONNECT.
    private var isAsked = false
    private var answer: [UInt8] = []
    /// How much of `answer` holds no end of a head.
    private var searched = 0
    /// Bytes of interim answers before it.
    private var begun = 0

    struct Dialed {
        /// Not reading yet.
        let stream: any ByteStream
        /// What the origin has said already; comes only through an upstream proxy, right behind its answer.
        let greeting: [UInt8]
    }

    struct Failure: Error, Hashable {
        /// `connection refused (127.0.0.1:8443)`.
        let reason: String
        var kind = Observation.Fault.originUnreachable
        /// Nobody was called, as the proxy must not.
        var refusal: ClientReach.Refusal?
    }

    /// Seconds for one address while others are left, and for the last one.
    private static let attemptLimit = 10.0
    /// An upstream proxy's answer to CONNECT is a status line and a few headers.
    private static let answerLimit = 16 * 1024
    private static let lineEnd = Array("\r\n".utf8)
    /// Of its status line that is worth repeating.
    private static let lineLimit = 200

    /// Starts at once; `done` is called once, possibly before this returns, and never after `cancel`.
    ///
    /// - Parameters:
    ///   - via: names the proxies on the way to an upstream proxy, us included.
    ///   - refusal: asked for each address before it is called, and for the target's own where an upstream proxy
    ///     is to call that.
    init(
        on loop: EventLoop, target: Endpoint, through proxy: UpstreamProxy?, via: [UInt8] = [],
        refusal: @escaping (SocketAddress) -> ClientReach.Refusal? = { _ in nil },
        connecting: ((SocketAddress, SocketAddress) -> Void)? = nil, resolved: (([SocketAddress]) -> Void)? = nil
    ) {
        self.resolved = resolved
        self.refusal = refusal
        self.connecting = connecting
        self.loop = loop
        self.target = target
        self.proxy = proxy
        self.via = via
    }

    func start(_ done: @escaping (Result<Dialed, Failure>) -> Void) {
        self.done = done
        let first = proxy?.endpoint ?? target
        // An upstream proxy looks names up by itself; what is plainly ours, or this machine's, it is not asked for.
        if proxy != nil, let plain = Self.plainAddress(of: target), let refused = refusal(plain) {
            return finish(.failure(Failure(reason: "\(refused) (\(target))", refusal: refused)))
        }
        // Where an origin lives is of interest also where somebody else calls it; nothing waits for that.
        if let resolved, proxy != nil { loop.resolve(target) { if case .success(let found) = $0 { resolved(found) } } }
        loop.resolve(first) { [weak self] result in
            guard let self, self.done != nil else { return }
            switch result {
            case .success(let addresses):
                if proxy == nil { resolved?(addresses) }
                waiting = addresses.filter { refusal($0) == nil }
                guard waiting.isEmpty, let address = addresses.first, let refused = refusal(address) else {
                    return next()
                }
                finish(.failure(Failure(reason: "\(refused) (\(address))", refusal: refused)))
            case .failure(let error):
                finish(
                    .failure(
                        Failure(
                            reason: told("cannot resolve \(first.host): \(error.reason)"), kind: .originNameNotFound)))
            }
        }
    }

    private static func plainAddress(of target: Endpoint) -> SocketAddress? {
        if let address = target.host.address { return SocketAddress(address, target.port) }
        // RFC 6761 §6.3.
        guard target.host.text == "localhost" || target.host.text.hasSuffix(".localhost") else { return nil }
        return IPAddress("127.0.0.1").map { SocketAddress($0, target.port) }
    }

    func cancel() {
        done = nil
        stream?.close()
        stream = nil
    }

    /// Goes on to the next address when this one takes too long.
    func checkDeadline(_ now: Double) {
        guard done != nil, let stream, now - attemptStarted > Self.attemptLimit else { return }
        stream.close()
        failed("no answer within \(Int(Self.attemptLimit)) s", .originTimeout)
    }

    private func next() {
        while !waiting.isEmpty {
            let address = waiting.removeFirst()
            answer = []
            searched = 0
            begun = 0
            isAsked = false
            attemptStarted = MonotonicClock.now
            do throws(SystemError) {
                let stream = try TCPStream(on: loop, connectingTo: address)
                stream.handler = self
                self.stream = stream
                if let connecting, let local = stream.localAddress { connecting(local, address) }
                return
            } catch {
                lastFailure = Failure(reason: told("\(error.reason) (\(address))"), kind: Self.kind(of: error))
            }
        }
        finish(.failure(lastFailure))
    }

    private static func kind(of error: SystemError) -> Observation.Fault {
        if error.isRefused { return .originRefused }
        return error.isTimeout ? .originTimeout : error.isReset ? .originReset : .originUnreachable
    }

    private func failed(_ reason: String, _ kind: Observation.Fault = .originUnreachable) {
        let address = stream?.address?.description ?? target.description
        lastFailure = Failure(reason: told("\(reason) (\(address))"), kind: kind)
        stream = nil
        next()
    }

    /// Where an upstream proxy is called, it is the one that failed; once it was asked, it may be for the origin's sake.
    private func told(_ reason: String) -> String {
        proxy == nil ? reason : (isAsked ? "upstream proxy, when it was asked: " : "upstream proxy: ") + reason
    }

    private func finish(_ result: Result<Dialed, Failure>) {
        let done = self.done
        self.done = nil
        stream = nil
        done?(result)
    }

    // MARK: StreamHandler

    func streamConnected(_ stream: any ByteStream) {
        guard let proxy else {
            finish(.success(Dialed(stream: stream, greeting: [])))
            return
        }
        let authorization = proxy.authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
        let head = Array("CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n".utf8)
        let through = via.isEmpty ? [] : Array("Via: ".utf8) + via + Self.lineEnd
        stream.write(head + through + Array("\(authorization)\r\n".utf8))
        isAsked = true
        stream.resume()
    }

    func stream(_ stream: any ByteStream, received bytes: Span<UInt8>) {
        answer.append(copying: bytes)
        while let end = endOfHead() {
            let line = String(
                decoding: answer.prefix { $0 != UInt8(ascii: "\r") }.prefix(Self.lineLimit), as: UTF8.self)
            let words = line.split(separator: " ", maxSplits: 2)
            let status = words.count >= 2 && words[0].hasPrefix("HTTP/1.") && words[1].count == 3 ? words[1] : ""
            // An interim answer: the one that counts follows (RFC 9110 §15.2).
            if status.hasPrefix("1"), status != "101" {
                begun += end
                answer.removeFirst(end)
                searched = 0
                continue
            }
            guard status.hasPrefix("2") else {
                // RFC 5842 §7.2: it has led back to a proxy on the way.
                let isLoop = words.count >= 2 && words[1] == "508"
                return refuseProxyAnswer("\"\(Printable.escaped(line))\"", isLoop ? .proxyLoop : .originUnreachable)
            }
            stream.pause()
            return finish(.success(Dialed(stream: stream, greeting: Array(answer[end...]))))
        }
        if begun + answer.count > Self.answerLimit { refuseProxyAnswer("an endless head") }
    }

    /// Where the answer's head ends; each byte is looked at once.
    private func endOfHead() -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        while searched + mark.count <= answer.count {
            if answer[searched..<(searched + mark.count)].elementsEqual(mark) { return searched + mark.count }
            searched += 1
        }
        return nil
    }

    private func refuseProxyAnswer(_ what: String, _ kind: Observation.Fault = .originUnreachable) {
        stream?.close()
        finish(.failure(Failure(reason: "upstream proxy answered \(what)", kind: kind)))
    }

    func streamReachedEnd(_ stream: any ByteStream) {
        stream.close()
        let came = Printable.excerpt(String(decoding: answer.prefix(100), as: UTF8.self))
        failed(
            answer.isEmpty
                ? "it closed the connection without an answer"
                : "it closed the connection behind \"\(came)\", which is no answer")
    }

    func stream(_ stream: any ByteStream, failed error: SystemError) {
        stream.close()
        failed(error.reason, Self.kind(of: error))
    }

    func streamDrained(_ stream: any ByteStream) {}
}
