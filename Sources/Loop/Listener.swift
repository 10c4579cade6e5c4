import CEvent
import Facts

/// A listening TCP socket whose connections are handed to one callback.
public final class Listener {
    public let address: SocketAddress
    private let descriptor: Int32
    private let accepted: (AcceptedSocket) -> Void
    private var event: ReadableEvent?

    /// As much as the kernel allows (net.core.somaxconn): a burst of clients waits rather than fails.
    private static let backlog: Int32 = 4096
    /// Connections taken per wake-up, so that the loop's other sockets get their turn.
    private static let batch = 64

    /// Binds and listens; port 0 picks a free one.
    ///
    /// No SO_REUSEPORT: with it a second process on a used port would bind without an error and take half of the
    /// connections.
    public init(
        on loop: EventLoop, at address: SocketAddress, _ accepted: @escaping (AcceptedSocket) -> Void
    ) throws(SystemError) {
        let descriptor = pp_socket(address.family)
        guard descriptor >= 0 else { throw SystemError("socket") }
        self.descriptor = descriptor
        self.accepted = accepted
        var on: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        let bound = unsafe address.withSockaddr { unsafe bind(descriptor, $0, $1) }
        guard bound == 0 else {
            let error = SystemError("bind")
            close(descriptor)
            throw error
        }
        guard listen(descriptor, Self.backlog) == 0 else {
            let error = SystemError("listen")
            close(descriptor)
            throw error
        }
        self.address = unsafe SocketAddress.filled { unsafe getsockname(descriptor, $0, $1) }.address ?? address
        event = try ReadableEvent(on: loop, descriptor: descriptor) { [unowned self] in accept(atMost: Self.batch) }
    }

    deinit {
        event = nil
        close(descriptor)
    }

    /// Takes every connection that is waiting.
    public func acceptWaiting() { accept(atMost: .max) }

    private func accept(atMost limit: Int) {
        for _ in 0..<limit {
            let fd = descriptor
            let (client, peer) = unsafe SocketAddress.filled { unsafe pp_accept(fd, $0, $1) }
            // EAGAIN: none waiting. EMFILE: out of descriptors; the kernel keeps the rest queued until some are free.
            guard client >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                return
            }
            accepted(AcceptedSocket(descriptor: client, peer: peer))
        }
    }
}

/// A connection that was accepted and belongs to no loop yet; closes itself when nobody takes it.
public final class AcceptedSocket: Sendable {
    public let peer: SocketAddress?
    private let descriptor: Locked<Int32>

    init(descriptor: Int32, peer: SocketAddress?) {
        self.descriptor = Locked(descriptor)
        self.peer = peer
    }

    deinit {
        let fd = take()
        if fd >= 0 { close(fd) }
    }

    /// The descriptor, once; -1 afterwards.
    func take() -> Int32 {
        descriptor.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
    }
}
