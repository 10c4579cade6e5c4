import Facts
import Policy
import Testing

private func name(_ text: String) throws -> HostName { try #require(HostName(text)) }

private func profile(others: Others = .tunnel) throws -> Profile {
    func rule(_ text: String, _ expect: HostExpectation) throws -> HostRule {
        HostRule(pattern: try #require(HostPattern(text)), expect: expect)
    }
    return Profile(
        name: "p",
        rules: [
            try rule("api.test", .refuse), try rule("b.test", .refuse), try rule("cdn.test", .accept),
            try rule("bank.test", .tunnel),
        ],
        others: others, controls: [try #require(HostPattern("control.test"))],
        resolve: [
            try name("api.test"): Destination(try name("127.0.0.1"), 8443),
            try name("b.test"): Destination(try name("::1"), nil),
        ])
}

@Test("in passthrough every host is tunnelled")
func passthrough() throws {
    let plan = Plan(profile: try profile(others: .accept), phase: .passthrough)
    for host in ["api.test", "cdn.test", "control.test", "else.test"] {
        #expect(try plan.decide(name(host)) == .tunnel)
    }
}

@Test("under an attack refuse hosts get it, accept hosts and controls trusted-ca, the rest is tunnelled")
func attacked() throws {
    let expired = Attack.expired.variants[0]
    let trusted = Plan.Decision.intercept(.trustedCA, .unattacked)
    let plan = Plan(profile: try profile(), phase: .attack(.expired, expired, only: []))
    #expect(try plan.decide(name("api.test")) == .intercept(.expired, expired))
    #expect(try plan.decide(name("cdn.test")) == trusted)
    #expect(try plan.decide(name("control.test")) == trusted)
    #expect(try plan.decide(name("bank.test")) == .tunnel)
    #expect(try plan.decide(name("else.test")) == .tunnel)
    let alone = Plan(profile: try profile(), phase: .attack(.expired, expired, only: [try name("b.test")]))
    #expect(try alone.decide(name("api.test")) == .tunnel)
    #expect(try alone.decide(name("b.test")) == .intercept(.expired, expired))
    #expect(try alone.decide(name("control.test")) == trusted)
}

@Test("a control that a rehearsal aims at is shown what the host is, and any other one is not")
func rehearsedControls() throws {
    let day = try #require(CalendarDate("2027-06-01"))
    let attack = Attack.rehearsedClock(day, isSet: true)
    let aimed: Set<HostName> = [try name("api.test"), try name("control.test"), try name("cdn.test")]
    let plan = Plan(profile: try profile(), phase: .attack(attack, attack.variants[0], only: aimed))
    for host in aimed { #expect(plan.decide(host) == .intercept(attack, attack.variants[0])) }
    let alone = Plan(
        profile: try profile(), phase: .attack(attack, attack.variants[0], only: [try name("api.test")]))
    #expect(try alone.decide(name("control.test")) == .intercept(.trustedCA, .unattacked))
}

@Test("controls are probed with the plain form of untrusted-ca, and with no other")
func probes() throws {
    for variant in Attack.untrustedCA.variants {
        let plan = Plan(profile: try profile(), phase: .attack(.untrustedCA, variant, only: []))
        #expect(try plan.decide(name("api.test")) == .intercept(.untrustedCA, variant))
        guard case .intercept(let shown, _) = try plan.decide(name("control.test")) else { throw Failure() }
        #expect(shown == (variant.name == nil ? .untrustedCA : .trustedCA), "\(variant.name ?? "")")
    }
}

@Test("where connections are to be shared, all that is forged is shown one leaf that names it all, and nowhere else")
func coalesced() throws {
    let variant = try #require(Attack.trustedCA.variants.first { $0.name == "coalesced" })
    var profile = try profile()
    profile.rules.append(HostRule(pattern: try #require(HostPattern("**.deep.test")), expect: .refuse))
    let plan = Plan(profile: profile, phase: .attack(.trustedCA, variant, only: []))
    let named = try ["api.test", "b.test", "**.deep.test", "cdn.test"].map { try #require(HostPattern($0)) }
    let shared = variant.presenting(Recipe(name: .targetBeside(named)))
    #expect(try plan.decide(name("api.test")) == .intercept(.trustedCA, shared) && shared.name == "coalesced")
    for host in ["api.test", "cdn.test", "control.test"] {
        #expect(try plan.certified(name(host)) == name("control.test"))
    }
    for host in ["cdn.test", "control.test"] {
        guard case .intercept(let attack, let shown) = try plan.decide(name(host)) else { throw Failure() }
        #expect(attack == .trustedCA && shown.name == "coalesced" && shown.isUnattacked)
        #expect(shown.recipe == Recipe(name: .targetBeside(named)) && shown.conduct == Conduct())
    }
    #expect(try plan.decide(name("bank.test")) == .tunnel && plan.decide(name("else.test")) == .tunnel)
    let alone = Plan(profile: profile, phase: .attack(.trustedCA, variant, only: [try name("b.test")]))
    guard case .intercept(_, let shown) = try alone.decide(name("cdn.test")) else { throw Failure() }
    #expect(shown.recipe.name == .targetBeside([named[1], named[3]]))
    for other in Attack.trustedCA.variants
    where other.name != "coalesced" && !other.conduct.sparesOthers && !other.conduct.emptiesOthers {
        let plan = Plan(profile: profile, phase: .attack(.trustedCA, other, only: []))
        #expect(try plan.decide(name("cdn.test")) == .intercept(.trustedCA, .unattacked))
        #expect(try plan.certified(name("api.test")) == name("api.test"))
    }
}

@Test("a host that the shared leaf does not name has one of its own, with the attacked hosts' names in it")
func coalescedWithOthers() throws {
    let variant = try #require(Attack.trustedCA.variants.first { $0.name == "coalesced" })
    var profile = try profile()
    profile.others = .accept
    profile.controls.append(try #require(HostPattern("**.many.test")))
    let plan = Plan(profile: profile, phase: .attack(.trustedCA, variant, only: []))
    for (host, certified) in [
        ("else.test", "else.test"), ("a.many.test", "control.test"), ("a.b.many.test", "a.b.many.test"),
    ] {
        #expect(try plan.certified(name(host)) == name(certified))
        guard case .intercept(_, let shown) = try plan.decide(name(host)) else { throw Failure() }
        guard case .targetBeside(let beside) = shown.recipe.name else { throw Failure() }
        let attacked = HostPattern(exactly: try name("api.test"))
        #expect(shown.isUnattacked && beside.contains(attacked))
    }
}

@Test("a name beside the attacked host's is one that the app knows and does not pin, where the profile tells of one")
func namesBeside() throws {
    let control = try name("control.test")
    for (form, known) in [
        ("second-name", Recipe.Name.second(control)), ("foreign-common-name", .foreignCommonName(control)),
        ("of-the-app", .known(control)),
    ] {
        let attack = form == "of-the-app" ? Attack.otherHost : .trustedCA
        let variant = try #require(attack.variants.first { $0.name == form })
        var profile = try profile()
        func shown() throws -> Recipe.Name? {
            let plan = Plan(profile: profile, phase: .attack(attack, variant, only: []))
            guard case .intercept(_, let shown) = try plan.decide(name("api.test")) else { return nil }
            return shown.recipe.name
        }
        #expect(try shown() == known)
        // A pattern is no name, and a control that has to refuse is none.
        profile.controls = try ["*.test", "b.test"].map { try #require(HostPattern($0)) }
        profile.rules.removeAll { $0.expect == .accept }
        #expect(try shown() == variant.recipe.name)
    }
}

private struct Failure: Error {}

@Test("a rule decides for its host, whatever a control's pattern says of it, in every phase")
func ruleBeforeControl() throws {
    var profile = try profile()
    profile.controls = [try #require(HostPattern("*.test"))]
    let trusted = Plan.Decision.intercept(.trustedCA, .unattacked)
    let variant = Attack.expired.variants[0]
    for phase in [Plan.Phase.attack(.expired, variant, only: []), .debugging] {
        let plan = Plan(profile: profile, phase: phase)
        #expect(try plan.decide(name("bank.test")) == .tunnel, "a host that is never to be touched")
        #expect(try plan.decide(name("cdn.test")) == trusted)
        #expect(try plan.decide(name("else.test")) == trusted, "by the pattern alone")
    }
    #expect(try !profile.isControl(name("bank.test")) && !profile.isControl(name("api.test")))
    #expect(try profile.isControl(name("cdn.test")) && profile.isControl(name("else.test")))
}

@Test("what somebody says of a host while the debugging proxy runs goes before its profile, and nowhere else")
func overrides() throws {
    let trusted = Plan.Decision.intercept(.trustedCA, .unattacked)
    var plan = Plan(profile: try profile(), phase: .debugging)
    plan.overrides = [try name("cdn.test"): false, try name("else.test"): true, try name("bank.test"): true]
    #expect(try plan.decide(name("cdn.test")) == .tunnel)
    #expect(try plan.decide(name("else.test")) == trusted)
    #expect(try plan.decide(name("bank.test")) == trusted)
    #expect(try plan.decide(name("api.test")) == trusted, "nothing was said of it")
    plan.phase = .passthrough
    #expect(try plan.decide(name("else.test")) == .tunnel)
    plan.phase = .attack(.expired, Attack.expired.variants[0], only: [])
    #expect(try plan.decide(name("cdn.test")) == trusted)
    #expect(try plan.decide(name("else.test")) == .tunnel)
}

@Test("the resolve map keeps the asked port where it names none")
func resolve() throws {
    let plan = Plan(profile: try profile(), phase: .passthrough)
    #expect(plan.destination(of: Endpoint(try name("api.test"), 443)).description == "127.0.0.1:8443")
    #expect(plan.destination(of: Endpoint(try name("b.test"), 9443)).description == "[::1]:9443")
    #expect(plan.destination(of: Endpoint(try name("c.test"), 443)).description == "c.test:443")
}

@Test("quick, standard and all contain one another, and every list contains both halves of the differential")
func sets() {
    let quick = AttackSelection.set(.quick).attacks.map(\.id)
    let standard = AttackSelection.set(.standard).attacks.map(\.id)
    #expect(quick == [.trustedCA, .untrustedCA, "lent-key"])
    #expect(standard == AttackCatalogue.all.filter { $0.set <= .standard }.map(\.id))
    #expect(AttackSelection.set(.all).attacks.map(\.id) == AttackCatalogue.all.map(\.id))
    #expect(AttackSelection.list(AttackCatalogue.all.map(\.id)).attacks == AttackCatalogue.all)
    #expect(AttackSelection.list(["expired"]).attacks.map(\.id) == [.trustedCA, .untrustedCA, "lent-key", "expired"])
}

@Test("a fallback to the common name makes no broken client of one without a pin")
func weaknessOfOneForm() {
    #expect(Attack.wrongUsage.weakness(under: "common-name-only") == .bypass)
    #expect(Attack.wrongUsage.weakness(under: "client-auth") == .brokenTLS)
    #expect(Attack.wrongUsage.weakness(under: "of another version") == .brokenTLS)
}

@Test("where the others have nothing to give, those that are forged say so, and all else is as it would be")
func emptiedOthers() throws {
    let variant = try #require(Attack.trustedCA.variants.first { $0.name == "others-answer-404" })
    let plan = Plan(profile: try profile(), phase: .attack(.trustedCA, variant, only: []))
    #expect(try plan.decide(name("api.test")) == .intercept(.trustedCA, variant))
    for host in ["cdn.test", "control.test"] {
        guard case .intercept(let attack, let shown) = try plan.decide(name(host)) else {
            Issue.record("\(host) is not forged")
            continue
        }
        #expect(attack == .trustedCA && shown.isUnattacked && shown.name == nil)
        #expect(shown.conduct.answer == .notFound && shown.conduct.protocols == .http1)
    }
    #expect(try plan.decide(name("bank.test")) == .tunnel && plan.decide(name("else.test")) == .tunnel)
    #expect(try plan.reaches(name("else.test")) && !variant.conduct.cutsOffOthers && variant.conduct.failsOthers)
}

@Test("a name that is told behind an address says where it goes, where `resolve` knows the name and not the address")
func namesBehindAddresses() throws {
    let (api, other) = (try #require(HostName("api.test")), try #require(HostName("other.test")))
    let (there, named) = (try #require(Endpoint("192.0.2.7:443")), try #require(Endpoint("api.test:443")))
    var profile = Profile(name: "p")
    #expect(!Plan(profile: profile, phase: .passthrough).mayBeNamed(there))
    profile.resolve[api] = Destination(try #require(HostName("127.0.0.1")), 8443)
    let plan = Plan(profile: profile, phase: .passthrough)
    #expect(plan.mayBeNamed(there) && !plan.mayBeNamed(named))
    #expect(plan.named(there, api) == named && plan.named(there, other) == there && plan.named(there, nil) == there)
    #expect(plan.destination(of: plan.named(there, api)) == Endpoint("127.0.0.1:8443"))
    #expect(plan.named(try #require(Endpoint("other.test:443")), api) == Endpoint("other.test:443"))
    // An address that is spoken of itself.
    profile.resolve[there.host] = Destination(try #require(HostName("127.0.0.2")), nil)
    #expect(!Plan(profile: profile, phase: .passthrough).mayBeNamed(there))
}
