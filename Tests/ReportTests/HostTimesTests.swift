import Facts
import Policy
import Testing
import Verdict

@testable import Report

@Suite struct HostTimesTests {
    @Test("a cold start's seconds are shared among the judged hosts that came in it")
    func shares() {
        let run = RunEvidence([
            connection(1, "pay.example.com"), connection(1, "pay.example.com"), connection(1, "cdn.example.com"),
            connection(1, "nobody.example.net"), ended(1, 10), connection(2, "pay.example.com"), ended(2, 4),
            connection(3, "nobody.example.net"), ended(3, 100), connection(0, "pay.example.com"), ended(4, .nan),
        ])
        #expect(seconds([run]) == [9, 5])
        // Trials are numbered within each run.
        #expect(seconds([run, run]) == [18, 10])
    }

    @Test("who is asked on another host's connection was there as well")
    func asked() {
        var seen = Observation(connection: 1, trial: 1)
        seen.host = HostName("nobody.example.net")
        seen.asked = ["pay.example.com", "cdn.example.com"].compactMap { HostName($0) }
        #expect(seconds([RunEvidence([.connection(seen), ended(1, 3)])]) == [1.5, 1.5])
    }

    @Test("without evidence nobody took any time")
    func none() { #expect(seconds([]) == [0, 0]) }

    private func seconds(_ runs: [RunEvidence]) -> [Double] {
        var input = Samples.input(Samples.passed)
        input.runs = runs
        let times = HostTimes(input)
        return Samples.passed.hosts.map(times.seconds)
    }

    private func connection(_ trial: Int, _ host: String) -> EvidenceRecord {
        var seen = Observation(connection: 1, trial: trial)
        seen.host = HostName(host)
        return .connection(seen)
    }

    private func ended(_ trial: Int, _ seconds: Double) -> EvidenceRecord {
        .trialEnded(TrialEnd(trial: trial, seconds: seconds, at: 0))
    }
}
