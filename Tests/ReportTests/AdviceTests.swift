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

    @Test("where a person went through the phases nothing speaks of COMMAND, nor of what it left", arguments: all)
    func byHand(_ missing: Missing) {
        var host = Samples.unproven
        host.missing = [missing]
        host.seen.isByHand = true
        for verdict in [VerdictWord.refusedUnproven, .notExercised, .invalidEnvironment] {
            host.verdict = verdict
            if verdict != .refusedUnproven { host.missing = [] }
            for step in Advice.steps(for: host) {
                #expect(!step.text.contains("COMMAND") && !step.text.contains("client/"))
                #expect(!step.text.contains("PINPROOF_") && !step.text.contains("\n") && step.text.hasSuffix("."))
            }
        }
        host.reason = .closedAsCommandEnded
        #expect(!host.why.contains("COMMAND"))
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

    @Test("where the profile says that a host has anchors of its own, another control is no way out")
    func ownAnchors() throws {
        var host = Samples.unproven
        host.missing = [.trustControl]
        #expect(Advice.steps(for: host).first?.text.contains("Take `anchors:` away") == false)
        host.seen.controls = [ControlSight(control: "cdn.test", fate: .otherAnchors)]
        let step = try #require(Advice.steps(for: host).first)
        #expect(step.topic == "trust-control" && step.text.contains("Take `anchors:` away"))
    }

    @Test("all attacks that are open are told in one step, and of an interrupted run the interruption alone")
    func interrupted() {
        var host = Samples.unproven
        host.missing = [.trustControl, .attack("a"), .attack("b"), .attack("c"), .attack("d"), .attack("e")]
        let steps = Advice.steps(for: host)
        #expect(steps.map(\.topic) == ["trust-control", "attacks"])
        #expect(steps.last?.text.contains("seen to refuse a, b, c, d and 1 more; or leave out") == true)
        host.missing.append(.run)
        #expect(Advice.steps(for: host).map(\.topic) == ["run"])
    }

    @Test("what every run has to try is not to be left out, and a fallback to plain HTTP is no attack to be met")
    func special() {
        #expect(!MissingAdvice.text(forUnrefused: [.trustedCA, .untrustedCA]).contains("leave out"))
        #expect(MissingAdvice.text(forUnrefused: [.trustedCA, "expired"]).contains("leave out"))
        var host = Samples.unproven
        host.missing = [.attack("cleartext-fallback"), .attack("expired")]
        #expect(Advice.steps(for: host).map(\.topic) == ["attack:cleartext-fallback", "attack:expired"])
        #expect(Advice.steps(for: host).first?.text.contains("plain HTTP") == true)
    }

    @Test("more cold starts are proposed where there was one, and neither where there were more nor where it failed")
    func coldStarts() {
        func proposes(_ starts: Int, _ missing: [Missing]) -> Bool {
            var host = Samples.unproven
            host.coldStarts = starts
            host.missing = missing
            return Advice.steps(for: host).contains { $0.text.contains("--cold-starts 2") }
        }
        #expect(proposes(1, [.trustControl]))
        #expect(!proposes(2, [.trustControl]) && !proposes(3, [.trustControl]))
        #expect(!proposes(1, [.trustControl, .coldStarts]))
    }

    @Test("an optional host that nobody asked for needs no advice under a pass, and some under any other result")
    func optional() {
        #expect(Advice.entries(for: Judgement(result: .pass, hosts: [Samples.pinned, Samples.unseen])).isEmpty)
        let open = Judgement(result: .inconclusive, hosts: [Samples.unproven, Samples.unseen])
        #expect(Advice.entries(for: open).contains { $0.hosts == [Samples.unseen.host] })
        var required = Samples.unseen
        required.required = true
        #expect(!Advice.entries(for: Judgement(result: .pass, hosts: [required])).isEmpty)
    }

    @Test("a broken environment is answered with its first causes")
    func environment() {
        let text = MissingAdvice.text(for: .invalidEnvironment, nil)
        #expect(text.contains("both its usual roots and the CA") && text.contains("client/1-passthrough.err"))
        #expect(text.contains("`upstream.roots`"))
        #expect(text.filter { $0 == "`" }.count.isMultiple(of: 2))
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
        "a witness is answered by its kind", arguments: [Subtype.plain, .bypass, .brokenTLS, .leak])
    func witnesses(_ subtype: Subtype) {
        var host = Samples.leaking
        host.subtype = subtype
        let others = [Subtype.plain, .bypass, .brokenTLS, .leak].filter { $0 != subtype }
        let texts = Advice.steps(for: host).map(\.text)
        #expect(texts.count == 1)
        for other in others { #expect(!texts.contains(MissingAdvice.text(for: .notPinned, other))) }
    }
}
