import Testing
import Verdict

@testable import Report

@Suite struct SummaryTests {
    @Test("the result is one line with the reason and the exit status")
    func line() {
        #expect(
            Summary.line(Samples.passed)
                == "result: pass - 1 host proven pinned, 1 accepted as expected (exit status 0)")
        #expect(
            Summary.line(Judgement(result: .inconclusive, hosts: [Samples.unproven, Samples.unproven]))
                == "result: inconclusive - 2 hosts refused but unproven (exit status 2)")
        #expect(
            Summary.line(Judgement(result: .invalid, hosts: [Samples.pinned], fault: "the self-test failed"))
                == "result: invalid - the self-test failed (exit status 3)")
        #expect(
            Summary.line(Judgement(result: .inconclusive, hosts: []))
                == "result: inconclusive - no host was judged (exit status 2)")
    }

    @Test("what needs a reader stands first, else the order stays")
    func order() {
        #expect(
            Summary.worstFirst(Samples.mixed.hosts).map(\.host) == [
                "login.example.com", "updates.example.com", "api.example.com", "*.cdn.example.com", "pay.example.com",
                "cdn.example.com", "track.example.net",
            ])
    }

    @Test(
        "line numbers are put together into ranges",
        arguments: [
            ([], ""), ([5], "5"), ([3, 1, 2], "1-3"), ([1, 1, 2], "1-2"), ([1, 3, 4, 9], "1, 3-4, 9"),
            ([1, 3, 5, 7, 9, 11, 13, 15, 17, 18, 20], "1, 3, 5, 7, 9, 11, 13, 15, and 3 more"),
        ])
    func ranges(_ lines: [Int], _ expected: String) {
        #expect(Summary.ranges(lines) == expected)
    }

    @Test(
        "a duration is readable, and an impossible one does not trap",
        arguments: [
            (0, "0.0 s"), (12.34, "12.3 s"), (99.96, "100.0 s"), (125, "2 min 5 s"), (.infinity, "0 s"), (.nan, "0 s"),
            (-1, "0 s"), (1e300, "0 s"),
        ] as [(Double, String)])
    func duration(_ seconds: Double, _ expected: String) {
        #expect(Summary.duration(seconds) == expected)
    }

    @Test("seconds for machines have a point and at most three decimals")
    func decimal() {
        #expect(Summary.decimal(12.345678) == "12.346")
        #expect(Summary.decimal(.nan) == "0")
    }
}
