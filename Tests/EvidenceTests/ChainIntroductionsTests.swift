import Facts
import Testing

@testable import Evidence

@Suite struct ChainIntroductionsTests {
    private func connection(_ chain: [String], subject: String = "CN=a") -> EvidenceRecord {
        var seen = Observation(connection: 1, trial: 1)
        seen.upstream = Observation.Upstream(verified: true, chain: chain)
        seen.upstream?.certificates = chain.map {
            CertificateFacts(
                subject: subject, issuer: "CN=ca", notAfter: "2026-01-01T00:00:00Z", sha256: $0, spkiSHA256: "")
        }
        return .connection(seen)
    }

    private func described(_ record: EvidenceRecord) -> Int {
        guard let seen = record.observation else { return 0 }
        return seen.upstream?.certificates.count ?? 0
    }

    @Test("the first line of a chain alone says what it consists of")
    func once() {
        var introductions = ChainIntroductions()
        #expect(described(introductions.introducing(connection(["a", "b"]))) == 2)
        #expect(described(introductions.introducing(connection(["a", "b"]))) == 0)
        #expect(described(introductions.introducing(connection(["c", "b"]))) == 2)
        // Nothing ties facts to a chain that was never agreed on.
        #expect(described(introductions.introducing(connection([]))) == 0)
        let other = EvidenceRecord.runEnded(RunEnd(interrupted: false, seconds: 1, at: 2))
        #expect(introductions.introducing(other) == other)
    }

    @Test("what an origin calls itself cannot fill a line")
    func long() {
        var introductions = ChainIntroductions()
        let record = introductions.introducing(connection(["a"], subject: String(repeating: "x", count: 100_000)))
        guard let seen = record.observation else { return }
        #expect(seen.upstream?.certificates.first?.subject.count == ChainIntroductions.nameLimit)
    }
}
