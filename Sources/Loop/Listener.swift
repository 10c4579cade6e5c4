import CEvent
import Facts

/// A listening TCP socket whose connections are handed to one callback.
package final class Listener {
    package let address: SocketAddress
    private let descriptor: Int32
    private let mayAccept: () -> Bool
    private let accepted: (AcceptedSocket) -> Void
    private let loop: EventLoop
    private var event: ReadableEvent?
    private var retry: LoopTimer?

    /// As much as the kernel allows (net.core.somaxconn): a burst of clients waits rather than fails.
    private static let backlog: Int32 = 4096
    /// Connections taken per wake-up, so that the loop's other sockets get their turn.
    private static let batch = 64
    /// Seconds without accepting when descriptors have run out: the waiting connection would wake the loop for ever.
    private static let exhaustionPause = 0.1

    /// Binds and listens; port 0 picks a free one.
    ///
    /// No SO_REUSEPORT: with it a second process on a used port would bind without an error and take half of the
    /// connections.
    ///
    /// - Parameter mayAccept: asked before each connection is taken; after a no the rest waits in the kernel's queue
    ///   until `acceptWaiting`.
    package init(
        on loop: EventLoop, at address: SocketAddress, mayAccept: @escaping () -> Bool = { true },
        _ accepted: @escaping (AcceptedSocket) -> Void
    ) throws(SystemError) {
        let descriptor = pp_socket(address.family)
        guard descriptor >= 0 else { throw SystemError("socket") }
        self.descriptor = descriptor
        self.loop = loop
        self.mayAccept = mayAccept
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
        try watch()
    }

    private func watch() throws(SystemError) {
        event = try ReadableEvent(on: loop, descriptor: descriptor) { [unowned self] in accept(atMost: Self.batch) }
    }

    deinit {
        event = nil
        close(descriptor)
    }

    /// Takes every connection that is waiting and may be taken.
    package func acceptWaiting() {
        if event == nil, retry == nil { try? watch() }
        accept(atMost: .max)
    }

    private func accept(atMost limit: Int) {
        for _ in 0..<limit {
            guard mayAccept() else {
                // It would wake the loop for ever.
                event = nil
                return
            }
            let fd = descriptor
            let (client, peer) = unsafe SocketAddress.filled { unsafe pp_accept(fd, $0, $1) }
            guard client >= 0 else {
                let reason = errno
                if reason == EINTR || reason == ECONNABORTED { continue }
                if reason == EMFILE || reason == ENFILE || reason == ENOBUFS || reason == ENOMEM { pause() }
                return  // EAGAIN: none waiting
            }
            accepted(AcceptedSocket(descriptor: client, peer: peer))
        }
    }

    /// Out of descriptors: leaves the rest queued in the kernel until some may be free again.
    private func pause() {
        event = nil
        retry = LoopTimer(on: loop, every: Self.exhaustionPause) { [unowned self] in
            guard (try? watch()) != nil else { return }
            retry = nil
        }
    }
}

/// An accepted connection that belongs to no loop yet; closes itself if nobody takes it.
package final class AcceptedSocket: Sendable {
    package let peer: SocketAddress?
    /// Where the client wanted to go, where the system redirected it here (transparent capture); nil where it came by
    /// itself, as every client does today.
    package let originalDestination: Endpoint?
    private let descriptor: Locked<Int32>

    init(descriptor: Int32, peer: SocketAddress?, originalDestination: Endpoint? = nil) {
        self.descriptor = Locked(descriptor)
        self.peer = peer
        self.originalDestination = originalDestination
    }

    deinit {
        let fd = take()
        if fd >= 0 { close(fd) }
    }

    /// Which address of this machine the client reached; nil once it was taken.
    package var localAddress: SocketAddress? {
        descriptor.withLock { descriptor in
            unsafe descriptor < 0 ? nil : SocketAddress.filled { unsafe getsockname(descriptor, $0, $1) }.address
        }
    }

    /// The descriptor, once; -1 afterwards.
    func take() -> Int32 {
        descriptor.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
    }
}
