import Facts
import Policy
import Report
import Testing

@testable import Verdict

private func verdict(_ count: Int, every seconds: Double, untouched: Int = 1) throws -> HostVerdict {
    let app = App(visits: [.accepting("cdn.test"), .pinned("api.test")])
    var records: [EvidenceRecord] = []
    for record in app.run(.test()).evidence.records.map(\.record) {
        records.append(record)
        guard let seen = record.observation, seen.host == "api.test" else { continue }
        for index in 0..<(seen.attack == nil ? untouched : count) - 1 {
            var again = seen
            again.at += Double(index + 1) * seconds
            records.append(.connection(again))
        }
    }
    return try Judge.judge(profile: .test(), runs: [RunEvidence(records)]).host("api.test")
}

@Suite struct RetryStormTests {
    @Test("dozens of connections in a few seconds are a storm; the same ones over minutes are not")
    func storms() throws {
        let finding = try verdict(40, every: 0.1).finding("retry-storm")
        #expect(finding.severity == .warning)
        #expect(finding.text.contains("40 times"))
        #expect(try !verdict(40, every: 3).has("retry-storm"))
        #expect(try !verdict(RetryStorm.limit, every: 0.1).has("retry-storm"))
    }

    @Test("an app that is as busy untouched is no storm")
    func busy() throws {
        #expect(try !verdict(40, every: 0.1, untouched: 10).has("retry-storm"))
        #expect(try verdict(60, every: 0.1, untouched: 10).has("retry-storm"))
    }
}
