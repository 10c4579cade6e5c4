import Policy
import Testing
import Verdict

@testable import Report

@Suite struct AdviceTests {
    static let all: [Missing] = [
        .trustControl, .coldStarts, .passthroughBefore, .passthroughBetween, .passthroughAfter, .sameStackPassthrough,
        .idleConnections, .consistentRefusal, .attack("expired"), .hostIdentity, .run,
    ]

    @Test("everything that can be missing has a sentence of its own", arguments: all)
    func sentences(_ missing: Missing) {
        let text = MissingAdvice.text(for: missing)
        #expect(text.hasSuffix(".") && text.first?.isUppercase == true && !text.contains("\n") && !text.contains("  "))
        #expect(text.filter { $0 == "`" }.count % 2 == 0)
        #expect(Self.all.count { MissingAdvice.text(for: $0) == text } == 1)
    }

    @Test("one piece of advice names all hosts that need it")
    func grouped() {
        var second = Samples.unproven
        second.host = "b.example.com"
        second.missing = [.trustControl]
        let entries = Advice.entries(for: Judgement(result: .inconclusive, hosts: [Samples.unproven, second]))
        #expect(entries.map(\.topic) == ["trust-control", "attack:other-host"])
        #expect(entries.map(\.hosts) == [["api.example.com", "b.example.com"], ["api.example.com"]])
    }

    @Test("a host that is as expected needs no advice, any other has some")
    func complete() {
        for expect in HostExpectation.allCases {
            for word in StandingTests.words {
                let host = StandingTests.host(expect, word)
                #expect(Advice.steps(for: host).isEmpty == (host.standing == .met), "\(expect) \(word)")
            }
        }
    }

    @Test(
        "a witness is answered by its kind", arguments: [Subtype.plain, .bypass, .brokenTLS, .leak, .localAnchorExempt])
    func witnesses(_ subtype: Subtype) {
        var host = Samples.leaking
        host.subtype = subtype
        let others = [Subtype.plain, .bypass, .brokenTLS, .leak, .localAnchorExempt].filter { $0 != subtype }
        let texts = Advice.steps(for: host).map(\.text)
        #expect(texts.count == 1)
        for other in others { #expect(!texts.contains(MissingAdvice.text(for: .notPinned, other))) }
    }
}
