import Facts
import Policy
import Testing
import Verdict

@testable import Report

@Suite struct ClaimTests {
    @Test("only a proof makes a claim")
    func onlyProofs() {
        for host in Samples.mixed.hosts { #expect((Claim(host) == nil) == (host.verdict != .provenPinned)) }
        var odd = Samples.pinned
        odd.expect = .accept
        #expect(Claim(odd) == nil)
    }

    @Test("the claim names the attacks that reached the client, and the limits name all others")
    func attacks() throws {
        let claim = try #require(Claim(Samples.pinned))
        // `wrong-key` was in the run, but its only connection ended before the chain had arrived.
        #expect(
            claim.text.contains(
                "under any attack tried (trusted-ca, untrusted-ca, expired), while it trusted our CA"))
        let untried = try #require(claim.limits.first { $0.hasPrefix("Not tried: ") })
        #expect(untried.contains("wrong-key, smuggled-chain, cloned-identity"))
        for id in AttackCatalogue.toBeRefused {
            #expect(
                claim.text.contains(id.rawValue) != untried.contains(" \(id.rawValue),")
                    || untried.hasSuffix(" \(id.rawValue)."))
        }
    }

    @Test("the limits say whether the network was watched")
    func watched() throws {
        let blind = try #require(Claim(Samples.pinned)).limits.joined(separator: " ")
        #expect(blind.contains("or QUIC.") && blind.contains("was not watched (--watch-network does)"))
        var host = Samples.pinned
        host.findings.append(Finding(id: "network-watched", severity: .note, fact: .run(.remark(""))))
        let seeing = try #require(Claim(host)).limits.joined(separator: " ")
        #expect(!seeing.contains("or QUIC.") && !seeing.contains("not watched"))
        #expect(seeing.contains("on the machine that ran the gate, and nowhere else"))
        host.findings = [Finding(id: "quic-seen", severity: .error, fact: .run(.remark("")))]
        let waived = try #require(Claim(host)).limits.joined(separator: " ")
        #expect(waived.contains("or QUIC.") && waived.contains("past the proxy is waived"))
    }

    @Test("an attack without a chain was tried where the verdict rests on it, whatever its outcome is called")
    func withoutChain() throws {
        var host = Samples.pinned
        let attack = Attack.cleartextFallback.id
        host.attacks.append(AttackTally(attack: attack, outcomes: [.early: 3], connections: 3))
        #expect(!Claim.tried(host).contains(attack))
        host.met = [.trustedCA, attack]
        #expect(Claim.tried(host).contains(attack))
        let claim = try #require(Claim(host))
        #expect(claim.text.contains(attack.rawValue))
        #expect(!claim.limits.contains { $0.hasPrefix("Not tried: ") && $0.contains(attack.rawValue) })
    }

    @Test("an outcome that shows nothing is not an attack that was tried", arguments: Outcome.allCases)
    func telling(_ outcome: Outcome) {
        var host = Samples.pinned
        host.attacks = [AttackTally(attack: .trustedCA, outcomes: [outcome: 1], connections: 1)]
        let tells: Set<Outcome> = [.data, .alert, .silent, .post, .idle]
        #expect(Claim.tried(host) == (tells.contains(outcome) ? [.trustedCA] : []))
    }

    @Test(
        "the claim says how trust was shown, and what that takes for granted",
        arguments: [
            (Strength.s3, "a pinned key that was lent", true), (.s2a, "a control host on the same TLS stack", true),
            (.s2b, "a build with the same trust anchors", true),
            (.s2c, "further under it than under an unknown one", true),
            (.privateAnchor, "private anchors alone", true),
        ])
    func strength(_ strength: Strength, _ words: String, _ assumes: Bool) throws {
        var host = Samples.pinned
        host.strength = strength
        let claim = try #require(Claim(host))
        #expect(claim.text.contains(words) && claim.text.contains(strength.rawValue))
        #expect(claim.limits.contains { $0.contains("assumes") } == assumes)
    }

    @Test("the bound is in the claim, and hooking, journeys, QUIC and the clock are not claimed")
    func limits() throws {
        let claim = try #require(Claim(Samples.pinned))
        #expect(
            claim.text.hasSuffix(
                "3 cold starts, every one refused: with 95% confidence it accepts in at most 63% of cold starts."))
        for word in ["hooking", "journeys", "QUIC", "clock", "fallback"] {
            #expect(claim.limits.contains { $0.contains(word) }, "\(word)")
        }
    }
}
