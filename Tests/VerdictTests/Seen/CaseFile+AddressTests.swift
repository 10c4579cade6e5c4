import Facts
import Policy
import Testing

@testable import Verdict

/// The run that proves, with a connection that names no host in each of the given trials.
private func edited(_ address: HostName, in attack: AttackID, _ act: Act? = nil) -> Edited {
    var run = Edited()
    for number in run.numbers(attack) {
        guard
            let index = run.records.firstIndex(where: {
                if let seen = $0.observation { seen.trial == number } else { false }
            }),
            let beside = run.records[index].observation
        else { continue }
        var seen = act.map { Script.intercepted("api.test", attack, $0) } ?? Script.tunnelled(address)
        seen.target = Endpoint(address, 443)
        seen.hello?.sni = nil
        (seen.trial, seen.at) = (number, beside.at + 0.1)
        run.records.insert(.connection(seen), at: index + 1)
    }
    return run
}

@Test("data that goes untouched to where an attacked host lives is in the way of its proof")
func untouchedByAddress() throws {
    var profile = Profile.test()
    profile.resolve["api.test"] = Destination("192.0.2.7", nil)
    try edited("192.0.2.7", in: .trustedCA).lacks(.hostIdentity, profile: profile)
    #expect(try edited("192.0.2.8", in: .trustedCA).verdict(profile).verdict == .provenPinned)
    #expect(try edited("192.0.2.7", in: .trustedCA).verdict().verdict == .provenPinned)
    // What a client does only once the host has answered is never seen while that is attacked.
    try edited("192.0.2.7", in: .passthrough).lacks(.hostIdentity, profile: profile)
    #expect(try edited("192.0.2.8", in: .passthrough).verdict(profile).verdict == .provenPinned)
    var called = edited("192.0.2.9", in: .trustedCA)
    called.edit("api.test", in: called.numbers(.trustedCA)) { $0.upstream?.address = Endpoint("192.0.2.9", 443) }
    try called.lacks(.hostIdentity)
    // One that was found for the name, and not called, is the host's as well.
    var found = edited("192.0.2.10", in: .trustedCA)
    found.edit("api.test", in: found.numbers(.passthrough)) {
        $0.foundAt = [Endpoint("192.0.2.9", 443), Endpoint("192.0.2.10", 443)]
    }
    try found.lacks(.hostIdentity)
}

@Test("clear text to an address of the host, more than untouched, is in the way of its proof")
func clearTextByAddress() throws {
    var profile = Profile.test()
    profile.resolve["api.test"] = Destination("192.0.2.7", nil)
    func clear(in attacks: AttackID...) -> Edited {
        var run = edited("192.0.2.7", in: attacks[0])
        let after = attacks.dropFirst().map { edited("192.0.2.7", in: $0) }
        for other in after {
            for seen in other.records.compactMap(\.observation) where seen.host == "192.0.2.7" {
                guard
                    let end = run.records.lastIndex(where: {
                        if let one = $0.observation { one.trial == seen.trial } else { false }
                    })
                else { continue }
                run.records.insert(.connection(seen), at: end + 1)
            }
        }
        run.edit("192.0.2.7", in: Array(run.trials.keys)) { seen in
            (seen.hello, seen.passthroughData, seen.bytesUp) = (nil, false, 90)
        }
        return run
    }
    try clear(in: .trustedCA).lacks(.hostIdentity, profile: profile)
    // At another port as well.
    var elsewhere = clear(in: .trustedCA)
    elsewhere.edit("192.0.2.7", in: Array(elsewhere.trials.keys)) { $0.target = Endpoint("192.0.2.7", 9000) }
    try elsewhere.lacks(.hostIdentity, profile: profile)
    // What is always said there is no fallback; and elsewhere it is nobody's.
    #expect(try clear(in: .trustedCA, .passthrough).verdict(profile).verdict == .provenPinned)
    #expect(try clear(in: .trustedCA).verdict().verdict == .provenPinned)
}

@Test("a tunnel that was asked for by the host's name, under the name of one that is never touched, is in the way")
func frontedThroughTunnelHost() throws {
    var profile = Profile.test()
    profile.rules.append(HostRule(pattern: HostPattern(exactly: "files.test"), expect: .tunnel))
    var run = edited("files.test", in: .trustedCA)
    #expect(try run.verdict(profile).verdict == .provenPinned)
    run.edit("files.test", in: run.numbers(.trustedCA)) { $0.target = Endpoint("api.test", 443) }
    try run.lacks(.hostIdentity, profile: profile)
}

@Test("what is attacked by its address is a witness like any other, and its refusal proves nothing more")
func attackedByAddress() throws {
    #expect(try edited("192.0.2.7", in: .trustedCA, .request(80)).verdict().verdict == .notPinned)
    #expect(try edited("192.0.2.7", in: .trustedCA, .alert(48)).verdict().verdict == .provenPinned)
}

@Test("data to an address of the host alone, under a name that nobody reads, is told, and is no accusation")
func byAddressUnderAnotherName() throws {
    let undeclared: HostName = "files.test"
    var run = edited(undeclared, in: .trustedCA)
    let home = Endpoint("192.0.2.9", 443)
    run.edit(undeclared, in: run.numbers(.trustedCA)) {
        $0.target = home
        $0.hello?.sni = undeclared
    }
    #expect(try !run.verdict().has("asked-under-another-name"))
    run.edit("api.test", in: run.numbers(.trustedCA)) { $0.upstream?.address = home }
    let verdict = try run.verdict()
    #expect(verdict.verdict == .provenPinned)
    let finding = try #require(verdict.findings.first { $0.id == "asked-under-another-name" })
    #expect(finding.severity == .warning)
    #expect(finding.fact == .leak(.addressUnder([undeclared])))
    // A delivery network's address is somebody else's too.
    run.edit("cdn.test", in: run.numbers(.trustedCA)) { $0.upstream?.address = home }
    #expect(try !run.verdict().has("asked-under-another-name"))
}

@Test(
    "untouched data on a tunnel that was asked for by the host's name is the host's, whatever name its hello says",
    arguments: ["files.test", "cdn.test"] as [HostName])
func frontedOnceItAnswered(named: HostName) throws {
    var run = edited(named, in: .passthrough)
    let target = Endpoint("192.0.2.50", 443)
    run.edit(named, in: run.numbers(.passthrough)) { if $0.target?.host == named { $0.target = target } }
    #expect(try run.verdict().verdict == .provenPinned)
    run.edit(named, in: run.numbers(.passthrough)) {
        if $0.target == target { $0.target = Endpoint("api.test", 443) }
    }
    try run.lacks(.hostIdentity)
}
