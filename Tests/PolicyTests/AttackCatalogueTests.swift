import Facts
import Policy
import Testing

/// The part of the catalogue that differs in the chain, as it is to be: name, smallest set, what has to be lent.
private let chains: [(name: String, set: AttackSet, needs: LentKind?)] = [
    ("trusted-ca", .quick, nil), ("trusted-ca/tls-1.2", .all, nil), ("trusted-ca/rsa-leaf", .all, nil),
    ("trusted-ca/http-1.1", .all, nil), ("trusted-ca/plain", .all, nil), ("trusted-ca/authority-leaf", .all, nil),
    ("trusted-ca/no-common-name", .all, nil),
    ("trusted-ca/foreign-common-name", .all, nil), ("trusted-ca/second-name", .all, nil),
    ("trusted-ca/wildcard", .all, nil), ("trusted-ca/capitals", .all, nil), ("trusted-ca/bare", .all, nil),
    ("trusted-ca/second-start", .standard, nil),
    ("trusted-ca/after-refusal", .standard, nil), ("untrusted-ca", .quick, nil),
    ("untrusted-ca/with-root", .all, nil), ("untrusted-ca/leaf-alone", .all, nil), ("lent-key", .quick, .backupKey),
    ("wrong-key", .standard, nil), ("wrong-key/tls-1.2", .standard, nil),
    ("wrong-key/tls-1.1", .all, nil), ("wrong-key/tls-1.0", .all, nil), ("wrong-key/zero-signature", .all, nil),
    ("smuggled-chain/after", .standard, nil),
    ("smuggled-chain/issuers-alone", .standard, nil), ("smuggled-chain/between", .all, nil),
    ("smuggled-chain/issuers-first", .all, nil), ("smuggled-chain/cloned", .all, nil),
    ("smuggled-chain/identifiers", .all, nil), ("smuggled-chain/identifiers-first", .all, nil),
    ("smuggled-chain/authority", .all, nil),
    ("smuggled-chain/untrusted", .all, nil), ("smuggled-chain/self-signed", .all, nil),
    ("smuggled-chain/expired", .all, nil), ("smuggled-chain/not-yet-valid", .all, nil),
    ("smuggled-chain/other-host", .all, nil),
    ("cloned-identity/trusted", .standard, nil), ("cloned-identity/untrusted", .standard, nil),
    ("cloned-identity/without-root", .standard, nil), ("cloned-identity/renewed", .all, nil),
    ("other-host", .standard, nil), ("other-host/of-the-app", .all, nil),
    ("other-host/same-ca", .standard, .sameCAChain),
    ("other-host/lent", .standard, .otherHost), ("self-signed", .standard, nil), ("expired", .standard, nil),
    ("expired/issuer", .all, nil),
    ("not-yet-valid", .standard, nil), ("leaf-as-ca/ca-false", .all, nil), ("leaf-as-ca/no-constraints", .all, nil),
    ("bad-signature/corrupted", .all, nil), ("bad-signature/other-key", .all, nil),
    ("bad-signature/genuine-issuer", .all, nil), ("bad-signature/zeros", .all, nil),
    ("wrong-usage/client-auth", .all, nil),
    ("wrong-usage/common-name-only", .all, nil), ("wrong-usage/nul-in-san", .all, nil),
    ("wrong-usage/top-level-wildcard", .all, nil), ("wrong-usage/parent-domain", .all, nil),
    ("wrong-usage/affixed-name", .all, nil),
    ("wrong-usage/name-constraints", .all, nil), ("wrong-usage/path-length", .all, nil),
    ("weak-crypto/rsa-1024", .all, nil), ("weak-crypto/sha-1", .all, nil), ("weak-crypto/md5", .all, nil),
]

@Suite("the catalogue")
struct AttackCatalogueTests {
    private func names(_ attacks: [Attack], _ filter: (Attack.Variant) -> Bool = { _ in true }) -> [String] {
        attacks.flatMap { attack in attack.variants.filter(filter).map(attack.name(of:)) }
    }

    @Test("holds each chain once, in the order they are tried, in its set, and with what it needs")
    func chainsInOrder() throws {
        let found = names(AttackCatalogue.all)
        #expect(found.filter { name in chains.contains { $0.name == name } } == chains.map(\.name))
        for (name, set, needs) in chains {
            let parts = name.split(separator: "/").map(String.init)
            let attack = try #require(AttackCatalogue.attack(AttackID(parts[0])))
            let variant = try #require(attack.variants.first { attack.name(of: $0) == name })
            #expect(variant.set ?? attack.set == set && variant.needs == needs, "\(name)")
        }
    }

    @Test("sets have the variants that belong to them")
    func sets() {
        let standard = names(AttackSelection.set(.standard).attacks)
        for (name, set, _) in chains { #expect(standard.contains(name) == (set <= .standard), "\(name)") }
        let quick = names(AttackSelection.set(.quick).attacks)
        #expect(quick == ["trusted-ca", "untrusted-ca", "lent-key"])
        let byNameAlone = ["later-connection/after-lost-answer"]
        #expect(
            names(AttackSelection.set(.all).attacks) == names(AttackCatalogue.all).filter { !byNameAlone.contains($0) })
    }

    @Test("an attack that is named has all its variants, one that comes along the usual one")
    func named() {
        #expect(
            names(AttackSelection.list(["smuggled-chain"]).attacks) == [
                "trusted-ca", "untrusted-ca", "lent-key", "smuggled-chain/after",
                "smuggled-chain/issuers-alone", "smuggled-chain/between", "smuggled-chain/issuers-first",
                "smuggled-chain/cloned", "smuggled-chain/identifiers", "smuggled-chain/identifiers-first",
                "smuggled-chain/authority",
                "smuggled-chain/untrusted", "smuggled-chain/self-signed", "smuggled-chain/expired",
                "smuggled-chain/not-yet-valid", "smuggled-chain/other-host",
            ])
        #expect(names(AttackSelection.list([.trustedCA]).attacks).contains("trusted-ca/rsa-leaf"))
    }

    @Test("ids and variants are unique, variants are in no smaller set than their attack, and all say what they are")
    func wellFormed() {
        #expect(Set(AttackCatalogue.all.map(\.id)).count == AttackCatalogue.all.count)
        for attack in AttackCatalogue.all {
            #expect(!attack.variants.isEmpty && !attack.presents.isEmpty && !attack.source.isEmpty)
            #expect(Set(attack.variants.map(\.name)).count == attack.variants.count)
            #expect(attack.variants.allSatisfy { ($0.set ?? attack.set) >= attack.set })
        }
    }

    @Test("every form in a set has advice, but where the weakness says it: a check that comes late")
    func advice() {
        for attack in AttackCatalogue.all where attack.reading.data != .control {
            for variant in attack.variants where (variant.set ?? attack.set) <= .all {
                let weakness = attack.weakness(under: variant.name)
                if weakness == .leak { continue }
                let text = attack.advice(under: variant.name) ?? ""
                #expect(text.hasSuffix("."), "\(attack.name(of: variant))")
            }
        }
    }

    @Test("a form's own advice is told where it has one, also of what is made for one client; else the attack's")
    func adviceOfForms() {
        let later = Attack.laterConnection
        #expect(later.advice(under: "second") == later.advice && later.advice(under: "third") != later.advice)
        #expect(later.advice(under: "after-7-resets") == later.advice(under: "after-3-resets"))
        #expect(later.advice(under: "after-reset") != later.advice(under: "after-3-resets"))
        #expect(later.advice(under: "after-tomorrow") == later.advice)
        #expect(Attack.afterOutages(.silence, 7).name == "after-7-timeouts")
        #expect(Attack.afterOutages(.reset, 1).name == "after-reset")
        for variant in Attack.trustedCA.variants {
            #expect(Set(variant.includes).isSubset(of: Attack.trustedCA.variants.compactMap(\.name)))
        }
    }

    @Test("a recipe that shows or copies the origin's chain says so, and so does one that has no private key")
    func recipes() {
        func using(_ has: (Recipe) -> Bool) -> [String] { names(AttackCatalogue.all) { has($0.recipe) } }
        // What presents the host's name alone, or nothing, needs no model.
        let plain = [
            "rsa-leaf", "plain", "no-common-name", "foreign-common-name", "second-name", "wildcard", "capitals",
            "home-made",
            "bare",
            "coalesced", "older",
        ].map { "trusted-ca/\($0)" }
        let others: Set<AttackID> = [
            "leaf-as-ca", "bad-signature", "wrong-usage", "weak-crypto", "old-tls", "cleartext-fallback",
        ]
        let without = names(AttackCatalogue.all.filter { !others.contains($0.id) }) { !$0.recipe.usesGenuineChain }
        #expect(without == plain + ["other-host/of-the-app", "other-host/same-ca", "other-host/lent"])
        #expect(
            names(AttackCatalogue.all.filter { others.contains($0.id) }) { $0.recipe.usesGenuineChain } == [
                "bad-signature/genuine-issuer", "bad-signature/zeros", "wrong-usage/client-auth",
                "wrong-usage/name-constraints", "wrong-usage/path-length",
            ])
        #expect(
            using(\.imitatesKey) == [
                "wrong-key", "wrong-key/tls-1.2", "wrong-key/tls-1.1", "wrong-key/tls-1.0", "wrong-key/zero-signature",
                "other-host/same-ca",
            ])
    }
}
