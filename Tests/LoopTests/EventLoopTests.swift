import Facts
import Foundation
import Testing

@testable import Loop

@Suite("the loop")
struct EventLoopTests {
    private final class Calls {
        var count = 0
        let ended: (Int) -> Void
        init(_ ended: @escaping (Int) -> Void) { self.ended = ended }
        deinit { ended(count) }
    }

    @Test("a loop that ends lets go of what its lookups hold, and tells nobody")
    func lookupsUnderWay() throws {
        // Takes the questions and never answers.
        let wanted = SocketAddress(try #require(IPAddress("127.0.0.1")), 0)
        let server = socket(wanted.family, numericCast(SOCK_DGRAM.rawValue), 0)
        try #require(server >= 0)
        defer { close(server) }
        try #require(unsafe wanted.withSockaddr { unsafe bind(server, $0, $1) } == 0)
        let address = unsafe SocketAddress.filled { unsafe getsockname(server, $0, $1) }.address
        let file = FileManager.default.temporaryDirectory.path + "/resolv-\(UUID().uuidString)"
        defer { _ = FileTree.removeFile(file) }
        try "nameserver \(try #require(address))\n".write(toFile: file, atomically: false, encoding: .utf8)

        var counts: [Int] = []
        do {
            let loop = try EventLoop()
            loop.resolvConf = file
            let calls = Calls { counts.append($0) }
            // More than the resolver asks at once, so that some still wait.
            for number in 0..<100 {
                let endpoint = try #require(Endpoint("host\(number).test:443"))
                loop.resolve(endpoint) { _ in calls.count += 1 }
            }
        }
        // Let go of, and never called.
        #expect(counts == [0])
    }
    @Test("what libevent keeps of a descriptor lies apart from what connections use")
    func slots() throws {
        let wanted = SocketAddress(try #require(IPAddress("127.0.0.1")), 0)
        let server = socket(wanted.family, numericCast(SOCK_STREAM.rawValue), 0)
        defer { close(server) }
        try #require(unsafe wanted.withSockaddr { unsafe bind(server, $0, $1) } == 0 && listen(server, 100) == 0)
        let address = try #require(unsafe SocketAddress.filled { unsafe getsockname(server, $0, $1) }.address)
        let count = 50
        do {
            let loop = try EventLoop()
            var streams: [TCPStream] = []
            for _ in 0..<count { streams.append(try TCPStream(on: loop, connectingTo: address)) }
            for stream in streams { stream.close() }
            // Sanitizers see every block by itself, and not every system has the place.
            #if os(Linux)
                let isExpected = EventLoop.slotsInUse != nil || isSanitized
            #else
                let isExpected = EventLoop.slotsInUse == nil
            #endif
            #expect(isExpected)
            // A loop keeps them for its next connections.
            #expect(EventLoop.slotsInUse.map { $0 >= count } ?? true)
        }
    }

    /// Built with AddressSanitizer or ThreadSanitizer.
    private var isSanitized: Bool {
        unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
    }
}
