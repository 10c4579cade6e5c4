import Facts
import Loop
import Policy
import TLS
import Testing

@testable import Gate

@Suite("OriginProbes", .timeLimit(.minutes(15)))
struct OriginProbesTests {
    private func keys(
        _ rules: [HostRule], controls: [HostPattern] = [], others: Others = .tunnel
    ) async throws -> GenuineKeys? {
        // Nobody listens at port 1 of this machine.
        let nowhere = Destination(try #require(HostName("127.0.0.1")), 1)
        let hosts = (rules.map(\.pattern) + controls).map { ($0.base, nowhere) }
        let profile = Profile(
            name: "p", rules: rules, others: others, controls: controls,
            resolve: Dictionary(hosts) { first, _ in first })
        let answers = await OriginProbes(profile, trust: try TrustStore(systemRoots: false, roots: [])).ask()
        #expect(answers.seen.isEmpty && answers.silent.isEmpty)
        return answers.keys
    }

    @Test("what keys the hosts have is known only when each that may be attacked has shown its own")
    func unknown() async throws {
        let (exact, wide) = (try #require(HostPattern("a.test")), try #require(HostPattern("*.a.test")))
        let pin = try #require(Pin("sha256/" + Base64.encode([UInt8](repeating: 1, count: 32))))
        #expect(try await keys([]) == GenuineKeys())
        #expect(try await keys([HostRule(pattern: exact, expect: .tunnel)]) == GenuineKeys())
        for rule in [
            HostRule(pattern: exact, expect: .refuse), HostRule(pattern: exact, expect: .refuse, pins: [pin]),
            HostRule(pattern: wide, expect: .refuse, pins: [pin]), HostRule(pattern: exact, expect: .accept),
        ] {
            #expect(try await keys([rule]) == nil)
        }
        #expect(try await keys([], others: .accept) == nil)
        #expect(try await keys([], controls: [exact]) == nil)
        #expect(try await keys([], controls: [wide]) == nil)
    }
}
