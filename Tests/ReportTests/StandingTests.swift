import Policy
import Testing
import Verdict

@testable import Report

@Suite struct StandingTests {
    static func host(_ expect: HostExpectation, _ verdict: VerdictWord, coldStarts: Int = 0) -> HostVerdict {
        HostVerdict(
            host: "a.example", rule: nil, expect: expect, required: true, verdict: verdict, reason: .withdrawn(""),
            coldStarts: coldStarts)
    }

    static let words: [VerdictWord] = [
        .provenPinned, .notPinned, .refusedUnproven, .accepted, .refused, .tunnelled, .notExercised,
        .invalidEnvironment,
    ]

    @Test("each expectation is met by one verdict alone", arguments: HostExpectation.allCases)
    func met(_ expect: HostExpectation) {
        let met = Self.words.filter { Self.host(expect, $0).standing == .met }
        switch expect {
        case .refuse: #expect(met == [.provenPinned])
        case .accept: #expect(met == [.accepted])
        case .tunnel: #expect(met == [.tunnelled])
        }
    }

    @Test("a witness contradicts, and only a witness")
    func contradicted() {
        for expect in HostExpectation.allCases {
            for word in Self.words where Self.host(expect, word).standing == .contradicted {
                #expect(word == .notPinned || word == .refused || (expect == .refuse && word == .accepted))
            }
        }
        #expect(Self.host(.refuse, .notPinned).standing == .contradicted)
        #expect(Self.host(.accept, .refused).standing == .contradicted)
    }

    @Test(
        "the bound is printed with two decimals and never as zero",
        arguments: [(0, nil), (1, 0.95), (3, 0.63), (10, 0.26), (29, 0.1), (59, 0.05), (299, 0.01), (1_000_000, 0.01)])
    func bound(_ coldStarts: Int, _ expected: Double?) {
        #expect(Self.host(.refuse, .provenPinned, coldStarts: coldStarts).printedBound == expected)
    }

    @Test("after an acceptance, and where nothing is to be refused, there is no bound")
    func noBound() {
        #expect(Self.host(.refuse, .notPinned, coldStarts: 3).printedBound == nil)
        #expect(Self.host(.accept, .accepted, coldStarts: 3).printedBound == nil)
    }
}
