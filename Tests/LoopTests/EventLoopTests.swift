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
    @Test("what libevent keeps of a descriptor lies apart from what connections use, and goes with the loop")
    func slots() async {
        // In a process of its own: other tests' loops have such blocks, too.
        await #expect(processExitsWith: .success) { exit(try slotsFault()) }
    }

    @Test("a name server with a zone ends nothing", arguments: ["fe80::1%lo", "::1%lo"])
    func zone(server: String) throws {
        let file = FileManager.default.temporaryDirectory.path + "/resolv-\(UUID().uuidString)"
        defer { _ = FileTree.removeFile(file) }
        try "nameserver \(server)\nnameserver \(server):53\n".write(toFile: file, atomically: false, encoding: .utf8)
        let loop = try EventLoop()
        loop.resolvConf = file
        // Streams first, so that the loop has made blocks of each kind.
        _ = try? TCPStream(on: loop, connectingTo: SocketAddress(try #require(IPAddress("127.0.0.1")), 1))
        loop.resolve(try #require(Endpoint("some.test:443"))) { _ in }
    }
}

/// Not on Linux, or built with AddressSanitizer or ThreadSanitizer: there all blocks come from malloc.
private var isPlain: Bool {
    #if os(Linux)
        unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
    #else
        true
    #endif
}

/// 0: fifty connections had their blocks in that place, and left none of them.
private func slotsFault() throws -> Int32 {
    guard let loopback = IPAddress("127.0.0.1") else { return 1 }
    let wanted = SocketAddress(loopback, 0)
    let server = socket(wanted.family, numericCast(SOCK_STREAM.rawValue), 0)
    defer { close(server) }
    guard unsafe wanted.withSockaddr({ unsafe bind(server, $0, $1) }) == 0, listen(server, 100) == 0 else { return 2 }
    let filled = unsafe SocketAddress.filled { unsafe getsockname(server, $0, $1) }
    guard let address = filled.address else { return 3 }
    let count = 50
    do {
        let loop = try EventLoop()
        var streams: [TCPStream] = []
        for _ in 0..<count { streams.append(try TCPStream(on: loop, connectingTo: address)) }
        for stream in streams { stream.close() }
        // A loop keeps them for its next connections. Sanitizers see every block by itself.
        guard let slots = EventLoop.slotsInUse else { return isPlain ? 0 : 4 }
        if slots < count { return 5 }
    }
    return EventLoop.slotsInUse == 0 ? 0 : 6
}
