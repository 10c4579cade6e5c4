import Facts
import Policy
import Testing

@testable import Verdict

@Suite struct FirstLookTests {
    @Test("a host whose genuine certificate the app refused is told with the alert")
    func refusedGenuine() throws {
        var script = Script()
        script.start(.passthrough)
        var seen = Script.tunnelled("api.test", stack: "openssl", data: false)
        seen.alerts = [Alert(from: .client, level: 2, code: 48, epoch: .handshake, ms: 20)]
        script.add(seen)
        script.end(exit: 60)
        script.finish()
        let host = try #require(FirstLook(script.evidence, profile: .test()).hosts.first { $0.name == "api.test" })
        #expect(host.untouched == .failed("the app refused the genuine certificate: unknown_ca"))
    }
}
