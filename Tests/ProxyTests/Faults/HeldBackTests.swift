import Facts
import Loop
import Policy
import Support
import Testing

@testable import Proxy

@Suite("Faults: held back", .timeLimit(.minutes(15)))
struct HeldBackTests {
    /// A tunnel of the debugging proxy's to an origin that reads nothing, filled until the client would wait, and the origin's
    /// side of it.
    private func filled(
        _ then: @escaping @Sendable (TestSocket) throws -> Void
    ) async throws -> (bench: ProxyBench, client: TestSocket, origin: ScriptedOrigin, leave: Gate) {
        let leave = Gate()
        let origin = try ScriptedOrigin { socket in
            leave.wait()
            try then(socket)
        }
        let bench = try ProxyBench(["api.test": origin.address], trusting: [TestPKI().authority.root], attack: nil) {
            $0.plan = Plan(profile: $0.plan.profile, phase: .debugging)
        }
        let client = try bench.tunnel()
        client.fill()
        return (bench, client, origin, leave)
    }

    @Test("a client that was held back is told when its origin resets, and leaves nothing behind")
    func originResets() async throws {
        let (bench, client, origin, leave) = try await filled { $0.reset() }
        leave.open()
        _ = try client.readToEnd()
        client.close()
        let one = try await bench.observation()
        #expect(one.close?.by == .origin && one.close?.how == .rst, "\(one)")
        withExtendedLifetime(origin) {}
    }

    @Test("a client that resets while it is held back is noticed while its origin stands still")
    func clientResets() async throws {
        let (bench, client, origin, leave) = try await filled { _ in }
        client.reset()
        let one = try await bench.observation()
        #expect(one.close?.by == .client && one.close?.how == .rst, "\(one)")
        leave.open()
        withExtendedLifetime(origin) {}
    }
}
