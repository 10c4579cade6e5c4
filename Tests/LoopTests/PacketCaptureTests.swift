import Facts
import Testing

@testable import Loop

/// A capture on this thread, with a loop that never turns: packets are handed over when they are asked for.
private final class Bench {
    let loop: EventLoop
    private var capture: PacketCapture?
    private(set) var packets: [[UInt8]] = []

    init(_ loop: EventLoop) throws(SystemError) {
        self.loop = loop
        capture = try PacketCapture(on: loop, udpPorts: [443]) { [unowned self] packet in
            packets.append(packet.indices.map { packet[$0] })
        }
    }

    /// nil where this process may not look, which is said: a test that is skipped looks like one that passed.
    static func ifPermitted() throws -> Bench? {
        do {
            return try Bench(try EventLoop())
        } catch {
            guard error.isPermissionDenied || error.isNotSupported else { throw error }
            print("SKIPPED: packets cannot be captured here: \(error)")
            return nil
        }
    }

    func drain() { capture?.drain() }
    var dropped: Int { capture?.takeDropped() ?? 0 }

    /// Where the packets to this port came from, in order.
    func sources(to port: UInt16) -> [UInt16] {
        drain()
        return packets.compactMap { packet in
            let header = packet[0] >> 4 == 4 ? Int(packet[0] & 15) * 4 : 40
            guard packet.count >= header + 4 else { return nil }
            let ports = packet[header..<(header + 4)].map(UInt16.init)
            return ports[2] << 8 | ports[3] == port ? ports[0] << 8 | ports[1] : nil
        }
    }
}

@Suite struct PacketCaptureTests {
    @Test("the SYN of a connection on loopback is seen once, with both of its ends", arguments: ["127.0.0.1", "::1"])
    func syn(_ address: String) throws {
        guard let bench = try Bench.ifPermitted() else { return }
        let listener = try Listener(on: bench.loop, at: SocketAddress(try #require(IPAddress(address)), 0)) { _ in }
        let stream = try TCPStream(on: bench.loop, connectingTo: listener.address)
        let local = try #require(stream.localAddress)
        #expect(bench.sources(to: listener.address.port) == [local.port])
        stream.close()
        #expect(bench.sources(to: listener.address.port) == [local.port], "nothing more was to be looked at")
        #expect(bench.dropped == 0)
    }

    @Test("the address that a client reached is known of an accepted socket until it is taken")
    func accepted() throws {
        let loop = try EventLoop()
        var sockets: [AcceptedSocket] = []
        let any = SocketAddress(try #require(IPAddress("0.0.0.0")), 0)
        let listener = try Listener(on: loop, at: any) { sockets.append($0) }
        let reached = SocketAddress(try #require(IPAddress("127.0.0.1")), listener.address.port)
        let stream = try TCPStream(on: loop, connectingTo: reached)
        while sockets.isEmpty { listener.acceptWaiting() }
        let socket = try #require(sockets.first)
        #expect(socket.localAddress == reached)
        #expect(socket.peer == stream.localAddress)
        #expect(TCPStream(on: loop, accepted: socket) != nil)
        #expect(socket.localAddress == nil)
        stream.close()
        #expect(stream.localAddress == nil)
    }
}
