import Facts
import Policy
import Testing

@testable import Verdict

/// Data under these attacks, a refusal under all others.
private func subtype(
    _ data: AttackID..., act: Act = .request(96), selection: AttackSelection = .set(.all)
) throws -> Subtype? {
    let app = App(visits: [
        .accepting("cdn.test"), App.Visit(host: "api.test") { attack, _ in [data.contains(attack) ? act : .alert(46)] },
    ])
    let verdict = try app.judge(.test(), selection, coldStarts: 1).host("api.test")
    #expect(verdict.verdict == .notPinned)
    return verdict.subtype
}

@Test("the subtype is the worst that data speaks of")
func worst() throws {
    #expect(try subtype(.trustedCA) == .plain)
    #expect(try subtype(.trustedCA, "expired") == .brokenTLS)
    #expect(try subtype("smuggled-chain") == .bypass)
    #expect(try subtype("smuggled-chain", .trustedCA) == .plain)
    #expect(try subtype("smuggled-chain", "silent-server") == .bypass)
    #expect(try subtype("resumed-session", selection: .list(["resumed-session"])) == .bypass)
    #expect(try subtype("silent-server") == .leak)
    #expect(try subtype(.trustedCA, "silent-server") == .plain)
    #expect(try subtype("old-tls") == .brokenTLS)
}

@Test("a copy of the genuine certificate under an unknown CA gets around a pin that stands in for the issuer's check")
func clonedIdentity() throws {
    #expect(try subtype("cloned-identity/untrusted") == .bypass)
    #expect(try subtype("cloned-identity/untrusted", .trustedCA) == .bypass)
    // Where any unknown CA will do, there is no check to stand in for.
    #expect(try subtype("cloned-identity/untrusted", .untrustedCA) == .brokenTLS)
    #expect(try subtype("cloned-identity") == .bypass)
    #expect(try subtype("cloned-identity", .trustedCA) == .plain)
}

@Test("a preface alone is a leak, and says nothing beside a request")
func prefaces() throws {
    #expect(try subtype(.trustedCA, "expired", act: .preface) == .leak)
    let app = App(visits: [
        App.Visit(host: "api.test") { attack, _ in
            attack == "expired" ? [.preface] : attack == "smuggled-chain" ? [.request(9)] : [.alert(46)]
        }
    ])
    #expect(try app.judge(.test()).host("api.test").subtype == .bypass)
}

@Test("what a lent key is sent is no witness")
func lentKey() throws {
    let app = App(visits: [
        .accepting("cdn.test"),
        App.Visit(host: "api.test") { attack, _ in [attack == "lent-key" ? .request(96) : .alert(46)] },
    ])
    let profile = Profile.test(lent: ["api.test": LentMaterial(backupKey: "k")])
    #expect(try app.judge(profile).host("api.test").verdict == .provenPinned)
}
