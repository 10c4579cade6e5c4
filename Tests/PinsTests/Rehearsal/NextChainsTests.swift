import Testing

@testable import Pins

/// What the team's own next chains show of an app whose pins nobody has named.
@Suite("what follows from chains of the team's own")
struct NextChainsTests {
    private static let next = ChainKeys(leaf: "next", issuers: ["issuer", "root"], certificate: "next certificate")
    private static let newRoot = ChainKeys(leaf: "leaf", issuers: ["other root"], certificate: "other certificate")

    private func evidence(
        _ answers: [ChainKeys], pins: Set<String> = [], _ change: (inout RehearsalEvidence) -> Void = { _ in }
    ) -> RehearsalEvidence {
        Rehearsing.pinned(pins) { evidence in
            evidence.answers = answers.map { RehearsalEvidence.Answer($0, .accepted, isSound: true) }
            change(&evidence)
        }
    }

    @Test("an app that takes the next key may pin that key, and so no other new one need work")
    func nextKeyMayBePinned() {
        let evidence = evidence([Self.next])
        #expect(Rehearsing.outcome(.renewedNewKey, evidence) == .unclear)
        #expect(Rehearsing.outcome(.rsaToEC, evidence) == .unclear)
    }

    @Test("an app that takes another root under the same key may pin an issuer as well")
    func issuerMayBePinned() {
        #expect(Rehearsing.outcome(.renewedNewKey, evidence([Self.newRoot])) == .unclear)
        #expect(Rehearsing.outcome(.otherRoot, evidence([Self.next])) == .unclear)
    }

    @Test("a key that no chain it takes has, and that one it refuses has, is no pin of it")
    func refusedKeys() {
        let evidence = evidence([Self.next]) {
            let refused = ChainKeys(leaf: "third", issuers: ["issuer", "root"])
            $0.answers.append(.init(refused, Rehearsing.refusal, isSound: true))
        }
        #expect(Rehearsing.outcome(.renewedNewKey, evidence) == .lockedOut)
        #expect(Rehearsing.outcome(.renewedSameKey, evidence) == .unclear)
    }

    @Test("an app that takes the next certificate may pin it, until it takes a new one for a key that is there already")
    func nextCertificateMayBePinned() {
        let mayPin = evidence([Self.next], pins: ["leaf", "next"]) { $0.mayPinCertificates = true }
        #expect(Rehearsing.outcome(.renewedSameKey, mayPin) == .unclear)
        let renewed = ChainKeys(leaf: "leaf", issuers: ["issuer", "root"], certificate: "renewed certificate")
        let doesNot = evidence([Self.next, renewed], pins: ["leaf", "next"]) { $0.mayPinCertificates = true }
        #expect(Rehearsing.outcome(.renewedSameKey, doesNot) == .works)
    }

    @Test("chains of a hundred certificates cost no more than others")
    func longChains() {
        let long = (0..<4).map { chain in
            ChainKeys(leaf: "next \(chain)", issuers: (0..<100).map { "\(chain) \($0)" }, certificate: "c \(chain)")
        }
        #expect(Rehearsing.outcome(.renewedNewKey, evidence(long)) == .unclear)
    }

    @Test("a lock-out that rests on a control says so")
    func assumption() throws {
        let judge = RehearsalJudge(evidence([], pins: ["leaf"]))
        let scenario = try #require(StandardScenario.renewedNewKey.scenario(Rehearsing.genuine, backup: nil))
        #expect(judge.judge(scenario).outcome == .lockedOut)
        #expect(judge.judge(scenario).why.contains("trusts the CA here as it does at cdn.test"))
    }
}
