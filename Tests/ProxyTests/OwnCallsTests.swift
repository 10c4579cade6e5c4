import Testing
import Wire

@testable import Proxy

@Suite("calls of our own")
struct OwnCallsTests {
    private func random(_ seed: UInt8) throws -> HelloRandom {
        let bytes = [UInt8](repeating: seed, count: HelloRandom.length)
        return try #require(Self.random(in: bytes))
    }

    private static func random(in bytes: [UInt8]) -> HelloRandom? { HelloRandom(bytes.span) }

    @Test("a call is known for as long as it is held, and no other is")
    func held() throws {
        let calls = OwnCalls()
        let (ours, others) = (try random(1), try random(2))
        var call = calls.begin(ours)
        #expect(call != nil && calls.isOwn(ours) && !calls.isOwn(others))
        call = nil
        #expect(!calls.isOwn(ours))
    }

    @Test("a hello that is on its way already is no second call, and goes on being known")
    func repeated() throws {
        let calls = OwnCalls()
        let random = try random(1)
        let call = calls.begin(random)
        #expect(calls.begin(random) == nil)
        #expect(calls.isOwn(random))
        withExtendedLifetime(call) {}
    }
}
