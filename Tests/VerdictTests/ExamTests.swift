import Facts
import Policy
import Report
import Testing

@testable import Verdict

// Real clients, by what they were measured to do on the wire, under the conditions a team meets them in.

/// One client on one TLS version: what it does to a forged chain by what is wrong with it.
struct Measured: CustomTestStringConvertible {
    let name: String
    let version: TLSVersion
    /// Pinned, and the CA is trusted.
    let pinnedTrusted: [Act]
    /// Pinned, and the CA is not trusted.
    let pinnedUntrusted: [Act]
    /// Unpinned, and the CA is not trusted.
    let unpinnedUntrusted: [Act]
    /// The differential tells the trusted CA from another one.
    let differs: Bool

    var testDescription: String { "\(name) \(version)" }

    static let all: [Measured] = [TLSVersion.tls12, .tls13].flatMap { version -> [Measured] in
        func client(_ name: String, _ a: Act, _ b: Act, _ c: Act, count: Int = 1, differs: Bool = false) -> Measured {
            let many = { (act: Act) in Array(repeating: act, count: count) }
            return Measured(
                name: name, version: version, pinnedTrusted: many(a), pinnedUntrusted: many(b),
                unpinnedUntrusted: many(c), differs: differs)
        }
        let is13 = version == .tls13
        let unknownCA = Act.alert(48, .rst)
        let politely = Act.post(.closeNotify, says90: is13)
        let node: Act = is13 ? .silent() : .post()
        return [
            client("curl", .post(.closeNotify), unknownCA, unknownCA, differs: true),
            client("gnutls-cli", .alert(42), .alert(42), .alert(42)),
            client("go", .alert(42), .alert(42), .alert(42)),
            client("java-httpclient", .silent(), .silent(), .silent()),
            client("java-huc-keystore", .alert(46), .alert(46), .alert(46)),
            client("java-huc-postcheck", politely, .alert(46), .alert(46), differs: true),
            client("java-okhttp", politely, .alert(46), .alert(46), differs: true),
            client("node", node, node, node),
            client("php", .post(.closeNotify), unknownCA, unknownCA, differs: true),
            client("py-aiohttp", .post(is13 ? .rst : .closeNotify), .post(.closeNotify), .silent()),
            client("py-curl-cffi", .post(), .post(.rst), .post(.rst)),
            client("py-requests", .post(is13 ? .rst : .fin), unknownCA, unknownCA, differs: true),
            client("ruby", .alert(42, .rst), unknownCA, unknownCA),
            client("swift-ahc", .alert(48), .alert(48), .alert(48), count: 15),
            client("swift-niossl", .alert(46), .alert(48), .alert(48)),
            client("wget", .post(is13 ? .rst : .fin), .post(is13 ? .rst : .fin), .post(is13 ? .rst : .fin)),
        ]
    }

    func pinned(_ host: HostName, trusts: Bool) -> App.Visit {
        trusts
            ? .pinned(host, trusted: pinnedTrusted, untrusted: pinnedUntrusted)
            : .pinned(host, trusted: pinnedUntrusted, untrusted: pinnedUntrusted)
    }

    func unpinned(_ host: HostName, trusts: Bool) -> App.Visit {
        App.Visit(host: host) { attack, _ in
            trusts && attack.isTrustedChain ? [.request(96)] : unpinnedUntrusted
        }
    }
}

private let profile = Profile.test()

@Test("a: pinned, trusted, with a control host before or after: proven by it", arguments: Measured.all)
func examA(client: Measured) throws {
    for order in [false, true] {
        for coldStarts in [1, 3] {
            let visits = [client.unpinned("cdn.test", trusts: true), client.pinned("api.test", trusts: true)]
            let judgement = App(visits: order ? visits : visits.reversed()).judge(profile, coldStarts: coldStarts)
            let verdict = try judgement.host("api.test")
            #expect(verdict.verdict == .provenPinned, "\(verdict.why)")
            #expect(verdict.strength == .s2a)
            #expect(verdict.coldStarts == coldStarts)
            #expect(judgement.result.exitStatus == 0)
        }
    }
}

@Test("b: unpinned and trusted: not pinned", arguments: Measured.all)
func examB(client: Measured) throws {
    let judgement = App(visits: [client.unpinned("api.test", trusts: true)]).judge(profile, .set(.quick))
    #expect(try judgement.host("api.test").verdict == .notPinned)
    #expect(try judgement.host("api.test").subtype == .plain)
    #expect(judgement.result.exitStatus == 1)
}

@Test(
    "c, d: pinned or not, with the CA not trusted: unproven, and the control is what is missing",
    arguments: Measured.all)
func examCD(client: Measured) throws {
    for visit in [client.pinned("api.test", trusts: false), client.unpinned("api.test", trusts: false)] {
        for order in [false, true] {
            let visits = [client.unpinned("cdn.test", trusts: false), visit]
            let judgement = App(visits: order ? visits : visits.reversed()).judge(profile)
            let verdict = try judgement.host("api.test")
            #expect(verdict.verdict == .refusedUnproven, "\(verdict.why)")
            #expect(verdict.missing.first == .trustControl)
            #expect(judgement.result.exitStatus == 2)
        }
    }
}

@Test(
    "e: pinned, trusted, no control host: proven by the differential where there is one, and the profile vouches for it",
    arguments: Measured.all)
func examE(client: Measured) throws {
    let app = App(visits: [client.pinned("api.test", trusts: true)])
    let unexplained = try app.judge(profile).host("api.test")
    #expect(unexplained.verdict == .refusedUnproven)
    #expect(unexplained.missing == [.trustControl])
    #expect(unexplained.has("refusal-unexplained") == client.differs)
    let profile = Profile.test(onlyPins: true)
    let verdict = try app.judge(profile).host("api.test")
    #expect(verdict.verdict == (client.differs ? .provenPinned : .refusedUnproven), "\(verdict.why)")
    #expect(verdict.strength == (client.differs ? .s2c : nil))
    #expect(verdict.missing == (client.differs ? [] : [.trustControl]))
    // One cold start is no repetition.
    let once = try app.judge(profile, coldStarts: 1).host("api.test")
    #expect(once.verdict == .refusedUnproven)
    #expect(once.missing == [.trustControl])
    #expect(once.has("differential-not-repeated") == client.differs)
}

@Test("f: nobody asks for the host: not exercised", arguments: Measured.all)
func examF(client: Measured) throws {
    let judgement = App(visits: [client.unpinned("cdn.test", trusts: true)]).judge(profile, .set(.quick))
    #expect(try judgement.host("api.test").verdict == .notExercised)
    #expect(judgement.result.exitStatus == 2)
}

@Test("g: broken even untouched: an invalid environment", arguments: Measured.all)
func examG(client: Measured) throws {
    var visit = client.pinned("api.test", trusts: true)
    visit.untouched = { _ in false }
    let judgement = App(visits: [client.unpinned("cdn.test", trusts: true), visit]).judge(profile, .set(.quick))
    #expect(try judgement.host("api.test").verdict == .invalidEnvironment)
    #expect(judgement.result.exitStatus == 3)
}

@Test("h, i: expected to accept: unpinned does, pinned does not", arguments: Measured.all)
func examHI(client: Measured) throws {
    let profile = Profile.test(refuse: [], accept: ["api.test"], controls: [])
    let accepting = App(visits: [client.unpinned("api.test", trusts: true)]).judge(profile, .set(.quick))
    #expect(try accepting.host("api.test").verdict == .accepted)
    #expect(accepting.result.exitStatus == 0)
    let refusing = App(visits: [client.pinned("api.test", trusts: true)]).judge(profile, .set(.quick))
    #expect(try refusing.host("api.test").verdict == .refused)
    #expect(refusing.result.exitStatus == 1)
}

@Test("c under smuggled-chain: a client that finds its pin in the presented list is got around")
func smuggled() throws {
    // Chromium's key exception matches any key of the presented chain, trusted or not.
    let app = App(visits: [
        App.Visit(host: "api.test") { attack, _ in
            attack == "smuggled-chain" ? [.request(80), .post()] : [.alert(46), .alert(46)]
        }
    ])
    let judgement = app.judge(profile)
    #expect(try judgement.host("api.test").verdict == .notPinned)
    #expect(try judgement.host("api.test").subtype == .bypass)
}
