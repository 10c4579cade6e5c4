import Facts
import Policy
import Testing

@testable import Report
@testable import Verdict

extension HostName: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        guard let name = HostName(value) else { preconditionFailure("no host name: \(value)") }
        self = name
    }
}

private let profile = Profile(
    name: "p", rules: [HostRule(pattern: HostPattern(exactly: "api.test"), expect: .refuse)],
    controls: [HostPattern(exactly: "cdn.test")])

private func look(
    _ profile: Profile = profile, early: EarlyEnd? = nil, _ change: (inout FirstLook) -> Void = { _ in }
) -> FirstLook {
    var look = FirstLook(RunEvidence([]), profile: profile)
    look.early = early
    look.connections = 4
    look.ends = [TrialEnd(trial: 1, exit: 0, seconds: 30, at: 30), TrialEnd(trial: 2, exit: 1, seconds: 50, at: 80)]
    let origin = Observation.Upstream(verified: true, chain: ["aa", "bb"], spki: ["cGlu", "cm9vdA=="])
    for index in look.hosts.indices {
        look.hosts[index].untouched = .data
        look.hosts[index].forged = look.hosts[index].role == .refuse ? .refused(alert: nil) : .accepted
        look.hosts[index].origin = origin
    }
    change(&look)
    return look
}

private func check(_ look: FirstLook, _ profile: Profile = profile) -> CheckText {
    CheckText(look: look, profile: profile, typical: 26, worst: 113, folder: "runs/1-p")
}

@Suite struct CheckTextTests {
    @Test("a set-up that works is ready, in lines of at most 80 columns, with the time that the gate takes")
    func ready() {
        let text = check(look())
        #expect(text.status == 0)
        #expect(text.text.contains("ready: the gate can give a verdict here"))
        let words = text.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("a start takes 40.0 s: the whole gate about 17 min 20 s (26 starts)"))
        #expect(
            words.contains("api.test (refuse): works untouched; refuses the CA (without a word); its server verifies"))
        #expect(text.text.contains("sha256/cGlu"))
        #expect(text.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("a stack is told by its name, with what is known of it where it should refuse")
    func stacks() {
        func stack(_ names: [StackName], _ host: HostName) -> FirstLook.Stack {
            FirstLook.Stack(
                ja4: "t13d", names: names, versions: [.tls13], alpn: ["h2"], hosts: [host], trustsCA: false)
        }
        let text = check(look { $0.stacks = [stack([.boringssl, .dart], "api.test"), stack([.node], "cdn.test")] }).text
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("stacks dart:io (Flutter) or another on BoringSSL (1.3; h2; JA4 t13d): api.test"))
        #expect(words.contains("Node.js (1.3; h2; JA4 t13d): cdn.test"))
        #expect(words.contains("note: badCertificateCallback never sees a chain that is trusted"))
        #expect(!words.contains("checkServerIdentity"))
        #expect(check(look { $0.stacks = [stack([], "api.test")] }).text.contains("unknown (1.3; h2; JA4 t13d)"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("a host that takes the CA is no fault of the set-up, and is told")
    func open() {
        let text = check(look { $0.hosts[0].forged = .accepted })
        #expect(text.status == 0)
        #expect(text.text.contains("api.test takes the CA, so the gate is going to find no pin there"))
    }

    @Test("what is missing is told once each, and what nothing can be judged without has a status of its own")
    func problems() {
        func told(_ status: Int32, _ words: String, _ look: FirstLook, _ location: SourceLocation = #_sourceLocation) {
            let text = check(look)
            #expect(text.status == status, sourceLocation: location)
            #expect(text.problems.count == 1, "\(text.problems)", sourceLocation: location)
            #expect(text.problems[0].text.contains(words), "\(text.problems)", sourceLocation: location)
        }
        told(2, "api.test is not asked for", look { $0.hosts[0].untouched = .notAskedFor })
        told(2, "without TLS", look { $0.hosts[0].untouched = .clear })
        told(
            3, "does not work even untouched (connection refused)",
            look(early: EarlyEnd(.originUnusable, hosts: ["api.test"])) {
                $0.hosts[0].untouched = .failed("connection refused")
            })
        told(3, "upstream.roots", look { $0.hosts[0].forged = .notServed("self-signed certificate") })
        told(3, "none of the profile's pins", look { $0.hosts[0].hasPin = false })
        told(2, "Install the CA", look { $0.hosts[1].forged = .refused(alert: "unknown_ca") })
        told(2, "No control was asked for", look { $0.hosts[1].forged = .notAskedFor })
        told(2, "goes through the proxy", look(early: EarlyEnd(.nothingCrossed)) { $0.connections = 0 })
        told(
            2, "COMMAND said: no device. COMMAND ended with 6",
            look(early: EarlyEnd(.nothingCrossed)) {
                $0.connections = 0
                $0.ends = [TrialEnd(trial: 1, exit: 6, lastError: "no device", seconds: 1, at: 1)]
            })
        told(2, "most likely they are pinned", look { $0.hosts[1].forged = .refused(alert: nil) })
        told(
            3, "`PINPROOF_CA` alone replaces",
            look { $0.hosts[0].untouched = .failed(FirstLook.refusedGenuine + "unknown_ca") })
        told(
            2, "as an app that keeps state does",
            look { for index in $0.hosts.indices { $0.hosts[index].forged = .notAskedFor } })
        told(
            2, "as an app that keeps state does",
            look(early: EarlyEnd(.visitedOnce, hosts: ["api.test", "cdn.test"])) {
                for index in $0.hosts.indices { $0.hosts[index].forged = .notAskedFor }
            })
        told(
            2, "api.test is not asked for",
            look(early: EarlyEnd(.notVisited, hosts: ["api.test"], instead: ["cdn.test"])) {
                $0.hosts[0].untouched = .notAskedFor
                for index in $0.hosts.indices { $0.hosts[index].forged = .notAskedFor }
            })
        told(2, "did not find it", look(early: EarlyEnd(.commandNotRun)) { $0.connections = 0 })
        told(
            2, "apii.test is: one of the two names looks like a slip",
            look(early: EarlyEnd(.nameSlip, hosts: ["api.test"], instead: ["apii.test"])) {
                $0.hosts[0].untouched = .notAskedFor
            })
    }

    @Test("a wildcard that nothing fits is not ready, and what was asked for is named")
    func unmatched() throws {
        let profile = Profile(
            name: "p", rules: [HostRule(pattern: try #require(HostPattern("*.pay.test")), expect: .refuse)],
            controls: [HostPattern(exactly: "cdn.test")])
        let text = check(look(profile), profile)
        #expect(text.status == 2)
        #expect(
            text.problems.map(\.text).first?.hasPrefix("No host that *.pay.test matches is asked for (cdn.test is")
                == true)
    }

    @Test("what the first start shows to be missing is told at once, and nothing where all came")
    func firstStart() throws {
        func told(
            _ profile: Profile = profile, _ change: (inout FirstLook) -> Void = { _ in }
        ) -> [String] { FirstStart.warnings(look(profile, change), profile: profile, typical: 25) }
        #expect(told() == [])
        #expect(told { $0.hosts[0].untouched = .notAskedFor }.first?.contains("nothing at api.test: where") == true)
        #expect(told { $0.hosts[1].untouched = .notAskedFor }.first?.contains("no control (cdn.test): without") == true)
        // Another run may show the trust that no control shows.
        var away = look()
        away.hosts[1].untouched = .notAskedFor
        #expect(FirstStart.warnings(away, profile: profile, hasTwin: true, typical: 25) == [])
        #expect(told { $0.connections = 0 } == [])
        #expect(
            told { $0.ends = [TrialEnd(trial: 1, timedOut: true, seconds: 60, at: 60)] }.first?.contains(
                "some 25 starts take 25 min") == true)
        let wildcard = Profile(
            name: "p", rules: [HostRule(pattern: try #require(HostPattern("*.pay.test")), expect: .refuse)],
            controls: [HostPattern(exactly: "cdn.test")])
        #expect(told(wildcard).map { $0.contains("nothing at *.pay.test: where") } == [true])
    }

    @Test("a COMMAND that never ends by itself is told with the time that it costs")
    func endless() {
        let text = check(look { $0.ends[0].timedOut = true }).text
        #expect(
            text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("COMMAND did not end by itself"))
    }

    @Test("no advice of it speaks of options that it does not have")
    func ownOptions() {
        let texts = [
            look { $0.hosts[1].forged = .refused(alert: nil) },
            look(early: EarlyEnd(.nothingCrossed)) { $0.connections = 0 },
        ].map { check($0).text }
        #expect(texts.allSatisfy { !$0.contains("--keep-going") })
    }
}

@Suite struct DraftProfileTests {
    @Test("what refuses is a candidate with its genuine pins, and what accepts a control")
    func candidates() {
        let text = DraftProfile(look()).text
        #expect(text.contains("  api.test:\n    expect: refuse\n"))
        #expect(text.contains("      - \"sha256/cGlu\"\n      # - \"sha256/cm9vdA==\"\n"))
        #expect(text.contains("controls:\n  - cdn.test\n"))
    }

    @Test("where nothing refuses there is no pin to invent")
    func nothingRefuses() {
        let text = DraftProfile(look { $0.hosts[0].forged = .accepted }).text
        #expect(text.contains("  api.test: { expect: accept }"))
        #expect(!text.contains("controls:"))
        #expect(text.contains("#   api.example.com: { expect: refuse }"))
    }

    @Test("words from outside stay in their comment, and roots and places are quoted")
    func foreign() {
        let ground = DraftProfile.Ground(roots: ["/a \"b\".pem"], resolve: [("api.test", "[::1]:8443")])
        let text = DraftProfile(look { $0.hosts[0].forged = .notServed("a\n- evil: 1") }, on: ground).text
        #expect(text.contains("# could not be forged: a\\u{a}- evil: 1"))
        #expect(text.contains("  roots: [\"/a \\\"b\\\".pem\"]"))
        #expect(text.contains("  \"api.test\": \"[::1]:8443\""))
        #expect(ground.everything.contains("others: accept"))
    }
}

@Suite struct NothingToWriteTests {
    @Test("what was asked for and failed is named, with the options that may help")
    func failed() {
        let text = DraftProfile(look { $0.hosts[0].untouched = .failed("cannot resolve api.test") }).nothingToWrite
        #expect(text.contains("api.test (cannot resolve api.test)") && text.contains("--resolve NAME=HOST:PORT"))
    }

    @Test("where nothing was asked for it says how COMMAND ended, and speaks of no option of the gate")
    func nothing() {
        let silent = look {
            $0.hosts = []
            $0.ends = [TrialEnd(trial: 1, exit: 6, seconds: 1, at: 1)]
        }
        let text = DraftProfile(silent).nothingToWrite
        #expect(text.contains("COMMAND ended with 6") && !text.contains("--keep-going"))
    }
}

@Suite struct CourseWordsTests {
    @Test("a start that was run again is told with its end and its last word")
    func retried() {
        let trials = [
            RetriedTrial(
                trial: 4, attack: .trustedCA, variant: "older",
                end: TrialEnd(trial: 4, exit: 1, lastError: "emulator: no device", seconds: 1, at: 1)),
            RetriedTrial(trial: 6, attack: .passthrough, end: TrialEnd(trial: 6, timedOut: true, seconds: 1, at: 1)),
            RetriedTrial(trial: 7, attack: "expired", end: TrialEnd(trial: 7, signal: 9, seconds: 1, at: 1)),
            RetriedTrial(trial: 9, attack: "expired", end: TrialEnd(trial: 9, seconds: 1, at: 1)),
        ]
        #expect(
            CourseWords.text(trials)
                == "4 starts were run again: trial 4 (trusted-ca/older: exit 1, \"emulator: no device\"), "
                + "trial 6 (passthrough: ended by the time limit), trial 7 (expired: signal 9), trial 9 (expired: no host to judge came)"
        )
    }

    @Test("each reason for an early end has words and advice", arguments: EarlyEnd.Reason.allCases)
    func reasons(reason: EarlyEnd.Reason) {
        #expect(
            CourseWords.text(EarlyEnd(reason, hosts: ["api.test"], instead: ["apii.test"])).hasPrefix("ended early: "))
        #expect(FindingAdvice.text(for: reason.rawValue)?.hasSuffix("nevertheless.") ?? false)
        #expect(FindingCatalogue.kind(reason.rawValue)?.concern == .run)
    }

    @Test("an early end is the first thing to do, and says for all hosts what is missing")
    func adviceOfEarlyEnd() {
        var judgement = Samples.mixed
        judgement.early = EarlyEnd(.nothingCrossed)
        judgement.hosts = judgement.hosts.filter { $0.standing == .unproven }
        #expect(Advice.entries(for: judgement).first?.topic == "nothing-crossed")
        #expect(Advice.entries(for: judgement).count { $0.hosts != ["the run"] } == 0)
    }
}
