import Facts
import Policy

@testable import Verdict

/// A scripted app: in each trial it visits its hosts in turn, and does to what it meets as its scripts say.
struct App {
    struct Visit {
        var host: HostName
        var stack = "openssl"
        /// What it does under an attack; nil: it does not come to this host in this trial. The form of an attack is in
        /// its name only where clients tell them apart: `cloned-identity/untrusted`.
        var under: @Sendable (AttackID, Int) -> [Act]?
        /// What it does on a connection behind one that was left alone, where that is something else.
        var behind: (@Sendable (AttackID) -> [Act])?
        /// What it does untouched, in the n-th passthrough: data, a failure, or nothing.
        var untouched: @Sendable (Int) -> Bool? = { _ in true }
        /// It comes to this host only after this one carried data, …
        var after: HostName?
        /// … and what it does to it otherwise: nothing, or what a socket opened ahead does.
        var instead: [Act] = []
        /// It comes without that where it is not attacked.
        var comesUntouched = false
        /// Connections of one cold start where nothing is in their way.
        var connections = 1
        /// The same in the n-th trial of an attack; nil: always as many.
        var opens: (@Sendable (AttackID, Int) -> Int)?
        /// What decides for it, where its checks are spelled out.
        var client: Client?
    }

    var visits: [Visit]
    /// It leaves something in the PINPROOF_STATE of an untouched start.
    var leavesState = false
    /// The same in each start under `trusted-ca`.
    var leavesStateAttacked = false
    /// Why what it leaves cannot be copied.
    var stateFault: String?

    /// The evidence that a whole run by the scheduler leaves, and the trials it was made of.
    func run(
        _ profile: Profile, _ selection: AttackSelection = .set(.standard), coldStarts: Int = 3,
        controls: [RunEvidence] = [], followUps: Int = Scheduler.followUpLimit
    ) -> (evidence: RunEvidence, trials: [Trial]) {
        let attacks = selection.attacks
        var script = Script(
            coldStarts: coldStarts, attacks: attacks.map(\.id),
            variants: attacks.flatMap { attack in attack.variants.map(attack.name(of:)) })
        var scheduler = Scheduler(
            profile: profile, attacks: attacks, coldStarts: coldStarts, named: selection.named, controls: controls)
        scheduler.limit = followUps
        var trials: [Trial] = []
        while let trial = scheduler.next(evidence: script.evidence) {
            trials.append(trial)
            script.start(trial)
            let failed = play(trial, profile, &script, trials.filter { $0 == trial }.count)
            script.end(
                exit: failed ? 1 : 0,
                leftState: trial == .passthrough ? leavesState : leavesStateAttacked && trial.id == .trustedCA,
                stateFault: trial == .passthrough && leavesState ? stateFault : nil)
        }
        script.finish()
        return (script.evidence, trials)
    }

    func judge(
        _ profile: Profile, _ selection: AttackSelection = .set(.standard), coldStarts: Int = 3,
        controls: [RunEvidence] = []
    ) -> Judgement {
        let evidence = run(profile, selection, coldStarts: coldStarts, controls: controls).evidence
        return Judge.judge(profile: profile, runs: [evidence], controlsFrom: controls)
    }

    /// Whether the app had something to complain of.
    @discardableResult
    func play(_ trial: Trial, _ profile: Profile, _ script: inout Script, _ nth: Int) -> Bool {
        var working: Set<HostName> = []
        var spared: Set<HostName> = []
        var failed = false
        var opened: [HostName: Int] = [:]
        let plan = Plan(profile: profile, phase: trial.phase)
        for visit in visits {
            guard plan.reaches(visit.host) else {
                failed = true
                continue
            }
            // What was left alone carried data, and lets the same host's next one come.
            let isOpen =
                visit.after.map { working.contains($0) || $0 == visit.host && spared.contains($0) } ?? true
            var decision = plan.decide(visit.host)
            // What begins with TLS is left alone.
            if case .intercept(_, let variant) = decision, variant.conduct.denialOfTLS != nil { decision = .tunnel }
            let connections = visit.opens?(trial.id, nth) ?? visit.connections
            if let client = visit.client {
                guard isOpen else { continue }
                let isDone = client.visit(visit.host, visit.stack, decision, &script)
                if isDone { working.insert(visit.host) } else { failed = true }
                continue
            }
            switch decision {
            case .tunnel:
                guard isOpen || visit.comesUntouched, let data = visit.untouched(nth) else { continue }
                for _ in 0..<connections { script.tunnel(visit.host, stack: visit.stack, data: data) }
                if data { working.insert(visit.host) }
            case .intercept(let attack, let variant):
                let isUntrusted = attack.id == "cloned-identity" && variant.name == "untrusted"
                let named: AttackID =
                    isUntrusted
                    ? "cloned-identity/untrusted"
                    : variant.conduct.continuesState ? AttackID(attack.name(of: variant)) : attack.id
                let behind = trial.sparedFirst > 0 ? visit.behind : nil
                guard let acts = isOpen ? behind?(named) ?? visit.under(named, nth) : visit.instead else { continue }
                // Where some of a host's connections are attacked, each goes by its place, whichever stack opens it.
                let places: ClosedRange<Int>? =
                    switch variant.conduct.onset {
                    case .afterConnections(let first): first + 1...Int.max
                    case .only(let place): place...place
                    default: nil
                    }
                for _ in 0..<(places == nil ? 1 : max(1, connections)) {
                    opened[visit.host, default: 0] += 1
                    if let places, !places.contains(opened[visit.host, default: 0]) {
                        script.tunnel(visit.host, stack: visit.stack)
                        spared.insert(visit.host)
                        continue
                    }
                    for act in acts {
                        script.attack(visit.host, attack.id, variant: variant.name, stack: visit.stack, act)
                        if case .request = act { working.insert(visit.host) }
                    }
                }
            }
        }
        return failed
    }
}

extension AttackID {
    /// Attacks in which a trusted chain for the right name is presented, over TLS as usual.
    var isTrustedChain: Bool {
        [
            .trustedCA, "trusted-ca/second-start", "trusted-ca/after-refusal", "smuggled-chain", "cloned-identity",
            "silent-server",
            "later-connection", "resumed-session", "redirect",
        ].contains(self)
    }
}

extension App.Visit {
    /// An unpinned visit that trusts the CA and checks the rest.
    static func accepting(_ host: HostName, stack: String = "openssl") -> App.Visit {
        App.Visit(host: host, stack: stack) { attack, _ in
            attack.isTrustedChain ? [.request(96)] : [.alert(48)]
        }
    }

    /// Refuses what is trusted in one way, what is not in another.
    static func pinned(
        _ host: HostName, stack: String = "openssl", trusted: [Act] = [.post(.closeNotify)],
        untrusted: [Act] = [.alert(48, .rst)]
    ) -> App.Visit {
        App.Visit(host: host, stack: stack) { attack, _ in
            switch attack {
            case _ where attack.isTrustedChain || attack == "other-host": trusted
            case "wrong-key": [.alert(51)]
            case "expired", "not-yet-valid":
                untrusted.map { if case .alert(_, let how) = $0 { .alert(45, how) } else { $0 } }
            default: untrusted
            }
        }
    }

    /// Does the same whatever it meets.
    static func always(_ host: HostName, stack: String = "openssl", _ acts: Act...) -> App.Visit {
        App.Visit(host: host, stack: stack) { _, _ in acts }
    }
}
