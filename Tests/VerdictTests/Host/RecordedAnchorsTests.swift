import Facts
import Policy
import Report
import Testing

@testable import Verdict

private let profile = Profile.test(anchors: ["own-root.pem"])

private let recorded = RunHeader.Anchors(
    declared: ["api.test": [Script.genuinePin.base64]], authority: [Script.otherPin.base64])

/// An app that trusts its own anchors alone: it refuses everything of ours for its issuer, and finds the signature wrong
/// under the genuine chain.
private let app = App(visits: [
    .accepting("cdn.test", stack: "webview"),
    App.Visit(host: "api.test") { attack, _ in [.alert(attack == "wrong-key" ? 51 : 48)] },
])

private func run(_ anchors: RunHeader.Anchors? = recorded, of app: App = app) -> Edited {
    var run = Edited(app, profile, coldStarts: 2)
    run.records = run.records.map { record in
        guard case .header(var header) = record else { return record }
        header.anchors = anchors
        return .header(header)
    }
    return run
}

@Test("an app that trusts its own anchors alone is proven by what the profile says and what was seen")
func privateAnchor() throws {
    let verdict = try run().verdict(profile)
    #expect(verdict.verdict == .provenPinned, "\(verdict.why)")
    #expect(verdict.strength == .privateAnchor)
    #expect(verdict.why.contains("by the profile's word"))
}

@Test("without any one of its pieces there is no such proof")
func pieces() throws {
    // nothing declared, by the profile or in the run
    try run().lacks(.trustControl)
    try run(nil).lacks(.trustControl, profile: profile)
    // the CA is one of the anchors
    let same = RunHeader.Anchors(
        declared: ["api.test": [Script.genuinePin.base64]], authority: [Script.genuinePin.base64])
    try run(same).lacks(.trustControl, profile: profile)
    // of another rule
    let other = RunHeader.Anchors(
        declared: ["feed.test": [Script.genuinePin.base64]], authority: [Script.otherPin.base64])
    try run(other).lacks(.trustControl, profile: profile)
    // the genuine chain leads elsewhere
    let elsewhere = RunHeader.Anchors(
        declared: ["api.test": [Script.otherPin.base64]], authority: ["x"])
    try run(elsewhere).lacks(.trustControl, profile: profile)

    func lacks(_ change: (inout Edited) -> Void, _ location: SourceLocation = #_sourceLocation) throws {
        var run = run()
        change(&run)
        try run.lacks(.trustControl, profile: profile, location)
    }
    // no host shows that the CA works
    try lacks { $0.edit("cdn.test", in: Array(1...40), remove: true) }
    try lacks { $0.edit("cdn.test", in: Array(1...40), { $0.prefaceOnly = true }) }
    // the genuine chain was refused as well, or in silence
    for act in [Act.alert(48), .alert(46), .post()] {
        try lacks { $0.edit("api.test", in: $0.numbers("wrong-key"), { $0 = .like($0, act) }) }
    }
    // the origin was not verified
    try lacks { $0.edit("api.test", in: Array(1...40), { $0.upstream?.verified = false }) }
}

@Test("a signature that is complained of under any chain says nothing of the genuine one")
func sameWords() throws {
    var run = run()
    run.edit("api.test", in: run.numbers(.trustedCA), { $0 = .like($0, .alert(40)) })
    let verdict = try run.verdict(profile)
    #expect(verdict.verdict == .refusedUnproven)
    #expect(verdict.missing.contains(.trustControl))
}

@Test("where a host has anchors of its own, other hosts are no control for it")
func notTheControlsAnchors() throws {
    let app = App(visits: [.accepting("cdn.test"), .always("api.test", .alert(46))])
    #expect(try app.judge(.test()).host("api.test").strength == .s2a)
    #expect(try app.judge(profile).host("api.test").missing == [.trustControl])
}

@Test("a stack that never says why it leaves is proven by a control of its own that told the CA from an unknown one")
func withoutAWord() throws {
    func app(_ stack: String = "openssl") -> App {
        App(visits: [.accepting("cdn.test", stack: stack), .always("api.test", .post())])
    }
    let verdict = try run(of: app()).verdict(profile)
    #expect(verdict.verdict == .provenPinned, "\(verdict.why)")
    #expect(verdict.strength == .privateAnchor)

    func lacks(_ app: App, _ change: (inout Edited) -> Void = { _ in }, _ at: SourceLocation = #_sourceLocation) throws
    {
        var run = run(of: app)
        change(&run)
        try run.lacks(.trustControl, profile: profile, at)
    }
    try run(nil, of: app()).lacks(.trustControl, profile: profile)
    // the CA was taken on another stack alone, or whatever CA it was
    try lacks(app("webview"))
    try lacks(app()) { $0.edit("cdn.test", in: $0.numbers(.untrustedCA), remove: true) }
    // it does say something: so it has to say it of the signature
    try lacks(app()) { $0.edit("api.test", in: [$0.numbers(.trustedCA)[0]], { $0 = .like($0, .alert(46)) }) }
}
