import CEvent
import CLoop
import Facts

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A non-blocking TCP connection on one loop, with the output the kernel would not take yet.
@safe package final class TCPStream: ByteStream {
    package weak var handler: (any StreamHandler)?
    /// Who is shown what crosses the wire; nil: nobody is.
    package var witness: (any StreamWitness)?
    /// The peer.
    package let address: SocketAddress?

    private let loop: EventLoop
    private var descriptor: Int32
    private var readEvent: OpaquePointer?
    private var writeEvent: OpaquePointer?
    private var isConnecting: Bool
    private var isReading = false
    private var isEnding = false
    private var hasEnded = false
    private var output: [UInt8] = []
    private var outputStart = 0
    package private(set) var writtenCount = 0
    /// What the kernel has taken since it began, and whether that was followed by a FIN.
    private var taken = 0
    private var hasSentEnd = false
    /// Why the last write failed; told once everything that had come in before is read.
    private var writeFailure: SystemError?

    /// Takes over an accepted socket. Reading starts with `resume`.
    package init?(on loop: EventLoop, accepted socket: AcceptedSocket) {
        self.loop = loop
        descriptor = socket.take()
        address = socket.peer
        isConnecting = false
        guard descriptor >= 0, makeEvents() else { return nil }
    }

    /// Starts to connect; `streamConnected` or `failed` follows, never before this returns.
    package init(on loop: EventLoop, connectingTo address: SocketAddress) throws(SystemError) {
        self.loop = loop
        self.address = address
        isConnecting = true
        descriptor = pp_socket(address.family)
        guard descriptor >= 0 else { throw SystemError("socket") }
        guard makeEvents() else { throw SystemError("event_new", ENOMEM) }
        let fd = descriptor
        let result = unsafe address.withSockaddr { unsafe connect(fd, $0, $1) }
        guard result == 0 || errno == EINPROGRESS else {
            let error = SystemError("connect")
            close()
            throw error
        }
        unsafe pp_event_add(writeEvent, nil)
    }

    deinit { close() }

    private func makeEvents() -> Bool {
        var on: Int32 = 1
        // Handshake flights and small answers must not wait for an acknowledgement of the last ones.
        unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        // C keeps this pointer until event_free, which close() (and so deinit) calls first.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe readEvent = event_new(loop.base, descriptor, Int16(EV_READ | EV_PERSIST), streamReadable, context)
        unsafe writeEvent = event_new(loop.base, descriptor, Int16(EV_WRITE), streamWritable, context)
        return unsafe readEvent != nil && writeEvent != nil
    }

    package var isOpen: Bool { descriptor >= 0 }

    package func acknowledge() {
        #if !canImport(Darwin)
            guard isOpen else { return }
            var on: Int32 = 1
            unsafe setsockopt(
                descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// By TCP's keep-alive: a probe after 15 silent minutes, and the end when ten in a row, a minute apart, are not
    /// answered. A device that sleeps for less does not lose what it left open.
    package func noticeLostPeer() {
        guard isOpen else { return }
        #if canImport(Darwin)
            let idle = TCP_KEEPALIVE
        #else
            let idle = TCP_KEEPIDLE
        #endif
        let options: [(level: Int32, name: Int32, value: Int32)] = [
            (Int32(IPPROTO_TCP), idle, 900), (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 60),
            (Int32(IPPROTO_TCP), TCP_KEEPCNT, 10), (SOL_SOCKET, SO_KEEPALIVE, 1),
        ]
        for option in options {
            var value = option.value
            unsafe setsockopt(
                descriptor, option.level, option.name, &value, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    /// Our own end; nil once it is closed. It is chosen as soon as connecting has begun.
    package var localAddress: SocketAddress? {
        guard isOpen else { return nil }
        let fd = descriptor
        return unsafe SocketAddress.filled { unsafe getsockname(fd, $0, $1) }.address
    }

    // MARK: Reading

    /// Begins to hand out what arrives, or goes on after `pause`.
    package func resume() {
        guard isOpen, !isReading, !hasEnded, !isConnecting else { return }
        isReading = true
        unsafe pp_event_add(readEvent, nil)
    }

    /// Leaves what arrives in the kernel, whose window then holds the peer back.
    package func pause() {
        guard isReading else { return }
        isReading = false
        unsafe event_del(readEvent)
    }

    fileprivate func readable() {
        let buffer = unsafe loop.readBuffer
        let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 {
            let bytes = unsafe Span(_unsafeStart: UnsafePointer(buffer.baseAddress.unsafelyUnwrapped), count: count)
            witness?.received(bytes)
            handler?.stream(self, received: bytes)
            witness?.settled()
        } else if count == 0 {
            // The failed write has taken the reset off the socket, which then reads as if it had ended well.
            if let writeFailure { return fail(writeFailure) }
            witness?.peerEnded()
            pause()
            hasEnded = true
            handler?.streamReachedEnd(self)
        } else if errno != EAGAIN && errno != EINTR {
            fail(SystemError("read"))
        }
    }

    // MARK: Writing

    /// Bytes that the kernel has not taken yet.
    package var backlog: Int { output.count - outputStart }
    /// What the backlog costs, sent bytes that were not dropped yet included.
    package var held: Int { output.count }

    /// Sends, or keeps what the kernel does not take. The caller holds its source back while `backlog` is large.
    package func write(_ bytes: Span<UInt8>) {
        guard isOpen, !isEnding else { return }
        writtenCount += bytes.count
        guard writeFailure == nil, bytes.count > 0 else { return }
        var sent = 0
        if backlog == 0, !isConnecting {
            sent = unsafe bytes.withUnsafeBufferPointer { unsafe send(descriptor, $0.baseAddress, $0.count, noSignal) }
            if sent < 0 {
                guard errno == EAGAIN || errno == EINTR else { return broken(SystemError("write")) }
                sent = 0
            }
            taken += sent
            if let witness, sent > 0 { witness.sent(bytes.extracting(first: sent)) }
        }
        guard sent < bytes.count else { return }
        // A peer that reads just as fast as we are given bytes would keep what was sent here for ever.
        if outputStart > output.count / 2 {
            output.removeSubrange(..<outputStart)
            outputStart = 0
        }
        unsafe bytes.withUnsafeBufferPointer { unsafe output.append(contentsOf: $0[sent...]) }
        if !isConnecting { unsafe pp_event_add(writeEvent, nil) }
    }

    /// Sends FIN once the backlog is out; reading goes on.
    package func end() {
        guard isOpen, !isEnding else { return }
        isEnding = true
        if backlog == 0 { sendEnd() }
    }

    private func sendEnd() {
        shutdown(descriptor, Int32(SHUT_WR))
        hasSentEnd = true
        witness?.ended()
    }

    fileprivate func writable() {
        if isConnecting {
            connected()
            return
        }
        if let writeFailure { return fail(writeFailure) }
        while backlog > 0 {
            let sent = unsafe output.withUnsafeBufferPointer { buffer in
                unsafe send(
                    descriptor, buffer.baseAddress.unsafelyUnwrapped + outputStart, buffer.count - outputStart, noSignal
                )
            }
            guard sent > 0 else {
                if errno == EAGAIN || errno == EINTR {
                    unsafe pp_event_add(writeEvent, nil)
                } else {
                    broken(SystemError("write"))
                }
                return
            }
            if let witness { witness.sent(output.span.extracting(outputStart..<(outputStart + sent))) }
            outputStart += sent
            taken += sent
        }
        output = []
        outputStart = 0
        if isEnding { sendEnd() }
        handler?.streamDrained(self)
    }

    /// The connection does not take anything any more. What the peer said before comes first (an alert, then the
    /// reset that it caused), so reading tells of the failure; where reading is over, the loop does, on its next turn.
    private func broken(_ error: SystemError) {
        writeFailure = error
        output = []
        outputStart = 0
        if hasEnded {
            unsafe event_active(writeEvent, Int32(EV_WRITE), 0)
        } else {
            resume()
        }
    }

    private func connected() {
        if let error = pendingError("connect") { return fail(error) }
        isConnecting = false
        if backlog > 0 { unsafe pp_event_add(writeEvent, nil) }
        handler?.streamConnected(self)
    }

    // MARK: Ending

    /// Bytes written that the peer's kernel has not acknowledged: our own backlog counts, and what of it was given up
    /// when a write failed. nil where it is not known.
    package var unacknowledged: Int? {
        guard isOpen, let count = Self.unacknowledged(on: descriptor) else { return nil }
        return count + writtenCount - taken
    }

    package var acknowledgedCount: Int? {
        guard isOpen, let count = Self.unacknowledged(on: descriptor) else { return nil }
        // The FIN is one of them as long as it is not acknowledged itself.
        return taken - (hasSentEnd && count > 0 ? count - 1 : count)
    }

    static func unacknowledged(on descriptor: Int32) -> Int? {
        let count = Int(pp_unacknowledged(descriptor))
        return count < 0 ? nil : count
    }

    /// Nothing is read after a FIN, so that nobody would hear of a reset before something is written again.
    package func noticeReset() {
        guard isOpen, hasEnded || !isReading, !isConnecting, writeFailure == nil, let error = pendingError("read")
        else { return }
        fail(error)
    }

    private func pendingError(_ call: String) -> SystemError? {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        return code == 0 ? nil : SystemError(call, code)
    }

    private func fail(_ error: SystemError) {
        let handler = self.handler
        pause()
        hasEnded = true
        witness?.failed(error)
        handler?.stream(self, failed: error)
    }

    /// Closes the socket; no callback comes after it. What is in the backlog is lost.
    package func close() {
        guard descriptor >= 0 else { return }
        if let witness {
            witness.closed(byReset: hasUnreadBytes)
            self.witness = nil
        }
        if let readEvent = unsafe readEvent { unsafe event_free(readEvent) }
        if let writeEvent = unsafe writeEvent { unsafe event_free(writeEvent) }
        unsafe readEvent = nil
        unsafe writeEvent = nil
        isReading = false
        _ = Self.closeDescriptor(descriptor)
        descriptor = -1
    }

    /// Closing now ends it by an RST rather than a FIN (RFC 2525 §2.17).
    private var hasUnreadBytes: Bool {
        var byte: UInt8 = 0
        return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }

    /// Closes with an RST rather than a FIN, whatever has been sent or read.
    package func reset() {
        guard isOpen else { return }
        witness?.closed(byReset: true)
        witness = nil
        var now = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    static func closeDescriptor(_ descriptor: Int32) -> Int32 {
        #if canImport(Glibc)
            Glibc.close(descriptor)
        #elseif canImport(Musl)
            Musl.close(descriptor)
        #else
            Darwin.close(descriptor)
        #endif
    }
}

/// A peer that is gone must be an error of the call, not a signal to the process.
#if canImport(Darwin)
    private let noSignal: Int32 = 0
#else
    private let noSignal = Int32(MSG_NOSIGNAL)
#endif

private func streamReadable(_: Int32, _: Int16, context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    let stream = unsafe Unmanaged<TCPStream>.fromOpaque(context).takeUnretainedValue()
    withExtendedLifetime(stream) { stream.readable() }
}

private func streamWritable(_: Int32, _: Int16, context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    let stream = unsafe Unmanaged<TCPStream>.fromOpaque(context).takeUnretainedValue()
    withExtendedLifetime(stream) { stream.writable() }
}
