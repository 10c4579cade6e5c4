import Facts
import Policy
import Testing

@testable import Report
@testable import Verdict

/// What a run that ended early is told to do: the likeliest cause, not all that there are.
@Suite struct EarlyAdviceTests {
    private func advice(_ judgement: Judgement) -> Advice? { Advice.entries(for: judgement).first }

    private func silent(_ end: TrialEnd) -> Judgement {
        var judgement = Judgement(result: .inconclusive, hosts: [Samples.unseen], early: EarlyEnd(.nothingCrossed))
        judgement.retried = [RetriedTrial(trial: 1, attack: .passthrough, end: end)]
        return judgement
    }

    private func end(exit: Int? = nil, signal: Int? = nil, timedOut: Bool = false, seconds: Double = 1) -> TrialEnd {
        TrialEnd(
            trial: 1, exit: exit, signal: signal, timedOut: timedOut, lastError: exit == 6 ? "no `device`" : nil,
            seconds: seconds, at: 1)
    }

    @Test("where nothing came to the proxy, how COMMAND ended is told before anything of proxies")
    func silence() {
        #expect(
            advice(silent(end(exit: 6)))?.text.hasPrefix("COMMAND ended with 6 before anything came: mend that") == true
        )
        #expect(advice(silent(end(exit: 6)))?.text.contains("standard input") == true)
        #expect(advice(silent(end(signal: 9)))?.text.hasPrefix("COMMAND died by signal 9 ") == true)
        #expect(
            advice(silent(end(timedOut: true, seconds: 60)))?.text.hasPrefix("COMMAND asked for nothing in 60.0 s,")
                == true)
        #expect(advice(silent(end(exit: 0)))?.text.contains("what it leaves running is ended with it") == true)
        #expect(
            advice(silent(end(exit: 0, seconds: 40)))?.text.hasPrefix("COMMAND ended with 0 after 40.0 s. See") == true)
        // Nobody runs a COMMAND by hand.
        #expect(advice(silent(end()))?.text.hasPrefix("See that the app goes through the proxy") == true)
    }

    @Test("COMMAND's own words are no part of a sentence, as they may hold anything")
    func said() {
        #expect(advice(silent(end(exit: 6)))?.seen == ["COMMAND said: no `device`"])
        #expect(advice(silent(end(exit: 6)))?.text.contains("device`") == false)
    }

    @Test("an app that refuses the genuine certificate is told of its trust, and an expired one of its end")
    func refusedGenuine() {
        func text(_ alert: UInt8?) -> String? {
            var host = Samples.broken
            host.reason = .environment(.brokenUntouched(alert.map(AlertCode.init(rawValue:))))
            return advice(
                Judgement(result: .invalid, hosts: [host], early: EarlyEnd(.originUnusable, hosts: ["api.test"])))?.text
        }
        #expect(text(48)?.contains("refused the genuine certificate (unknown_ca)") == true)
        #expect(text(48)?.contains("`PINPROOF_CA` alone replaces them") == true)
        #expect(text(45)?.hasPrefix("The app says that the genuine certificate has expired") == true)
        #expect(text(45)?.contains("the clock of the machine or device") == true)
        #expect(text(nil)?.hasPrefix("Repair what the host's line says") == true)
    }

    @Test("an app that gives up a server that answers is told of its pin, and not of addresses and roots")
    func wordless() {
        var host = Samples.broken
        func text(_ isAnswered: Bool) -> String? {
            host.reason = .environment(.brokenUntouched(nil, isAnswered: isAnswered))
            // A server's alert is bytes as well.
            host.attacks = [AttackTally(attack: .passthrough, connections: 1, bytesUp: 300, bytesDown: 7)]
            return advice(
                Judgement(result: .invalid, hosts: [host], early: EarlyEnd(.originUnusable, hosts: ["api.test"])))?.text
        }
        #expect(text(true)?.hasPrefix("The server answered, and the app gave up") == true)
        #expect(text(true)?.contains("client/1-passthrough.err") == true)
        #expect(text(true)?.contains("`resolve`") == false)
        // Nobody knows whether a silent server is one.
        #expect(text(false)?.hasPrefix("Repair what the host's line says") == true)
    }

    @Test("a name without an address may be one that only the network's proxy knows")
    func proxied() {
        var host = Samples.broken
        host.reason = .environment(.originUnusable("cannot resolve api.test: no address", hasUnverifiedChain: false))
        let judgement = Judgement(
            result: .invalid, hosts: [host], early: EarlyEnd(.originUnusable, hosts: ["api.test"]))
        #expect(advice(judgement)?.text.contains("`proxy` under `upstream`") == true)
    }

    @Test("what ended a run is the next step of its hosts in every format, and what else they lack is told of none")
    func everywhere() throws {
        var host = Samples.unproven
        host.missing = [.trustControl, .coldStarts, .passthroughAfter, .attack("expired")]
        let judgement = Judgement(
            result: .inconclusive, hosts: [host, Samples.pinned], early: EarlyEnd(.caNotTrusted, hosts: ["cdn.test"]))
        let text = try #require(EarlyAdvice.text(EarlyEnd(.caNotTrusted), judgement))
        #expect(Advice.steps(for: host, in: judgement).map(\.text) == [text])
        #expect(Advice.steps(for: Samples.pinned, in: judgement).isEmpty)
        let input = Samples.input(judgement)
        for report in [JUnitReport.text(input), MarkdownReport.text(input), HTMLReport.text(input)] {
            #expect(report.contains("Install the CA where this app looks"))
            #expect(!report.contains("the last untouched run carried no data") && !report.contains("passthrough-after"))
        }
        let json = String(decoding: JSONReport.bytes(input), as: UTF8.self)
        #expect(json.contains("Install the CA where this app looks") && !json.contains("the last untouched run"))
        // What is missing stays there for whoever counts on it.
        #expect(json.contains("passthrough-after"))
    }

    @Test("what was seen before a run ended early is told behind it, in hosts and in all")
    func seenBefore() {
        var host = Samples.unproven
        host.missing = [.trustControl, .coldStarts, .releaseBuild, MissingAdvice.fallback, .attack("expired")]
        var judgement = Judgement(
            result: .inconclusive, hosts: [host], early: EarlyEnd(.caNotTrusted, hosts: ["cdn.test"]))
        let topics = ["ca-not-trusted", "release-build", "attack:cleartext-fallback"]
        #expect(Summary.told(host, in: judgement).missing == [.trustControl, .releaseBuild, MissingAdvice.fallback])
        #expect(Advice.steps(for: host, in: judgement).map(\.topic) == topics)
        #expect(Advice.entries(for: judgement).map(\.topic) == topics)
        // What one of several runs did not come to another may have.
        judgement.isEarlyThroughout = false
        #expect(Summary.told(host, in: judgement) == host)
        #expect(Advice.steps(for: host, in: judgement) == Advice.steps(for: host))
    }

    @Test("a share that was not handed over is no run that was cut, and hides nothing")
    func shards() {
        var host = Samples.unproven
        host.missing = [.attack("expired"), .run]
        var judgement = Judgement(result: .inconclusive, hosts: [host])
        judgement.findings = [
            Finding(id: "shard-missing", severity: .warning, fact: .run(.remark("one of 2 is missing")))
        ]
        let steps = Advice.steps(for: host, in: judgement)
        #expect(steps.map(\.topic) == ["shard-missing", "attack:expired"], "\(steps)")
        #expect(!steps.contains { $0.text.contains("interrupted") })
    }

    @Test("what the rest of a cut run could not bring is told all the same")
    func beyondRest() {
        var host = Samples.unproven
        host.missing = [.trustControl, .passthroughBefore, .consistentRefusal, .steadyStarts, .run]
        host.seen.controls = [ControlSight(control: "cdn.test", fate: .otherAnchors)]
        #expect(Advice.steps(for: host).map(\.topic) == ["run"] + host.missing.dropLast().map(\.name))
    }

    @Test("a run that was cut has no advice but to let it end, and what was seen in it")
    func cut() {
        var host = Samples.unproven
        host.missing = [
            .trustControl, .coldStarts, .passthroughAfter, .attack("expired"), MissingAdvice.fallback, .releaseBuild,
            .run,
        ]
        let topics = Advice.steps(for: host).map(\.topic)
        #expect(topics == ["run", "attack:cleartext-fallback", "release-build"], "\(topics)")
    }

    @Test("where the server has no pinned key, the port that it was asked at is named")
    func otherPort() throws {
        let name: HostName = "api.test"
        let pin = try #require(Pin("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="))
        func text(_ anchor: OriginSeen.Anchor?) throws -> String? {
            let seen = OriginSeen(host: name, verified: true, certificates: [], spki: ["BBBB"], anchor: anchor)
            var host = Samples.broken
            host.reason = .environment(.foreignChain(try #require(ForeignChain(seen, [pin]))))
            return advice(
                Judgement(result: .invalid, hosts: [host], early: EarlyEnd(.originUnusable, hosts: [name])))?.text
        }
        #expect(try text(.public)?.contains("resolve: { api.example.com: api.example.com:8443 }") == true)
        #expect(try text(nil)?.contains("8443") == false)
    }

    @Test("controls that all went without an alert are most likely pinned, and others do not trust the CA")
    func pinnedControls() {
        func text(_ fates: [ControlSight.Fate]) -> String? {
            var host = Samples.unproven
            host.seen.controls = fates.map { ControlSight(control: "cdn.test", fate: $0) }
            return advice(
                Judgement(result: .inconclusive, hosts: [host], early: EarlyEnd(.caNotTrusted, hosts: ["cdn.test"])))?
                .text
        }
        #expect(text([.refused(alert: nil)])?.hasPrefix(EarlyAdvice.pinnedControl) == true)
        #expect(text([.refused(alert: nil), .refused(alert: "unknown_ca")])?.hasPrefix("Install the CA") == true)
        #expect(text([])?.hasPrefix("Install the CA") == true)
    }

    @Test("a run that was interrupted has lost hosts for no other reason")
    func interrupted() {
        var host = Samples.unproven
        host.verdict = .notExercised
        host.missing = []
        var judgement = Judgement(result: .inconclusive, hosts: [host])
        #expect(advice(judgement)?.topic == "not-exercised")
        judgement.findings = [Finding(id: "interrupted", severity: .warning, fact: .run(.interrupted))]
        #expect(Advice.entries(for: judgement).map(\.topic) == ["run"])
    }

    @Test("a run that supports no verdict asks nothing of the app")
    func fault() {
        let judgement = Judgement(result: .invalid, hosts: [Samples.broken], fault: "/app: cannot be started")
        #expect(Advice.entries(for: judgement).map(\.hosts) == [["the run"]])
        #expect(advice(judgement)?.text.contains("PINPROOF_CA") == false)
    }
}
