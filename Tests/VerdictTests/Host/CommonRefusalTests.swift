import Facts
import Policy
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
