import Facts
import Loop
import TLS

/// How a server is asked for its chain, by one handshake that sends nothing behind it.
package struct ChainProbe: Sendable {
    package enum Answer: Sendable {
        /// Leaf first, as presented; and why it did not verify, nil where it did.
        case chain([Certificate], refusal: String?)
        /// Nobody answered, or not in TLS.
        case failed(String)
    }

    fileprivate let target: Endpoint
    fileprivate let proxy: UpstreamProxy?
    fileprivate let trust: TrustStore
    fileprivate let offer: OriginOffer?
    fileprivate let dialed: Endpoint

    fileprivate let limit: Double

    /// Seconds for all of it: ten for each of three addresses, and the handshake.
    package static let usualLimit = 40.0

    /// - Parameters:
    ///   - target: whose name is sent (SNI) and expected.
    ///   - place: where it is called; nil: by its name.
    ///   - proxy: asked by CONNECT.
    ///   - offer: what is offered; nil: the proxy's own.
    ///   - limit: seconds for all of it.
    package init(
        _ target: Endpoint, at place: Endpoint? = nil, through proxy: UpstreamProxy? = nil, trust: TrustStore,
        offering offer: OriginOffer? = nil, within limit: Double = ChainProbe.usualLimit
    ) {
        self.offer = offer
        self.limit = limit
        self.target = target
        self.proxy = proxy
        self.trust = trust
        dialed = place ?? target
    }
}

/// One call of a probe, on its loop.
package final class ChainCall: StreamHandler {
    private let probe: ChainProbe
    private let loop: EventLoop
    private let workspace = TLSWorkspace()
    private let began = MonotonicClock.now
    private var done: ((ChainProbe.Answer) -> Void)?
    private var dialer: Dialer?
    private var stream: (any ByteStream)?
    private var tls: TLSSession?
    private var timer: LoopTimer?

    /// - Parameter done: called once.
    package init(_ probe: ChainProbe, on loop: EventLoop, done: @escaping (ChainProbe.Answer) -> Void) {
        self.probe = probe
        self.loop = loop
        self.done = done
    }

    package func start() {
        timer = LoopTimer(on: loop, every: 1) { [unowned self] in
            let now = MonotonicClock.now
            dialer?.checkDeadline(now)
            if now - began > probe.limit { finish(.failed("no answer within \(Int(probe.limit)) s")) }
        }
        let first = Dialer(on: loop, target: probe.dialed, through: probe.proxy)
        dialer = first
        first.start { [unowned self] result in
            dialer = nil
            switch result {
            case .failure(let failure): finish(.failed(failure.reason))
            case .success(let dialed): shake(dialed)
            }
        }
    }

    private func shake(_ dialed: Dialer.Dialed) {
        stream = dialed.stream
        guard dialed.greeting.isEmpty else {
            return finish(.failed("it speaks before it is asked, as TLS does not"))
        }
        do throws(OpenSSLError) {
            let context = try ClientContext(trust: probe.trust, offering: probe.offer)
            let host = probe.target.host
            let session = try context.session(
                sni: host.isIP ? nil : host, verifying: host, alpn: ["h2", "http/1.1"], maxVersion: .tls13,
                in: workspace)
            tls = session
            dialed.stream.handler = self
            session.start()
            send()
            dialed.stream.resume()
        } catch {
            finish(.failed("\(error)"))
        }
    }

    private func send() { tls?.takeOutput { bytes in stream?.write(bytes) } }

    private func finish(_ answer: ChainProbe.Answer) {
        guard let done else { return }
        self.done = nil
        timer = nil
        dialer?.cancel()
        dialer = nil
        stream?.close()
        stream = nil
        done(answer)
    }

    /// What was shown before the connection ended, or why nothing was.
    private func conclude(_ reason: String) {
        guard let chain = tls?.originChain, !chain.certificates.isEmpty else { return finish(.failed(reason)) }
        let refusal = tls?.originVerified == true ? nil : tls?.originRefusal ?? reason
        finish(.chain(chain.certificates, refusal: refusal))
    }

    package func stream(_ stream: any ByteStream, received bytes: Span<UInt8>) {
        guard let tls else { return }
        let status = tls.receive(bytes) { _ in }
        send()
        switch status {
        case .handshaking: break
        case .open, .closeNotified: conclude("it closed the connection")
        case .failed(let error): conclude("\(error)")
        }
    }

    package func streamReachedEnd(_ stream: any ByteStream) { conclude("it closed the connection in the handshake") }
    package func stream(_ stream: any ByteStream, failed error: SystemError) { conclude(error.reason) }
    package func streamConnected(_ stream: any ByteStream) {}
    package func streamDrained(_ stream: any ByteStream) {}
}
