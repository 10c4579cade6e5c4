import Facts
import Testing

@testable import Policy

private func name(_ text: String) throws -> HostName { try #require(HostName(text)) }

/// Hosts in the order of the profile; those that lend a key end in `+`, those to be accepted begin with `=`.
private func plan(_ variant: String, _ hosts: String..., only: Set<String> = []) throws -> Plan {
    var profile = Profile(name: "p")
    for host in hosts {
        let isAccepted = host.hasPrefix("=")
        let text = host.filter { $0 != "=" && $0 != "+" }
        let pattern = try #require(HostPattern(text))
        profile.rules.append(HostRule(pattern: pattern, expect: isAccepted ? .accept : .refuse))
        if host.hasSuffix("+") { profile.lent[pattern.base] = LentMaterial(backupKey: "k") }
    }
    profile.controls = [try #require(HostPattern("control.test"))]
    let chosen = try #require(Attack.redirect.variants.first { $0.name == variant })
    return Plan(
        profile: profile, phase: .attack(.redirect, chosen, only: Set(try only.map(name))), trial: 1)
}

@Test("clients are sent to the first attacked host that the profile names")
func target() throws {
    #expect(try plan("to", "=cdn.test", "*.w.test", "b.test", "a.test").redirectTarget == name("b.test"))
    #expect(try plan("to", "b.test", "a.test", only: ["a.test"]).redirectTarget == name("a.test"))
    #expect(try plan("to", "*.w.test", only: ["x.w.test"]).redirectTarget == name("x.w.test"))
    #expect(try plan("to", "=cdn.test", "*.w.test").redirectTarget == nil)
    #expect(Plan(profile: Profile(name: "p"), phase: .passthrough).redirectTarget == nil)
}

@Test("whoever is accepted redirects, and the attacked answer as they do")
func to() throws {
    let plan = try plan("to", "=cdn.test", "b.test", "a.test")
    guard case .intercept(.trustedCA, let sending) = plan.decide(try name("cdn.test")) else {
        Issue.record("cdn.test is not intercepted")
        return
    }
    #expect(sending.name == nil && sending.conduct.answer == .redirect && sending.recipe == Recipe())
    // Another program may visit a control, and follow a redirect without a pin.
    #expect(try plan.decide(name("control.test")) == .intercept(.trustedCA, .unattacked))
    for host in ["a.test", "b.test"] {
        guard case .intercept(.redirect, let variant) = plan.decide(try name(host)) else {
            Issue.record("\(host) is not attacked")
            continue
        }
        #expect(variant.name == "to" && variant.conduct == Conduct() && variant.needs == nil)
    }
    #expect(try plan.decide(name("else.test")) == .tunnel)
}

@Test("without a host to send to, all is as under trusted-ca")
func nowhere() throws {
    let plan = try plan("to", "=cdn.test", "*.w.test")
    #expect(try plan.decide(name("cdn.test")) == .intercept(.trustedCA, .unattacked))
    guard case .intercept(.redirect, let variant) = plan.decide(try name("x.w.test")) else {
        Issue.record("not attacked")
        return
    }
    #expect(variant.conduct == Conduct())
}

@Test("from an attacked host one is sent to another, by a host that lends its key")
func from() throws {
    #expect(try plan("from", "a.test+").redirectTarget == nil)
    #expect(try plan("from", "a.test", "b.test").redirectTarget == nil)
    #expect(try plan("from", "a.test+", "b.test").redirectTarget == name("b.test"))
    #expect(try plan("from", "a.test+", "b.test+").redirectTarget == name("a.test"))
    let plan = try plan("from", "a.test+", "b.test", "=cdn.test")
    guard case .intercept(.redirect, let met) = plan.decide(try name("b.test")) else {
        Issue.record("not attacked")
        return
    }
    #expect(met.name == "from" && met.conduct == Conduct())
    #expect(try plan.decide(name("cdn.test")) == .intercept(.trustedCA, .unattacked))
}

@Test("plain requests are redirected where the host is attacked")
func cleartext() throws {
    let plan = try plan("to", "=cdn.test", "b.test", "a.test", only: ["b.test"])
    #expect(try plan.redirectsCleartext(to: name("b.test")) == .plain)
    for host in ["a.test", "cdn.test", "else.test"] { #expect(try plan.redirectsCleartext(to: name(host)) == nil) }
    #expect(try PlanRedirectTests.from().redirectsCleartext(to: name("b.test")) == nil)
}

@Test("a redirect leads to one host by each of its spellings")
func spellings() throws {
    let forms = Attack.redirect.variants.filter { $0.needs == nil }.map(\.conduct.spelling)
    let places = try forms.map { try $0.place(of: name("api.test")) }
    #expect(places == ["api.test", "api.test.", "API.TEST", "api.test:443"])
    for place in places.prefix(3) { #expect(try name(place) == name("api.test")) }
    #expect(try forms.map { try $0.place(of: name("::1")) } == ["[::1]", "[::1]", "[::1]", "[::1]:443"])
    #expect(try Conduct.Spelling.finalDot.place(of: name("127.0.0.1")) == "127.0.0.1")
    #expect(try plan("to-capitals", "b.test").redirectsCleartext(to: name("b.test")) == .capitals)
}

private enum PlanRedirectTests {
    static func from() throws -> Plan { try plan("from", "a.test+", "b.test") }
}
