import Facts
import Policy
import Report
import Support
import Testing

@testable import Verdict

// Apps whose visits to one host hang on what another one did: what closes behind that one's refusal is not always an
// answer to what it was shown.

/// An app as one function, which plays a start and says whether the app had something to complain of.
private struct Journey {
    var leavesState = false
    var play: (inout Start) -> Bool

    struct Start {
        let trial: Trial
        let plan: Plan
        let number: Int
        var script: Script
        private var places: [HostName: Int] = [:]

        init(trial: Trial, plan: Plan, number: Int, script: Script) {
            (self.trial, self.plan, self.number, self.script) = (trial, plan, number, script)
        }

        /// One connection more to the host; whether it got on.
        ///
        /// - Parameter bytes: what is sent where nothing is in the way.
        mutating func visit(
            _ host: HostName, stack: String = "openssl", bytes: Int? = nil, _ answer: (Attack, Attack.Variant) -> Act
        ) -> Bool {
            guard plan.reaches(host) else { return false }
            let place = places[host, default: 0]
            places[host] = place + 1
            guard case .intercept(let attack, let variant) = plan.decide(host), !isSpared(variant, place) else {
                var seen = Script.tunnelled(host, stack: stack)
                if let bytes { seen.bytesUp = bytes }
                script.add(seen)
                return true
            }
            let act = answer(attack, variant)
            script.attack(host, attack.id, variant: variant.name, stack: stack, act)
            if case .request = act { return true }
            return false
        }

        private func isSpared(_ variant: Attack.Variant, _ place: Int) -> Bool {
            if trial.sparedFirst > 0 { return place < trial.sparedFirst }
            return switch variant.conduct.onset {
            case .afterConnections(let first): place < first
            case .only(let attacked): place != attacked - 1
            default: false
            }
        }
    }

    func run(_ profile: Profile, coldStarts: Int, retries: Int = 0) -> (judgement: Judgement, starts: Int) {
        let attacks = AttackSelection.set(.standard).attacks
        var script = Script(
            coldStarts: coldStarts, attacks: attacks.map(\.id),
            variants: attacks.flatMap { attack in attack.variants.map(attack.name(of:)) })
        var scheduler = Scheduler(
            profile: profile, attacks: attacks, coldStarts: coldStarts, terms: Terms(retries: retries))
        var number = 0
        while let trial = scheduler.next(evidence: script.evidence) {
            number += 1
            script.start(trial, retryOf: scheduler.isRetry ? number - 1 : nil)
            var start = Start(
                trial: trial, plan: Plan(profile: profile, phase: trial.phase), number: number, script: script)
            let failed = play(&start)
            script = start.script
            script.end(exit: failed ? 1 : 0, leftState: leavesState)
        }
        script.finish()
        return (Judge.judge(profile: profile, runs: [script.evidence]), number)
    }
}

/// Pins a key, and looks at it after the handshake.
private func sound(_ attack: Attack, _ variant: Attack.Variant) -> Act {
    switch attack.id {
    case _ where attack.id.isTrustedChain: variant.name == "untrusted" ? .alert(48) : .post(.closeNotify)
    case "wrong-key": .alert(51)
    case "expired", "not-yet-valid": .alert(45)
    default: .alert(48)
    }
}

/// Pins names, which a copy of the genuine identity has as well.
private func weak(_ attack: Attack, _ variant: Attack.Variant) -> Act {
    attack.id == "cloned-identity" && variant.name != "untrusted" ? .request(96) : sound(attack, variant)
}

/// Trusts whom the system trusts.
private func unpinned(_ attack: Attack, _ variant: Attack.Variant) -> Act {
    if case .post = sound(attack, variant) { .request(96) } else { sound(attack, variant) }
}

private let profile = Profile.test(refuse: ["api.test", "feed.test"])

private func verdict(_ coldStarts: Int, _ journey: Journey) throws -> VerdictWord {
    try journey.run(profile, coldStarts: coldStarts).judgement.host("feed.test").verdict
}

@Test("a client that comes to a host only where another one let the user in is met", arguments: [1, 3], [false, true])
func signedIn(coldStarts: Int, endsAtRefusal: Bool) throws {
    let journey = Journey { start in
        _ = start.visit("cdn.test", unpinned)
        let isIn = start.visit("api.test", sound)
        if isIn, !start.visit("feed.test", weak), endsAtRefusal { return true }
        return !start.visit("feed.test", sound)
    }
    #expect(try verdict(coldStarts, journey) == .notPinned)
}

@Test("one that asks for less as a guest is no proof of what it does once the user is in", arguments: [1, 3])
func guest(coldStarts: Int) throws {
    let journey = Journey { start in
        _ = start.visit("cdn.test", unpinned)
        let isIn = start.visit("api.test", sound)
        // The token makes the request longer.
        return !start.visit("feed.test", bytes: isIn ? 900 : 740, isIn ? weak : sound)
    }
    #expect(try verdict(coldStarts, journey) == .notPinned)
}

@Test("what a start does that goes on from a refusal is not known from others", arguments: [1, 3])
func afterRefusal(coldStarts: Int) throws {
    let journey = Journey(leavesState: true) { start in
        let isAgain = start.trial.variant?.name == "after-refusal"
        _ = start.visit("cdn.test", unpinned)
        let isIn = start.visit("api.test", sound)
        if isAgain, !isIn { return !start.visit("feed.test") { _, _ in .post(.fin) } }
        return !start.visit("feed.test", isAgain ? unpinned : sound)
    }
    #expect(try verdict(coldStarts, journey) == .notPinned)
}

@Test("a later connection that has nothing to do any more is no refusal", arguments: [1, 3], 0..<6)
func upload(coldStarts: Int, seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let journey = Journey { start in
        _ = start.visit("cdn.test", unpinned)
        let isIn = start.visit("api.test", sound)
        var hasWork = isIn && (seed == 0 || Int.random(in: 0..<10, using: &random) < 7)
        var isBroken = false
        if hasWork {
            hasWork = start.visit("api.test", sound)
            isBroken = !hasWork
        }
        guard start.visit("feed.test", sound) else { return true }
        if isBroken { _ = start.visit("feed.test") { _, _ in .post(.fin) } }
        return hasWork ? !start.visit("feed.test", unpinned) : isBroken
    }
    #expect(try verdict(coldStarts, journey) != .provenPinned)
}

@Test(
    "a stack that comes only where another host was used is met alone, and proven", arguments: [1, 3], [false, true])
func otherStack(coldStarts: Int, isWeak: Bool) throws {
    let journey = Journey { start in
        for stack in ["openssl", "boring"] { _ = start.visit("cdn.test", stack: stack, unpinned) }
        let isIn = start.visit("api.test", sound)
        let isFirst = !isIn || start.visit("feed.test", stack: "boring", isWeak ? weak : sound)
        return !(start.visit("feed.test", sound) && isFirst)
    }
    #expect(try verdict(coldStarts, journey) == (isWeak ? .notPinned : .provenPinned))
}

@Test("one start in which a host does not go on speaks against all in which it does")
func contradicted() throws {
    let three = Profile.test(refuse: ["api.test", "feed.test", "img.test"])
    let journey = Journey { start in
        _ = start.visit("cdn.test", unpinned)
        let isIn = start.visit("api.test", sound)
        let isFed = start.visit("feed.test", sound)
        // It goes on where both have failed, but for some failures.
        let isCalledOff = !isFed && (isIn || start.trial.id == "cloned-identity")
        if isCalledOff, case .tunnel = start.plan.decide("img.test") { return true }
        return !start.visit("img.test") { isCalledOff ? .post(.fin) : weak($0, $1) }
    }
    #expect(try journey.run(three, coldStarts: 3).judgement.host("img.test").verdict == .notPinned)
}

@Test("sizes of any magnitude and sign are compared", arguments: [Int.min, -1, 0, .max])
func sizes(bytes: Int) {
    let journey = Journey { start in
        _ = start.visit("cdn.test", unpinned)
        _ = start.visit("api.test", sound)
        return !start.visit("feed.test", bytes: start.number % 2 == 0 ? bytes : 700, sound)
    }
    #expect(journey.run(profile, coldStarts: 1).judgement.hosts.count == 2)
}

@Test("what a host did behind three others says nothing of what it does behind two", arguments: [1, 3])
func fewerHosts(coldStarts: Int) throws {
    let four = Profile.test(refuse: ["api.test", "feed.test", "img.test", "news.test"])
    // Signed in, and two failures: it gives up. Without that it is offline, and tries everything.
    let journey = Journey { start in
        _ = start.visit("cdn.test", unpinned)
        let isIn = start.visit("api.test", weak)
        let isFed = start.visit("feed.test", sound)
        let isShown = start.visit("img.test", sound)
        let isCalledOff = isIn && !isFed && !isShown
        if isCalledOff, case .tunnel = start.plan.decide("news.test") { return true }
        return !start.visit("news.test") { isCalledOff ? .post(.fin) : weak($0, $1) }
    }
    #expect(try journey.run(four, coldStarts: coldStarts).judgement.host("news.test").verdict == .notPinned)
}

@Test("one first start as a guest does not make a guest's requests usual", arguments: [1, 3])
func firstAsGuest(coldStarts: Int) throws {
    let journey = Journey { start in
        _ = start.visit("cdn.test", unpinned)
        let isIn = start.visit("api.test", sound)
        return !start.visit("feed.test", bytes: !isIn ? 740 : start.number == 1 ? 700 : 900, isIn ? weak : sound)
    }
    #expect(try verdict(coldStarts, journey) != .provenPinned)
}

@Test("an app that tries again a thousand times is judged in seconds")
func retryStorm() throws {
    let journey = Journey { start in
        _ = start.visit("cdn.test", unpinned)
        let count = start.trial == .coldStart ? 1_500 : 1
        for host: HostName in ["api.test", "feed.test"] {
            for _ in 0..<count where !start.visit(host, sound) {}
        }
        return false
    }
    let began = ContinuousClock.now
    #expect(try verdict(1, journey) == .provenPinned)
    // Quadratic it was minutes.
    #expect(ContinuousClock.now - began < .seconds(60))
}

@Test("starts that show company and never end are not run for ever")
func interruptedCompany() throws {
    let attacks = AttackSelection.set(.standard).attacks
    var script = Script(coldStarts: 3, attacks: attacks.map(\.id))
    var scheduler = Scheduler(profile: profile, attacks: attacks, coldStarts: 3)
    var starts = 0
    while starts < 400, let trial = scheduler.next(evidence: script.evidence) {
        starts += 1
        script.start(trial)
        var start = Journey.Start(
            trial: trial, plan: Plan(profile: profile, phase: trial.phase), number: starts, script: script)
        for host: HostName in ["cdn.test", "api.test", "feed.test"] {
            _ = start.visit(host, host == "cdn.test" ? unpinned : sound)
        }
        script = start.script
        script.end(exit: 0, interrupted: !trial.only.isEmpty)
    }
    #expect(starts < 400)
}

@Test("a start that breaks off on the way costs a start, and no proof", arguments: [1, 3], 1...26)
func brokenOff(coldStarts: Int, at broken: Int) throws {
    let three = Profile.test(refuse: ["api.test", "feed.test", "img.test"])
    for place in 1...2 {
        let journey = Journey(leavesState: false) { start in
            _ = start.visit("cdn.test", unpinned)
            _ = start.visit("api.test", sound)
            if start.number == broken, place == 1 { return true }
            _ = start.visit("feed.test", sound)
            if start.number == broken { return true }
            _ = start.visit("img.test", sound)
            return false
        }
        let (judgement, starts) = journey.run(three, coldStarts: coldStarts, retries: 2)
        #expect(judgement.result == .pass, "\(place): \(judgement.hosts.map(\.missingNames))")
        #expect(starts <= 45, "\(place)")
    }
}
