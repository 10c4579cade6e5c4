import Policy
import Testing
import Verdict

@testable import Report

@Suite struct CircumstanceWordsTests {
    private static let outcomes: [(ControlSight.Fate, String)] = [
        (.neverContacted, "cdn.test was never contacted"),
        (.onlyUntouched, "cdn.test was contacted in untouched runs only, where it is shown no CA"),
        (.withoutTLS, "cdn.test was asked for without TLS only"),
        (.refused(alert: "unknown_ca"), "cdn.test refused the CA (unknown_ca)"),
        (.refused(alert: nil), "cdn.test refused the CA (closed without an alert)"),
        (.originUnverified, "cdn.test's origin could not be used: its certificate does not verify"),
        (.originAsksForCertificate, "cdn.test's origin could not be used: it asks for a client certificate"),
        (.unusable("timed out"), "cdn.test's origin could not be used: timed out"),
        (.undecided, "cdn.test was contacted, and neither took the CA nor refused it"),
        (.onOtherStack, "cdn.test took the CA, but on another TLS stack than api.example.com's"),
        (.otherAnchors, "cdn.test took the CA, but the profile says that api.example.com has anchors of its own"),
        (.answered(404), "cdn.test answered 404"), (.unanswered, "cdn.test took the CA, and was not answered"),
        (.took(starts: 2, of: 3), "cdn.test took the CA in 2 of 3 cold starts"),
        (.took(starts: 3, of: 3), "cdn.test took the CA"),
    ]

    private func host(_ seen: Circumstances, _ word: VerdictWord = .refusedUnproven, _ missing: Missing...)
        -> HostVerdict
    {
        var host = Samples.unproven
        host.verdict = word
        host.missing = missing
        host.seen = seen
        return host
    }

    @Test("each control has its line, and of many the rest is counted")
    func controls() {
        for (outcome, words) in Self.outcomes {
            let seen = Circumstances(controls: [ControlSight(control: "cdn.test", fate: outcome)])
            #expect(CircumstanceWords.controls(host(seen)) == [words])
        }
        let many = (1...9).map { ControlSight(control: "\($0).test", fate: .neverContacted) }
        #expect(CircumstanceWords.controls(host(Circumstances(controls: many))).last == "and 3 more")
    }

    @Test("the lines stand with trust-control, and with a host that was not exercised, in every format")
    func formats() throws {
        let long = String(repeating: "very-long-name.", count: 9) + "test"
        let seen = Circumstances(controls: [
            ControlSight(control: "cdn.test", fate: .answered(404)),
            ControlSight(control: long, fate: .onOtherStack),
        ])
        for verdict in [host(seen, .refusedUnproven, .trustControl), host(seen, .notExercised)] {
            let step = try #require(Advice.steps(for: verdict).first)
            #expect(step.seen.count == 2)
            let input = Samples.input(Judgement(result: .inconclusive, hosts: [verdict]))
            let table = TableReport().text(input)
            #expect(table.contains("\n    - cdn.test answered 404\n"))
            #expect(table.split(separator: "\n").allSatisfy { $0.count <= 100 })
            let json = String(decoding: JSONReport.bytes(input), as: UTF8.self)
            #expect(json.contains("\"seen\": [\n        \"cdn.test answered 404\","))
            #expect(MarkdownReport.text(input).contains("\n  - cdn.test answered 404\n"))
            #expect(JUnitReport.text(input).contains("seen: cdn.test answered 404"))
            #expect(HTMLReport.text(input).contains("<small>cdn<wbr>.test answered 404</small>"))
        }
        let bytes = JSONReport.bytes(Samples.input(Judgement(result: .inconclusive, hosts: [Samples.unproven])))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("\"seen\""))
    }

    @Test("hosts that share advice share what was seen, each line once")
    func grouped() throws {
        let first = host(
            Circumstances(controls: [ControlSight(control: "cdn.test", fate: .neverContacted)]), .refusedUnproven,
            .trustControl)
        var second = first
        second.host = "b.example.com"
        second.seen.controls.append(ControlSight(control: "feed.test", fate: .onOtherStack))
        let entries = Advice.entries(for: Judgement(result: .inconclusive, hosts: [first, second]))
        #expect(entries.count == 1)
        #expect(
            entries.first?.seen == [
                "cdn.test was never contacted",
                "feed.test took the CA, but on another TLS stack than b.example.com's",
            ])
    }

    @Test("where the company is a control, a profile of its own is not proposed")
    func company() throws {
        let seen = Circumstances(
            controls: [ControlSight(control: "cdn.test", fate: .answered(404))],
            company: .init(kind: .controls, hosts: ["cdn.test"]))
        let step = try #require(Advice.steps(for: host(seen, .refusedUnproven, .attackedAlone)).first)
        #expect(step.text.hasPrefix("Choose a control that answers as usual"))
        #expect(!step.text.contains("a profile of its own") && step.seen == ["cdn.test answered 404"])
        let both = Advice.steps(for: host(seen, .refusedUnproven, .trustControl, .attackedAlone))
        // It took the CA, so that there is nothing to install.
        #expect(both.map(\.topic) == ["attacked-alone"] && both.map(\.seen.count) == [1])
        var refusing = seen
        refusing.controls[0].fate = .refused(alert: "unknown_ca")
        let distrusted = Advice.steps(for: host(refusing, .refusedUnproven, .trustControl, .attackedAlone))
        #expect(
            distrusted.map(\.topic) == ["trust-control", "attacked-alone"] && distrusted.map(\.seen.count) == [1, 0])
        // Where hosts that nobody pins refuse alike, the CA is what is to be mended, and no other control would help.
        var untrusting = host(refusing, .refusedUnproven, .trustControl, .coldStarts, .attackedAlone)
        untrusting.findings = [
            Finding(id: "platform-default-refusal", severity: .note, fact: .run(.remark("")), evidence: [])
        ]
        let steps = Advice.steps(for: untrusting)
        #expect(steps.map(\.topic) == ["platform-default-refusal"] && steps.map(\.seen.count) == [1])
        #expect(steps.first?.text.hasPrefix("Install the CA where this app looks") == true)
        for kind in [Circumstances.Company.Kind?.none, .attacked] {
            let seen = Circumstances(company: kind.map { .init(kind: $0) })
            #expect(
                Advice.steps(for: host(seen, .refusedUnproven, .attackedAlone)).first?.text.contains(
                    "profile of its own") == true)
        }
        let stacks = Circumstances(company: .init(kind: .otherStack))
        #expect(
            Advice.steps(for: host(stacks, .refusedUnproven, .attackedAlone)).first?.text.contains("TLS stacks") == true
        )
    }

    @Test("a host that came in some starts only is told to keep state, once")
    func contacts() {
        let seen = Circumstances(contacts: .init(starts: 3, of: 6))
        let open = Advice.steps(for: host(seen, .refusedUnproven, .trustControl, .coldStarts, .attack("expired")))
        #expect(open.map { $0.text.hasSuffix(MissingAdvice.clearState) } == [false, true, false])
        #expect(
            open.map(\.seen) == [
                [],
                [
                    "api.example.com was contacted in 3 of 6 starts in which nothing is known to have kept the app from it"
                ], [],
            ])
        let unseen = Advice.steps(for: host(seen, .notExercised))
        #expect(unseen.map { $0.text.hasSuffix(MissingAdvice.clearState) } == [true])
        // What stands in the way of a proof is something else.
        #expect(Advice.steps(for: host(seen, .refusedUnproven, .trustControl)).allSatisfy { $0.seen.isEmpty })
    }

    @Test("where nothing was asked in any run, the advice begins with how COMMAND ended")
    func silence() {
        func text(_ silence: Circumstances.Silence?) -> String {
            Advice.steps(for: host(Circumstances(silence: silence), .notExercised)).first?.text ?? ""
        }
        #expect(text(.init(exit: 127)).contains("127 in every run, which says that the command was not found"))
        #expect(text(.init(exit: 126)).contains("not executable"))
        #expect(text(.init(exit: 3)).contains("ended with 3 in every run"))
        #expect(text(.init(exit: 0)).contains("nothing came through the proxy"))
        #expect(text(.init(signal: 9)).contains("died by signal 9"))
        #expect(text(.init(timedOut: true)).contains("--attempt-timeout"))
        #expect(text(nil).hasPrefix("Let COMMAND's journey"))
    }
}
