import Facts
import Policy
import Verdict

@testable import Report

/// A run with one host of every verdict, as a judge would hand it over.
enum Samples {
    static let pinned = HostVerdict(
        host: "pay.example.com", rule: "pay.example.com", expect: .refuse, required: true, verdict: .provenPinned,
        strength: .s2a,
        reason: .withdrawn(
            "it refused every forged chain, while cdn.example.com accepted the same CA in the same runs"),
        coldStarts: 3,
        attacks: [
            AttackTally(
                attack: .passthrough, connections: 4, evidence: [3, 9, 15, 40], bytesUp: 2_048, bytesDown: 40_960),
            AttackTally(
                attack: .trustedCA, outcomes: [.alert: 3, .early: 1], connections: 4,
                alerts: ["certificate_unknown": 3],
                evidence: [5, 11, 17, 18]),
            AttackTally(
                attack: .untrustedCA, outcomes: [.alert: 1], connections: 1, alerts: ["unknown_ca": 1], evidence: [20]),
            AttackTally(attack: "wrong-key", outcomes: [.early: 1], connections: 1, evidence: [22]),
            AttackTally(attack: "expired", outcomes: [.post: 2], connections: 2, evidence: [24, 25]),
        ])

    static let leaking = HostVerdict(
        host: "login.example.com", rule: "*.example.com", expect: .refuse, required: true, verdict: .notPinned,
        subtype: .bypass, reason: .withdrawn("it sent 412 bytes of a request under smuggled-chain, variant \"after\""),
        coldStarts: 2,
        attacks: [
            AttackTally(
                attack: .trustedCA, outcomes: [.alert: 2], connections: 2, alerts: ["bad_certificate": 2],
                evidence: [6, 12]),
            AttackTally(
                attack: "smuggled-chain", outcomes: [.data: 1], connections: 1, dataForms: ["after"], evidence: [27],
                bytesUp: 412,
                bytesDown: 1_300),
        ],
        findings: [
            Finding(
                id: "pin-on-presented-chain", severity: .error,
                fact: .run(.remark("its pin matches certificates that were not verified")), evidence: [27])
        ])

    static let unproven = HostVerdict(
        host: "api.example.com", rule: "api.example.com", expect: .refuse, required: true, verdict: .refusedUnproven,
        missing: [.trustControl, .attack("other-host")],
        reason: .withdrawn("it refused every forged chain, but nothing shows that it trusts the CA there"),
        coldStarts: 3,
        attacks: [
            AttackTally(
                attack: .trustedCA, outcomes: [.alert: 3], connections: 3, alerts: ["bad_certificate": 3],
                evidence: [7, 13, 19])
        ])

    static let unseen = HostVerdict(
        host: "*.cdn.example.com", rule: "*.cdn.example.com", expect: .accept, required: false, verdict: .notExercised,
        reason: .withdrawn("no connection to it was seen"))

    static let broken = HostVerdict(
        host: "updates.example.com", rule: "updates.example.com", expect: .accept, required: true,
        verdict: .invalidEnvironment, missing: [.passthroughBefore],
        reason: .withdrawn("it cannot be reached untouched: connection refused by 192.0.2.7:443"))

    static let accepted = HostVerdict(
        host: "cdn.example.com", rule: "cdn.example.com", expect: .accept, required: true, verdict: .accepted,
        reason: .withdrawn("it carried data under the trusted CA"),
        attacks: [
            AttackTally(
                attack: .trustedCA, outcomes: [.data: 3], connections: 3, evidence: [8, 14, 20], bytesUp: 900,
                bytesDown: 1_000)
        ])

    static let tunnelled = HostVerdict(
        host: "track.example.net", rule: nil, expect: .tunnel, required: false, verdict: .tunnelled,
        reason: .withdrawn("it was never touched"),
        attacks: [AttackTally(attack: .passthrough, connections: 1, evidence: [30], bytesUp: 10, bytesDown: 20)])

    static let mixed = Judgement(
        result: .fail, hosts: [pinned, leaking, unproven, unseen, broken, accepted, tunnelled],
        findings: [
            Finding(
                id: "undeclared-host", severity: .note,
                fact: .run(.remark("track.example.net was contacted and is not in the profile")), evidence: [30]),
            Finding(
                id: "evidence-cut", severity: .warning, fact: .run(.remark("the last line of the evidence is cut"))),
        ])

    static let passed = Judgement(result: .pass, hosts: [pinned, accepted])

    static func input(_ judgement: Judgement) -> ReportInput {
        ReportInput(
            judgement: judgement, profile: "release", pinproof: "0.1.0", started: "2026-01-01T00:00:00Z",
            seconds: 12.345,
            ca: RunHeader.CA(sha256: String(repeating: "ab", count: 32), scope: ["example.com", "pinproof.invalid"]),
            selfTest: SelfTestResult(passed: true, problems: [], ms: 80),
            attacks: [.trustedCA, .untrustedCA, "wrong-key", "smuggled-chain", "other-host", "expired"],
            runFolders: ["runs/20260101T000000Z-release"])
    }

    /// Of a build that says what it is, by a profile in a repository.
    static func marked(_ judgement: Judgement) -> ReportInput {
        var input = input(judgement)
        input.labels = ["commit": "1a2b3c", "build": "42"]
        input.artefacts = [
            RunHeader.Artefact(file: "shop.apk", sha256: String(repeating: "cd", count: 32), bytes: 31_415_926)
        ]
        input.source = ProfileSource(
            path: "pinning/release build.yaml",
            lines: ["pay.example.com": 5, "*.example.com": 7, "api.example.com": 9, "updates.example.com": 12], first: 4
        )
        return input
    }

    // MARK: hostile

    /// What a client, an origin or a careless profile could put into names and reasons.
    static let texts = [
        "\u{1b}[2J\u{1b}[31mall hosts proven\u{7}", "a\nresult: pass - everything is fine\r\n",
        "\u{202e}reversed\u{202c}",
        "日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語日本語", "e" + String(repeating: "\u{301}", count: 300), "👩‍👩‍👧‍👦🏳️‍🌈",
        "</code></details><script>alert(1)</script>",
        "| pipe | `tick` \\| <b>bold</b> [x](http://evil.example) @someone",
        "\"'&<>]]>--><!-- <![CDATA[", String(repeating: "x", count: 5_000), String(repeating: "word ", count: 500),
        String(repeating: "a.", count: 126) + "b", String(repeating: "\u{0}", count: 40), "\u{fffe}\u{ffff}\u{feff}",
        "",
        " ", "{0} {{1}} [link](1)", "\t\t\ttabs\u{b}\u{c}\u{85}",
        (0..<4).map { _ in String(repeating: "l", count: 62) }.joined(separator: "."),
    ]

    static func hostile(_ text: String) -> Judgement {
        Judgement(
            result: .inconclusive,
            hosts: Self.everyStanding(text),
            findings: [
                Finding(
                    id: text, severity: .warning, fact: .run(.remark(text)),
                    evidence: Array(stride(from: 1, to: 4_000, by: 2)))
            ])
    }

    private static func everyStanding(_ text: String) -> [HostVerdict] {
        [VerdictWord.provenPinned, .notPinned, .refusedUnproven, .invalidEnvironment].map { word in
            HostVerdict(
                host: text, rule: text + ".", expect: .refuse, required: word != .refusedUnproven, verdict: word,
                strength: word == .provenPinned ? .privateAnchor : nil,
                subtype: word == .notPinned ? .leak : nil,
                missing: word == .provenPinned
                    ? [] : [.trustControl, .attack(AttackID(text)), .sameStackPassthrough, .run],
                reason: .withdrawn(text),
                coldStarts: 1_000_000,
                attacks: [
                    AttackTally(
                        attack: AttackID(text), outcomes: [.alert: .max, .data: 1], connections: .max,
                        dataForms: [text],
                        alerts: [text: 1], evidence: Array(1...500), bytesUp: .max, bytesDown: .min)
                ],
                findings: [Finding(id: text, severity: .error, fact: .run(.remark(text)))],
                seen: Circumstances(
                    controls: [
                        ControlSight(control: text, fate: .unusable(text)),
                        ControlSight(control: text, fate: .refused(alert: text)),
                    ], contacts: .init(starts: 1, of: .max)))
        }
    }

    static func hostileInput(_ index: Int) -> ReportInput { input(everywhere: texts[index]) }

    /// What a hostile input must look like, its texts aside.
    static let plainInput = input(everywhere: "x")

    private static func input(everywhere text: String) -> ReportInput {
        var input = input(hostile(text))
        input.profile = text
        input.pinproof = text
        input.started = text
        input.seconds = .infinity
        input.ca = RunHeader.CA(sha256: text, scope: [text, text])
        input.selfTest = SelfTestResult(passed: false, problems: [text], ms: .nan)
        input.attacks = [AttackID(text), AttackID(text)]
        input.runFolders = [text]
        input.labels = [text: text]
        input.artefacts = [RunHeader.Artefact(file: text, sha256: text, bytes: .max)]
        input.source = ProfileSource(path: text, lines: [text + ".": .min], first: 0)
        return input
    }
}
