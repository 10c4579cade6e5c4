import Facts
import Loop

/// Asks a proxy who it is, on a loop of its own.
enum ProxyQuestion {
    /// Seconds for all of it: a proxy that is busy answers from memory all the same.
    static let limit = 5.0
    /// Bytes of an answer; the true one has some hundreds.
    static let answerLimit = 64 << 10

    static func ask(_ proxy: Endpoint, within limit: Double = ProxyQuestion.limit) async -> ProxyAnswer {
        let answer = Locked(ProxyAnswer.silent(reason: "its thread did not start"))
        guard let thread = try? LoopThread<Asker>(name: "doctor", makeState: { Asker($0) }) else {
            return answer.withLock { $0 }
        }
        await thread.run { asker, done in
            asker.ask(proxy, limit) { result in
                answer.withLock { $0 = result }
                done()
            }
        }
        thread.stop { $0.stop() }
        return answer.withLock { $0 }
    }
}

/// One question on its loop.
private final class Asker: StreamHandler {
    private let loop: EventLoop
    private var stream: TCPStream?
    private var timer: LoopTimer?
    private var done: ((ProxyAnswer) -> Void)?
    private var answer: [UInt8] = []
    /// Addresses that were not tried yet.
    private var left: [SocketAddress] = []

    init(_ loop: EventLoop) { self.loop = loop }

    func ask(_ proxy: Endpoint, _ limit: Double, _ done: @escaping (ProxyAnswer) -> Void) {
        self.done = done
        timer = LoopTimer(on: loop, every: limit) { [unowned self] in
            finish(answer.isEmpty ? .silent(reason: "no answer within \(Int(limit)) s") : ProxyAnswer(answer: answer))
        }
        loop.resolve(proxy) { [weak self] result in
            switch result {
            case .success(let addresses):
                self?.left = addresses
                self?.connect()
            case .failure: self?.finish(.silent(reason: "no address was found for the name"))
            }
        }
    }

    func stop() {
        timer = nil
        stream?.close()
        stream = nil
    }

    private func connect() {
        let address = left.removeFirst()
        do throws(SystemError) {
            let stream = try TCPStream(on: loop, connectingTo: address)
            stream.handler = self
            self.stream = stream
        } catch {
            failed(error)
        }
    }

    private func failed(_ error: SystemError) {
        if answer.isEmpty, !left.isEmpty { return connect() }
        if !answer.isEmpty { return finish(ProxyAnswer(answer: answer)) }
        finish(error.isRefused ? .nothingListens : .silent(reason: error.reason))
    }

    private func finish(_ result: ProxyAnswer) {
        guard let done else { return }
        self.done = nil
        timer = nil
        stream?.close()
        done(result)
    }

    func streamConnected(_ stream: any ByteStream) {
        stream.resume()
        left = []
        stream.write(
            Array(
                "GET \(AboutProxy.address) HTTP/1.1\r\nHost: \(AboutProxy.host)\r\nConnection: close\r\n\r\n".utf8))
    }

    func stream(_ stream: any ByteStream, received bytes: Span<UInt8>) {
        for index in bytes.indices where answer.count < ProxyQuestion.answerLimit { answer.append(bytes[index]) }
        if ProxyAnswer.isWhole(answer) || answer.count >= ProxyQuestion.answerLimit {
            finish(ProxyAnswer(answer: answer))
        }
    }

    func streamReachedEnd(_ stream: any ByteStream) { finish(ProxyAnswer(answer: answer)) }
    func stream(_ stream: any ByteStream, failed error: SystemError) { failed(error) }
    func streamDrained(_ stream: any ByteStream) {}
}
