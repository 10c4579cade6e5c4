import Facts
import Policy
import Testing
import Verdict

@testable import Report

private func host(_ subtype: Subtype, _ fell: [(AttackID, [String?])]) -> HostVerdict {
    HostVerdict(
        host: "api.test", rule: "api.test", expect: .refuse, required: true, verdict: .notPinned, subtype: subtype,
        reason: .withdrawn("it sent a request"),
        attacks: fell.map { attack, forms in
            AttackTally(attack: attack, outcomes: [.data: forms.count], connections: forms.count, dataForms: Set(forms))
        })
}

private func advice(_ subtype: Subtype, _ fell: (AttackID, [String?])...) -> [String] {
    Advice.steps(for: host(subtype, fell)).map(\.text)
}

@Test("every form whose data is a bypass or broken TLS has a sentence, and no two attacks share one by mistake")
func everyCause() {
    var owners: [String: Set<AttackID>] = [:]
    for attack in AttackCatalogue.all where attack.id != "lent-key" {
        for variant in attack.variants {
            let weakness = attack.weakness(under: variant.name)
            guard weakness == .bypass || weakness == .brokenTLS else { continue }
            let subtype: Subtype = weakness == .bypass ? .bypass : .brokenTLS
            let texts = advice(subtype, (attack.id, [variant.name]))
            #expect(texts.count == 1)
            #expect(texts != [MissingAdvice.text(forAcceptanceOf: subtype)], "\(attack.name(of: variant))")
            for text in texts { owners[text, default: []].insert(attack.id) }
        }
    }
    for (text, attacks) in owners { #expect(attacks.count == 1, "\(text)") }
}

@Test("the cause is what was fallen for: a pin forgotten over TLS 1.2 is no matter of the presented chain")
func causes() {
    #expect(advice(.bypass, (.trustedCA, ["older"])).allSatisfy { $0.contains("every kind of connection") })
    #expect(advice(.bypass, ("smuggled-chain", ["after", "between"])).allSatisfy { $0.contains("was verified") })
    #expect(advice(.bypass, ("later-connection", ["second"])).allSatisfy { $0.contains("on every connection") })
    #expect(advice(.bypass, ("later-connection", ["after-reset"])).allSatisfy { $0.contains("tries again") })
    let two = advice(.bypass, ("smuggled-chain", ["after"]), ("later-connection", ["second"]))
    #expect(two.count == 2 && two[0].contains("verified") && two[1].contains("every connection"))
}

@Test("every form of trusted-ca that shows a way around a pin has a sentence of its own, with a mending per platform")
func waysAround() {
    let shared: Set = ["older"]
    var texts: Set<String> = []
    for name in Attack.trustedCA.variants.compactMap(\.name) where !shared.contains(name) {
        let told = advice(.bypass, (.trustedCA, [name]))
        #expect(told.count == 1 && texts.insert(told[0]).inserted, "\(name)")
        for platform in ["iOS", "Android", "Flutter"] { #expect(told[0].contains(platform), "\(name): \(platform)") }
    }
}

@Test("what one form explains is not told again of the forms that have the same in them")
func explained() {
    let short: [String?] = ["rsa-leaf", "other-key", "plain", "no-common-name", "second-name", "older"]
    let told = advice(.bypass, (.trustedCA, short))
    #expect(told.count == 1 && told[0].contains("straight below a root"))
    #expect(advice(.bypass, (.trustedCA, ["no-common-name", "older"])).count == 2)
}

@Test("a pin that is given up after a failure is told by the failure, however many resets it took")
func failures() {
    #expect(advice(.bypass, ("later-connection", ["after-502"])).allSatisfy { $0.contains("the proxy refused (502)") })
    #expect(advice(.bypass, ("later-connection", ["after-7-resets"])).allSatisfy { $0.contains("again and again") })
}

@Test("a client without a pin takes every trusted chain: that is one fault, and what is worse is another")
func unpinned() {
    let valid: [(AttackID, [String?])] = [(.trustedCA, [nil, "tls-1.2"]), ("smuggled-chain", ["after"])]
    #expect(Advice.steps(for: host(.plain, valid)).map(\.text) == [MissingAdvice.text(forAcceptanceOf: .plain)])
    let taken = host(.bypass, valid + [("cloned-identity", ["trusted", "untrusted"])])
    #expect(Advice.steps(for: taken).map { $0.text.prefix(22) } == ["Compare the public key"])
    let blind = host(.brokenTLS, valid + [("other-host", [nil]), (.untrustedCA, [nil])])
    #expect(Advice.steps(for: blind).count == 2)
}

@Test("no more than three at once, and the subtype's own sentence where no cause is known")
func limits() {
    let all: [(AttackID, [String?])] = ["untrusted-ca", "self-signed", "expired", "not-yet-valid", "wrong-key"].map {
        ($0, [nil])
    }
    #expect(Advice.steps(for: host(.brokenTLS, all)).count == 3)
    #expect(advice(.bypass, ("of-tomorrow", [nil])) == [MissingAdvice.text(forAcceptanceOf: .bypass)])
    #expect(advice(.leak, ("silent-server", [nil])) == [MissingAdvice.text(forAcceptanceOf: .leak)])
}

@Test("a report says in which forms data was sent, in the catalogue's order")
func formsInOrder() {
    let tally = AttackTally(attack: .trustedCA, dataForms: ["older", nil, "tls-1.2", "of-tomorrow"])
    #expect(tally.dataUnder == ["trusted-ca", "trusted-ca/tls-1.2", "trusted-ca/older", "trusted-ca/of-tomorrow"])
}
