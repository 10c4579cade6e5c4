import Facts
import Policy
import Report
import Testing

@testable import Verdict

private func judged(_ control: App.Visit, _ host: App.Visit) throws -> HostVerdict {
    try App(visits: [control, host]).judge(.test()).host("api.test")
}

private func visit(_ host: HostName, trusted: UInt8, untrusted: UInt8) -> App.Visit {
    App.Visit(host: host) { attack, _ in attack == .untrustedCA ? [.alert(untrusted)] : [.alert(trusted)] }
}

@Suite struct CommonRefusalTests {
    @Test("the same alert for both CAs, at hosts that nobody pins too, is most likely no trust in the CA")
    func platformDefault() throws {
        for code in [UInt8(46), 48] {
            let verdict = try judged(.always("cdn.test", .alert(code)), .always("api.test", .alert(code)))
            #expect(verdict.verdict == .refusedUnproven)
            #expect(try verdict.finding("platform-default-refusal").severity == .note)
        }
        #expect(try !judged(.accepting("cdn.test"), .always("api.test", .alert(46))).has("platform-default-refusal"))
        #expect(
            try !judged(.always("cdn.test", .alert(42)), .always("api.test", .alert(46))).has(
                "platform-default-refusal"))
        #expect(
            try !judged(.always("cdn.test", .alert(40)), .always("api.test", .alert(40))).has(
                "platform-default-refusal"))
    }

    @Test(
        "a CA that nobody trusts is named as the cause of refusals without an alert as well",
        arguments: [Act.silent(), .silent(.rst), .post()])
    func withoutAlert(act: Act) throws {
        let verdict = try judged(.always("cdn.test", act), .always("api.test", act))
        #expect(verdict.verdict == .refusedUnproven && verdict.missing.contains(.trustControl))
        #expect(try verdict.finding("platform-default-refusal").text.contains("at cdn.test too"))
        #expect(verdict.why.contains("but so did cdn.test") && verdict.why.contains("does not trust the CA"))
        #expect(!verdict.why.contains("0 of"))
    }

    @Test("who says nothing under the CA may have had no use for the connection")
    func unused() throws {
        let silent = App.Visit.always("api.test", .silent())
        for control in [
            // It never worked, …
            App.Visit(host: "cdn.test", under: { _, _ in [.silent()] }, untouched: { _ in false }),
            // … took the CA once, refuses in another way, …
            App.Visit(host: "cdn.test") { _, nth in nth == 1 ? [.request(9)] : [.silent()] },
            .always("cdn.test", .post()), .always("cdn.test", .alert(48)),
        ] {
            #expect(try !judged(control, silent).has("platform-default-refusal"))
        }
        // … or came after a host whose refusal may have ended the journey.
        let after = try App(visits: [silent, .always("cdn.test", .silent())]).judge(.test()).host("api.test")
        #expect(!after.has("platform-default-refusal"))
        // Under the two CAs in two ways: that is no missing trust.
        let differs = App.Visit(host: "api.test") { attack, _ in attack == .untrustedCA ? [.silent()] : [.post()] }
        #expect(try !judged(.always("cdn.test", .post()), differs).has("platform-default-refusal"))
    }

    @Test("a trusted CA that is refused everywhere, and otherwise than an unknown one, may be CT's doing")
    func transparency() throws {
        let verdict = try judged(
            visit("cdn.test", trusted: 46, untrusted: 48), visit("api.test", trusted: 46, untrusted: 48))
        #expect(try verdict.finding("ct-like-refusal").severity == .note)
        #expect(!verdict.has("platform-default-refusal"))
        // A pin of its own says something else, or a control takes the CA.
        #expect(
            try !judged(visit("cdn.test", trusted: 48, untrusted: 48), visit("api.test", trusted: 42, untrusted: 48))
                .has(
                    "ct-like-refusal"))
        #expect(
            try !judged(.accepting("cdn.test"), visit("api.test", trusted: 46, untrusted: 48)).has("ct-like-refusal"))
        let alone = try App(visits: [visit("api.test", trusted: 46, untrusted: 48)]).judge(.test()).host("api.test")
        #expect(!alone.has("ct-like-refusal") && !alone.has("platform-default-refusal"))
    }
}
