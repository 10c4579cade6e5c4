import CEvent

/// Hands over this network namespace's packets that pass a filter, on one loop.
///
/// Linux alone has it (AF_PACKET), for root or whoever has CAP_NET_RAW. It only looks: nothing is held up or changed.
package final class PacketCapture {
    private let descriptor: Int32
    private let received: (Span<UInt8>) -> Void
    private let loop: EventLoop
    private var event: ReadableEvent?
    /// Why it ended before it was closed.
    package private(set) var failure: SystemError?

    /// What waits to be read: a burst of a few thousand beginnings of connections.
    private static let bufferSize: Int32 = 8 << 20
    /// More than the buffer holds of the smallest packets.
    private static let waiting = 100_000
    /// Packets handed over per wake-up, so that whoever waits for this loop gets a turn.
    private static let batch = 1000

    /// From here on packets are kept; they are handed over when the loop turns, or by `drain`.
    ///
    /// - Parameter received: called with each packet from its IP header on; the bytes are valid during the call.
    /// - Throws: `ENOTSUP` on other systems, `EPERM` without the permission.
    package init(
        on loop: EventLoop, udpPorts: Set<UInt16>, _ received: @escaping (Span<UInt8>) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.received = received
        descriptor = try Self.open(udpPorts)
        do throws(SystemError) {
            event = try ReadableEvent(on: loop, descriptor: descriptor) { [unowned self] in read(atMost: Self.batch) }
        } catch {
            _ = TCPStream.closeDescriptor(descriptor)
            throw error
        }
    }

    deinit {
        event = nil
        _ = TCPStream.closeDescriptor(descriptor)
    }

    /// Hands over all that has come until now.
    package func drain() { read(atMost: Self.waiting) }

    private func read(atMost limit: Int) {
        let buffer = unsafe loop.readBuffer
        for _ in 0..<limit {
            guard failure == nil else { return }
            let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                received(unsafe Span(_unsafeStart: UnsafePointer(buffer.baseAddress.unsafelyUnwrapped), count: count))
            } else if count == 0 || errno == EINTR {
                continue
            } else {
                // An interface that goes away is told of here, and the others go on.
                if errno == ENETDOWN { continue }
                if errno != EAGAIN {
                    failure = SystemError("recv")
                    event = nil
                }
                return
            }
        }
    }

    /// Packets that passed the filter and found no room, since the last time this was asked.
    package func takeDropped() -> Int {
        #if os(Linux)
            var statistics = tpacket_stats()
            var length = socklen_t(MemoryLayout<tpacket_stats>.size)
            guard unsafe getsockopt(descriptor, SOL_PACKET, PACKET_STATISTICS, &statistics, &length) == 0 else {
                return 0
            }
            return Int(statistics.tp_drops)
        #else
            return 0
        #endif
    }

    private static func open(_ udpPorts: Set<UInt16>) throws(SystemError) -> Int32 {
        #if os(Linux)
            let descriptor = pp_packet_socket()
            guard descriptor >= 0 else { throw SystemError("socket") }
            do throws(SystemError) {
                try prepare(descriptor, udpPorts)
                return descriptor
            } catch {
                _ = TCPStream.closeDescriptor(descriptor)
                throw error
            }
        #else
            throw SystemError("AF_PACKET", ENOTSUP)
        #endif
    }

    #if os(Linux)
        private static func prepare(_ descriptor: Int32, _ udpPorts: Set<UInt16>) throws(SystemError) {
            let filter = PacketFilter(udpPorts: udpPorts, loopback: unsafe if_nametoindex("lo"))
            let instructions = filter.instructions.map {
                sock_filter(code: $0.code, jt: $0.ifTrue, jf: $0.ifFalse, k: $0.operand)
            }
            let attached = unsafe instructions.withUnsafeBufferPointer {
                unsafe pp_attach_filter(descriptor, $0.baseAddress, UInt16($0.count))
            }
            guard attached == 0 else { throw SystemError("SO_ATTACH_FILTER") }
            var size = bufferSize
            let length = socklen_t(MemoryLayout<Int32>.size)
            // Beyond the system's limit where that is allowed; the usual size will do otherwise, as drops are told.
            if unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, length) != 0 {
                unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, length)
            }
            guard pp_bind_packets(descriptor) == 0 else { throw SystemError("bind") }
        }
    #endif
}
