import Facts
import Policy
import Testing

@testable import Verdict

/// A run that proves with two attacks: enough here, and cheap.
private let quick = Edited(provenApp, .test(), .set(.quick))

/// What is said of `cdn.test`, changed in every trial, beside a host that refuses.
private func seen(
    _ profile: Profile = .test(), remove: Bool = false, stack: String = "openssl",
    _ change: @escaping (inout Observation) -> Void = { _ in }
) throws -> [ControlSight.Fate] {
    var run = quick
    run.edit("cdn.test", in: Array(run.trials.keys)) { $0.hello?.stack = stack }
    run.edit("cdn.test", in: Array(run.trials.keys), { if $0.attack != nil { change(&$0) } }, remove: remove)
    let file = CaseFile(profile: profile, runs: [RunEvidence(run.records)])
    let controls = TrustControls(file: file, review: Review(file, "api.test", expect: .refuse), twins: [])
    let sights = ControlSight.all(controls)
    #expect(sights.allSatisfy { $0.control == "cdn.test" })
    return sights.map(\.fate)
}

@Suite struct ControlSightTests {
    @Test("a control that nobody asked for, or only untouched or without TLS, is told so")
    func absent() throws {
        #expect(try seen(remove: true) == [.neverContacted])
        var run = quick
        run.edit("cdn.test", in: run.trials.values.filter { $0.attack != .passthrough }.map(\.trial), remove: true)
        #expect(try run.verdict().seen.controls == [ControlSight(control: "cdn.test", fate: .onlyUntouched)])
        #expect(try seen { $0.action = .forwarded } == [.withoutTLS])
    }

    @Test("one that refused, could not be served, or neither took the CA nor refused it, is told with its reason")
    func failed() throws {
        #expect(try seen { $0 = .like($0, .alert(48)) } == [.refused(alert: "unknown_ca")])
        #expect(try seen { $0 = .like($0, .silent()) } == [.refused(alert: nil)])
        #expect(try seen { $0 = .like($0, .noOrigin("connection refused")) } == [.unusable("connection refused")])
        #expect(
            try seen { seen in
                seen = .like(seen, .noOrigin("expired"))
                seen.upstream?.chain = ["c0"]
            } == [.originUnverified])
        #expect(
            try seen { seen in
                seen = .like(seen, .noOrigin("handshake failure"))
                seen.upstream?.asksForCertificate = true
            } == [.originAsksForCertificate])
        #expect(try seen { $0 = .like($0, .idle) } == [.undecided])
    }

    @Test("one that took the CA is told with what keeps it from being a control, or a good one")
    func taken() throws {
        #expect(try seen() == [.took(starts: 3, of: 3)])
        #expect(try seen(stack: "webview") == [.onOtherStack])
        #expect(try seen(.test(anchors: ["root.pem"])) == [.otherAnchors])
        #expect(try seen { $0.status = 404 } == [.answered(404)])
        #expect(try seen { $0.upstream?.asksForCertificate = true } == [.originAsksForCertificate])
        #expect(try seen { $0.bytesDown = 0 } == [.unanswered])
        var run = quick
        run.edit("cdn.test", in: [run.numbers(.trustedCA)[0]], remove: true)
        #expect(
            try run.verdict().seen.controls == [ControlSight(control: "cdn.test", fate: .took(starts: 2, of: 3))])
    }

    @Test("hosts that are to accept are controls too, those under `controls` come first, and a pattern has its hosts")
    func all() {
        func names(_ profile: Profile) -> [String] {
            let file = CaseFile(profile: profile, runs: [RunEvidence(quick.records)])
            let review = Review(file, "api.test", expect: .refuse)
            return ControlSight.all(TrustControls(file: file, review: review, twins: [])).map(\.control)
        }
        #expect(names(.test(accept: ["feed.test", "cdn.test"])) == ["cdn.test", "feed.test"])
        #expect(names(.test(controls: ["*.test"])) == ["cdn.test"])
        #expect(names(.test(controls: ["*.elsewhere.test"])) == ["*.elsewhere.test"])
        #expect(names(.test(accept: ["*.elsewhere.test"], controls: [])).isEmpty)
        #expect(names(.test(refuse: ["api.test", "cdn.test"])).isEmpty)
    }

    @Test("controls are told where trust is missing or nothing was exercised, and nowhere else")
    func told() throws {
        #expect(try quick.verdict().seen == Circumstances())
        var run = quick
        run.edit("api.test", in: Array(run.trials.keys), remove: true)
        let verdict = try run.verdict()
        #expect(verdict.verdict == .notExercised && verdict.seen.controls.count == 1)
    }
}
