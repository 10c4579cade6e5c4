import Facts
import Foundation
import Loop
import Policy
import Subprocess
import Support
import TLS
import Testing

@testable import Proxy

@Suite("Worker", .timeLimit(.minutes(15)))
struct WorkerTests {
    @Test("500 idle intercepted connections cost no error, hold no buffers, and are each observed once")
    func idle() async throws {
        let count = 500
        let pki = try TestPKI()
        let origin = try ScriptedOrigin(pki.chain()) { tls in _ = try tls.socket.readToEnd() }
        let bench = try ProxyBench(["api.test": origin.address], trusting: [pki.authority.root])
        var clients: [TestTLS] = []
        for _ in 0..<count { clients.append(try bench.client()) }
        #expect(await bench.proxy.connectionCount() == count)
        #expect(await bench.proxy.heaviestBacklog() == 0)
        await bench.proxy.endConnections()
        let all = await bench.rest()
        #expect(Set(all.map(\.connection)).count == count && all.count == count)
        for one in all {
            #expect(one.error == nil && one.finishedMS != nil && one.flight?.delivered == true)
            #expect(
                one.close?.by == .gate && one.close?.how == .aborted,
                "\(String(describing: one.close)) \(one.error ?? "")")
        }
        withExtendedLifetime(clients) {}
    }

    @Test("between trials a client is turned away unseen, and served again after the next plan")
    func betweenTrials() async throws {
        let bench = try ProxyBench(attack: nil)
        await bench.proxy.endConnections()
        let turnedAway = try bench.connect()
        #expect(try turnedAway.readToEnd().isEmpty)
        try await bench.proxy.apply(Plan(profile: Profile(name: "next"), phase: .passthrough, trial: 2))
        let socket = try bench.connect()
        try socket.send("GET http://127.0.0.1:1/ HTTP/1.1\r\n\r\n")
        _ = try socket.readToEnd()
        socket.close()
        let all = await bench.rest()
        #expect(all.map(\.trial) == [2])
    }

    @Test("waiting lasts as long as a connection is undecided, and at most to the end that all loops share")
    func settles() throws {
        let authority = try CertificateAuthority.general(now: WallClock.now)
        let here = SocketAddress(try #require(IPAddress("127.0.0.1")), 0)
        let configuration = ProxyConfiguration(
            listen: here, loops: 1, plan: Plan(profile: Profile(name: "p"), phase: .passthrough),
            trust: try TrustStore(systemRoots: false, roots: []), material: try ForgeMaterial(authority),
            observe: { _ in })
        let trial = try TrialMemory(configuration.plan)
        let thread = try LoopThread(name: "worker") { loop in
            try Worker(
                loop: loop, configuration: configuration, trial: trial,
                Worker.Shared(budget: ConnectionBudget(limit: 100)), index: 0)
        }
        // In one turn of the loop, so that nothing gets old while a busy machine does something else.
        let settled = try thread.call { worker in
            let address = try worker.listen(at: here) { _, socket, place in worker.adopt(socket, place) }
            let client = try TestSocket(to: address)
            worker.acceptWaiting()
            let settled = Locked([0, 0])
            worker.whenSettled(by: .infinity) { settled.withLock { $0[0] += 1 } }
            let before = settled.withLock { $0 }
            worker.whenSettled(by: MonotonicClock.now - 1) { settled.withLock { $0[1] += 1 } }
            let after = settled.withLock { $0 }
            client.close()
            worker.close()
            return [before, after]
        }
        thread.stop()
        #expect(settled == [[0, 0], [1, 1]])
    }

    @Test("stopping observes what is open, and waiting afterwards does not hang")
    func stopped() async throws {
        var (bench, seen): (ProxyBench, [Observation])
        // A machine on which this test waits for its turn until the request's minute is over has another try.
        var tries = 0
        repeat {
            tries += 1
            bench = try ProxyBench(attack: nil)
            let socket = try bench.connect()
            try socket.send("CONN")
            // Nor is it counted any more when that minute was over before it was looked for.
            let end = MonotonicClock.now + 30
            while await bench.proxy.connectionCount() == 0, MonotonicClock.now < end { try Task.checkCancellation() }
            seen = await bench.rest()
        } while seen.first?.close?.by == .proxy && tries < 5
        #expect(seen.count == 1 && seen.first?.close?.by == .gate)
        await bench.proxy.settle()
        await bench.proxy.endConnections()
        #expect(await bench.proxy.connectionCount() == 0)
    }

    /// The program that was built with these tests lies beside their bundle.
    private static let pinproof: String? = CommandLine.arguments.lazy.compactMap { argument in
        guard let bundle = argument.range(of: #"[^/]*\.xctest"#, options: .regularExpression) else { return nil }
        return String(argument[..<bundle.lowerBound]) + "pinproof"
    }.first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test("a proxy without descriptors left waits, and serves once there are some again", .enabled(if: pinproof != nil))
    func exhausted() async throws {
        let program = try #require(Self.pinproof)
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinproof-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let ready = folder.appending(path: "ready.json")
        // Both limits, so that it cannot raise them.
        let limited =
            "ulimit -n 48; exec \"$0\" proxy --listen 127.0.0.1:0 --loops 2 -q --no-store --no-ui --ca \"$1/ca\""
            + " --ready-file \"$1/ready.json\""
        let proxy = Configuration(
            executable: .path("/bin/sh"), arguments: ["-c", limited, program, folder.path],
            platformOptions: Command.ownSession)
        let ended = try await Subprocess.run(proxy, input: .none, output: .discarded, error: .string(limit: 1 << 16)) {
            process in
            // Said in any case, so that the proxy is always ended and what it said is seen.
            var fault: (any Error)?
            do { try await Self.exhaust(ready: ready) } catch { fault = error }
            try process.send(signal: .terminate)
            return fault
        }
        #expect(ended.closureResult == nil, "\(ended.standardError)")
        #expect(ended.terminationStatus == .exited(0), "\(ended.standardError)")
    }

    /// Takes every descriptor of the proxy that wrote `ready`, gives them back, and asks for something before and after.
    private static func exhaust(ready: URL) async throws {
        let deadline = ContinuousClock.now + .seconds(180)
        while !FileManager.default.fileExists(atPath: ready.path) {
            try #require(ContinuousClock.now < deadline, "the proxy was never ready")
            try await Task.sleep(for: .milliseconds(20))
        }
        let text = try String(contentsOf: ready, encoding: .utf8)
        let found = try #require(text.range(of: #"127\.0\.0\.1:[0-9]+"#, options: .regularExpression))
        let endpoint = try #require(Endpoint(text[found]))
        let address = SocketAddress(try #require(endpoint.host.address), endpoint.port)

        func ask() throws -> String {
            let socket = try TestSocket(to: address)
            try socket.send("GET http://127.0.0.1:1/ HTTP/1.1\r\n\r\n")
            return String(decoding: try socket.readToEnd(), as: UTF8.self)
        }
        #expect(try ask().hasPrefix("HTTP/1.1 502 "))
        // The kernel takes them all; the proxy cannot.
        var idle = try (0..<100).map { _ in try TestSocket(to: address) }
        for socket in idle.prefix(10) { try socket.send("GET http://127.0.0.1:1/ HTTP/1.1\r\n\r\n") }
        for socket in idle.prefix(10) { #expect(try socket.readToEnd().starts(with: Array("HTTP/1.1 502 ".utf8))) }
        idle = []
        #expect(try ask().hasPrefix("HTTP/1.1 502 "))
    }
}
