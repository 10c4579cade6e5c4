import Facts
import Loop

/// Makes the TCP connection to an origin: name, addresses one after the other, an upstream proxy where there is one.
final class Dialer: StreamHandler {
    private let loop: EventLoop
    private let target: Endpoint
    private let proxy: Endpoint?
    private var done: ((Result<Stream, Failure>) -> Void)?
    private var waiting: [SocketAddress] = []
    private var stream: Stream?
    private var attemptStarted = 0.0
    private var lastFailure = ""
    private var answer: [UInt8] = []

    struct Failure: Error, Hashable {
        /// `connection refused (127.0.0.1:8443)`.
        let reason: String
    }

    /// Seconds for one address while others are left, and for the last one.
    private static let attemptLimit = 10.0
    /// An upstream proxy's answer to CONNECT is a status line and a few headers.
    private static let answerLimit = 16 * 1024

    /// Starts at once; `done` is called once, possibly before this returns, and never after `cancel`.
    init(on loop: EventLoop, target: Endpoint, through proxy: Endpoint?) {
        self.loop = loop
        self.target = target
        self.proxy = proxy
    }

    func start(_ done: @escaping (Result<Stream, Failure>) -> Void) {
        self.done = done
        let first = proxy ?? target
        loop.resolve(first) { [weak self] result in
            guard let self, self.done != nil else { return }
            switch result {
            case .success(let addresses):
                waiting = addresses
                next()
            case .failure(let error):
                finish(.failure(Failure(reason: "cannot resolve \(first.host): \(error.reason)")))
            }
        }
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
        failed("no answer within \(Int(Self.attemptLimit)) s")
    }

    private func next() {
        while !waiting.isEmpty {
            let address = waiting.removeFirst()
            attemptStarted = MonotonicClock.now
            do throws(SystemError) {
                let stream = try Stream(on: loop, connectingTo: address)
                stream.handler = self
                self.stream = stream
                return
            } catch {
                lastFailure = "\(error.reason) (\(address))"
            }
        }
        finish(.failure(Failure(reason: lastFailure)))
    }

    private func failed(_ reason: String) {
        lastFailure = "\(reason) (\(stream?.address?.description ?? target.description))"
        stream = nil
        next()
    }

    private func finish(_ result: Result<Stream, Failure>) {
        let done = self.done
        self.done = nil
        stream = nil
        done?(result)
    }

    // MARK: StreamHandler

    func streamConnected(_ stream: Stream) {
        guard proxy != nil else {
            finish(.success(stream))
            return
        }
        stream.write(Array("CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\r\n".utf8))
        stream.resume()
    }

    func stream(_ stream: Stream, received bytes: Span<UInt8>) {
        for index in bytes.indices { answer.append(bytes[index]) }
        let end = Array("\r\n\r\n".utf8)
        guard answer.count >= end.count, answer.suffix(end.count).elementsEqual(end) else {
            // More than the head means that the origin speaks first, which no TLS server does.
            if answer.count > Self.answerLimit { refuseProxyAnswer("an endless answer") }
            return
        }
        let line = String(decoding: answer.prefix { $0 != UInt8(ascii: "\r") }.prefix(200), as: UTF8.self)
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].count == 3, words[1].hasPrefix("2") else {
            refuseProxyAnswer("\"\(line)\"")
            return
        }
        stream.pause()
        finish(.success(stream))
    }

    private func refuseProxyAnswer(_ what: String) {
        stream?.close()
        finish(.failure(Failure(reason: "upstream proxy answered \(what)")))
    }

    func streamReachedEnd(_ stream: Stream) {
        stream.close()
        failed("closed the connection")
    }

    func stream(_ stream: Stream, failed error: SystemError) {
        stream.close()
        failed(error.reason)
    }

    func streamDrained(_ stream: Stream) {}
}
