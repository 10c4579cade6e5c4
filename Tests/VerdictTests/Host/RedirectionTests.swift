import Facts
import Policy
import Testing

@testable import Verdict

private let profile = Profile.test(refuse: ["api.test", "feed.test"], accept: ["shop.test"])

/// A host's review after a trial of `redirect/to` with these connections, in their order.
private func review(_ host: HostName = "api.test", _ connections: Observation...) -> Review {
    var script = Script(
        coldStarts: 1, attacks: [.trustedCA, .untrustedCA, "redirect"],
        variants: ["trusted-ca", "untrusted-ca", "redirect/to"])
    func visit(_ act: Act, _ attack: AttackID) {
        for host: HostName in ["api.test", "feed.test"] { script.attack(host, attack, act) }
    }
    func untouched() {
        script.start(.passthrough)
        for host: HostName in ["api.test", "feed.test", "shop.test"] { script.tunnel(host) }
        script.end()
    }
    untouched()
    for attack: AttackID in [.trustedCA, .untrustedCA] {
        script.start(attack)
        visit(.alert(46), attack)
        script.end()
    }
    script.start("redirect", variant: "to")
    for connection in connections { script.add(connection) }
    script.end()
    untouched()
    return Review(CaseFile(profile: profile, runs: [script.evidence]), host, expect: .refuse)
}

private let refusal = Script.intercepted("api.test", "redirect", variant: "to", .alert(46))

/// An accepted host's answer; the proxy's own one unless an origin gave it.
private func sentOn(from host: HostName = "shop.test", by side: Observation.Close.Side = .proxy) -> Observation {
    var seen = Script.intercepted(host, .trustedCA, .request(80))
    seen.status = 302
    seen.redirected = side == .proxy
    seen.close = .init(by: side, how: .closeNotify, ms: 25)
    return seen
}

private func sentOnInTheClear(from host: HostName) -> Observation {
    var seen = Script.plain(host)
    seen.status = 302
    seen.redirected = true
    seen.close = .init(by: .proxy, how: .fin, ms: 1)
    return seen
}

private let requirement = Requirement(attack: "redirect", variant: "to")

@Test("a refusal counts under redirect where the client had been sent there before it")
func sentThere() {
    for review in [
        review("api.test", sentOn(), refusal), review("api.test", sentOnInTheClear(from: "api.test"), refusal),
    ] {
        #expect(review.met.contains("redirect") && !review.withoutOccasion.contains(requirement))
        #expect(review.reaction(of: "openssl", to: requirement) == .refused)
    }
}

@Test("without a redirect, or before it, it is trusted-ca once more, and nobody is said to have been redirected")
func notSentThere() {
    let reviews = [
        review("api.test", refusal), review("api.test", refusal, sentOn()),
        // The origin's own, and plain HTTP to another host.
        review("api.test", sentOn(by: .origin), refusal),
        review("api.test", sentOnInTheClear(from: "feed.test"), refusal),
    ]
    for review in reviews {
        #expect(!review.met.contains("redirect") && review.withoutOccasion.contains(requirement))
        #expect(review.reaction(of: "openssl", to: requirement) == .noOccasion)
    }
    // Clients are sent to the first host that has to refuse.
    var other = refusal
    other.host = "feed.test"
    other.hello = HelloFacts(sni: "feed.test", alpn: [], stack: "openssl")
    #expect(!review("feed.test", sentOn(), other).met.contains("redirect"))
}

@Test("redirects are tried where a client asks somebody who may send it on, or where they are asked for by name")
func tried() {
    func names(_ selection: AttackSelection, _ hosts: HostName...) -> [AttackID] {
        App(visits: hosts.map { .accepting($0) } + [.pinned("api.test")]).run(profile, selection, coldStarts: 1).trials
            .map(\.id)
    }
    #expect(names(.set(.all), "shop.test").contains("redirect"))
    #expect(!names(.set(.all), "cdn.test").contains("redirect"))
    #expect(names(.list(["redirect"]), "cdn.test").contains("redirect"))
}
