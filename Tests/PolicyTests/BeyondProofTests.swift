import Facts
import Testing

@testable import Policy

@Suite("What a profile leaves beyond proof")
struct BeyondProofTests {
    private func profile(_ change: (inout Profile) -> Void = { _ in }) -> [String] {
        var profile = Profile(
            name: "p",
            rules: ["api.test", "login.test"].compactMap(HostName.init).map {
                HostRule(pattern: HostPattern(exactly: $0), expect: .refuse)
            })
        change(&profile)
        return profile.beyondProof.map(\.pattern.description)
    }

    @Test("without anything that could show trust, every host that has to refuse")
    func nothing() {
        #expect(profile() == ["api.test", "login.test"])
    }

    @Test("a control, a host that accepts, or the word that nothing but pins refuses is enough for all")
    func forAll() throws {
        let cdn = HostPattern(exactly: try #require(HostName("cdn.test")))
        #expect(profile { $0.controls = [cdn] } == [])
        #expect(profile { $0.rules.append(HostRule(pattern: cdn, expect: .accept)) } == [])
        #expect(profile { $0.onlyPins = true } == [])
    }

    @Test("a lent key is enough for its own host")
    func forOne() throws {
        let api = try #require(HostName("api.test"))
        #expect(profile { $0.lent[api] = LentMaterial(backupKey: "backup.key") } == ["login.test"])
    }
}
