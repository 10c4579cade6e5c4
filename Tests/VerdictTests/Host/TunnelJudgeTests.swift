import Facts
import Policy
import Testing

@testable import Verdict

private let profile = Profile.test(refuse: [], tunnel: ["bank.test"])

private func judge(_ observations: Observation...) throws -> (HostVerdict, Judgement.Result) {
    var script = Script()
    script.start(.passthrough)
    for observation in observations { script.add(observation) }
    script.end()
    script.finish()
    let judgement = Judge.judge(profile: profile, runs: [script.evidence])
    return (try judgement.host("bank.test"), judgement.result)
}

@Test("seen working untouched is what a tunnelled host has to be")
func tunnelled() throws {
    let (verdict, result) = try judge(Script.tunnelled("bank.test"))
    #expect(verdict.verdict == .tunnelled)
    #expect(result == .pass)
    #expect(verdict.attacks.map(\.attack) == [.passthrough])
    #expect(verdict.attacks.first?.outcomes == [:])
    #expect(verdict.attacks.first?.bytesUp == 600)
}

@Test("bytes both ways without TLS do as well, one way does not")
func plainBytes() throws {
    var seen = Script.tunnelled("bank.test", data: false)
    seen.hello = nil
    #expect(try judge(seen).0.verdict == .tunnelled)
    seen.bytesDown = 0
    #expect(try judge(seen).0.verdict == .notExercised)
}

@Test("unseen is not exercised; seen and never with data is an invalid environment")
func withoutData() throws {
    #expect(try judge().0.verdict == .notExercised)
    let (verdict, result) = try judge(Script.tunnelled("bank.test", data: false))
    #expect(verdict.verdict == .invalidEnvironment)
    #expect(result == .invalid)
}

@Test("an interception of what is never to be touched makes the run worthless")
func intercepted() throws {
    let (verdict, _) = try judge(
        Script.tunnelled("bank.test"), Script.intercepted("bank.test", .trustedCA, .request(5)))
    #expect(verdict.verdict == .invalidEnvironment)
}
