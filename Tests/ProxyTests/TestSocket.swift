import Facts

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@testable import Loop

/// A blocking TCP socket, so that a test reads in the order in which things happen.
///
/// Unchecked Sendable: it is handed from thread to thread, and used by one at a time.
final class TestSocket: @unchecked Sendable {
    let descriptor: Int32
    private var isClosed = false
    /// Seconds after which waiting is a failure of the test: near the suites' own limit, for on a busy machine a
    /// test that awaits may be resumed a minute later, while its origin waits for the next request.
    private static let patience = 240

    /// - Parameters:
    ///   - source: the address to come from; nil: whichever the kernel takes.
    ///   - receiveBuffer: bytes that the kernel takes for a reader that does not read.
    init(to address: SocketAddress, from source: SocketAddress? = nil, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(address.family, numericCast(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError("socket") }
        if let receiveBuffer { set(SO_RCVBUF, receiveBuffer) }
        setTimeouts()
        let fd = descriptor
        if let source, unsafe source.withSockaddr({ unsafe bind(fd, $0, $1) }) != 0 { throw SystemError("bind") }
        guard unsafe address.withSockaddr({ unsafe connect(fd, $0, $1) }) == 0 else { throw SystemError("connect") }
    }

    init(adopting descriptor: Int32) {
        self.descriptor = descriptor
        setTimeouts()
    }

    deinit { close() }

    private func set<Value: BitwiseCopyable>(_ option: Int32, _ value: Value) {
        var value = value
        unsafe setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Value>.size))
    }

    private func setTimeouts() {
        var limit = timeval()
        limit.tv_sec = Self.patience
        set(SO_RCVTIMEO, limit)
        set(SO_SNDTIMEO, limit)
    }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes { unsafe sendBytes(descriptor, $0.baseAddress, $0.count, noSignal) }
            guard sent > 0 else { throw SystemError("send") }
            rest = rest.dropFirst(sent)
        }
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Sends until the other side has taken nothing for so long.
    func fill(untilStill milliseconds: Int32 = 500) {
        let piece = [UInt8](repeating: 0x80, count: 1 << 16)
        while true {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&ready, 1, milliseconds) == 1, Int32(ready.revents) & POLLOUT != 0 else { return }
            let count = unsafe piece.withUnsafeBytes { buffer in
                unsafe sendBytes(descriptor, buffer.baseAddress, buffer.count, noSignal | dontWait)
            }
            guard count > 0 else { return }
        }
    }

    /// What has arrived, at least a byte; empty at the end. A reset throws.
    func receive(atMost limit: Int = 64 * 1024) throws -> [UInt8] {
        var failure: SystemError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let received = unsafe recv(descriptor, buffer.baseAddress, limit, 0)
            if received < 0 { failure = SystemError("recv") }
            count = max(0, received)
        }
        if let failure { throw failure }
        return bytes
    }

    /// So many bytes, however they come; an end before that throws.
    func receive(exactly count: Int) throws -> [UInt8] {
        var out: [UInt8] = []
        while out.count < count { out += try some(atMost: count - out.count) }
        return out
    }

    /// What comes until there is so much of it, and what came with that; an end before that throws.
    func receive(atLeast count: Int) throws -> [UInt8] {
        var out: [UInt8] = []
        while out.count < count { out += try some(atMost: 64 * 1024) }
        return out
    }

    private func some(atMost limit: Int) throws -> [UInt8] {
        let bytes = try receive(atMost: limit)
        guard !bytes.isEmpty else { throw UnexpectedEnd(after: "some bytes") }
        return bytes
    }

    /// Up to and including `mark`, byte by byte, so that what follows is left.
    func read(until mark: String) throws -> String {
        let mark = Array(mark.utf8)
        var out: [UInt8] = []
        while !out.suffix(mark.count).elementsEqual(mark) {
            let byte = try receive(atMost: 1)
            guard !byte.isEmpty else { throw UnexpectedEnd(after: String(decoding: out, as: UTF8.self)) }
            out += byte
        }
        return String(decoding: out, as: UTF8.self)
    }

    func readToEnd() throws -> [UInt8] {
        var out: [UInt8] = []
        while case let bytes = try receive(), !bytes.isEmpty { out += bytes }
        return out
    }

    /// Sends FIN; reading goes on.
    func end() { shutdown(descriptor, Int32(SHUT_WR)) }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        _ = TCPStream.closeDescriptor(descriptor)
    }

    /// Returns when the other side's kernel has all that was sent: a reset takes nothing of it away any more.
    func waitUntilArrived() throws {
        while true {
            guard let count = TCPStream.unacknowledged(on: descriptor) else { throw SystemError("ioctl") }
            guard count > 0 else { return }
            sched_yield()
        }
    }

    /// Closes with RST, as the kernel does for a process that was killed in the middle.
    func reset() {
        set(SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        close()
    }
}

struct UnexpectedEnd: Error { let after: String }

#if canImport(Darwin)
    private let noSignal: Int32 = 0
#else
    private let noSignal = Int32(MSG_NOSIGNAL)
#endif

private let dontWait = Int32(MSG_DONTWAIT)

/// The system's `send`, which `TestSocket.send` hides inside of it.
private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    unsafe send(descriptor, bytes, count, flags)
}
