import Facts
import Policy

@testable import Verdict

/// A scripted app: in each trial it visits its hosts in turn, and does to what it meets as its scripts say.
struct App {
    struct Visit {
        var host: HostName
        var stack = "openssl"
        /// What it does under an attack; nil: it does not come to this host in this trial.
        var under: @Sendable (AttackID, Int) -> [Act]?
        /// What it does untouched, in the n-th passthrough: data, a failure, or nothing.
        var untouched: @Sendable (Int) -> Bool? = { _ in true }
        /// It comes to this host only after this one carried data, …
        var after: HostName?
        /// … and what it does to it otherwise: nothing, or what a socket opened ahead does.
        var instead: [Act] = []
    }

    var visits: [Visit]

    /// The evidence that a whole run by the scheduler leaves, and the trials it was made of.
    func run(
        _ profile: Profile, _ selection: AttackSelection = .set(.standard), coldStarts: Int = 3,
        controls: [RunEvidence] = [], followUps: Int = Scheduler.followUpLimit
    ) -> (evidence: RunEvidence, trials: [Trial]) {
        var script = Script(coldStarts: coldStarts, attacks: selection.attacks.map(\.id))
        var scheduler = Scheduler(
            profile: profile, attacks: selection.attacks, coldStarts: coldStarts, controls: controls)
        scheduler.limit = followUps
        var trials: [Trial] = []
        while let trial = scheduler.next(evidence: script.evidence) {
            trials.append(trial)
            script.start(trial)
            play(trial, profile, &script, trials.filter { $0 == trial }.count)
            script.end()
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

    private func play(_ trial: Trial, _ profile: Profile, _ script: inout Script, _ nth: Int) {
        var working: Set<HostName> = []
        let plan = Plan(profile: profile, phase: trial.phase)
        for visit in visits {
            let isOpen = visit.after.map(working.contains) ?? true
            switch plan.decide(visit.host) {
            case .tunnel:
                guard isOpen, let data = visit.untouched(nth) else { continue }
                script.tunnel(visit.host, stack: visit.stack, data: data)
                if data { working.insert(visit.host) }
            case .intercept(let attack, let variant):
                guard let acts = isOpen ? visit.under(attack.id, nth) : visit.instead else { continue }
                for act in acts {
                    script.attack(visit.host, attack.id, variant: variant.name, stack: visit.stack, act)
                    if case .request = act { working.insert(visit.host) }
                }
            }
        }
    }
}

extension App.Visit {
    /// An unpinned visit that trusts the CA and checks the rest.
    static func accepting(_ host: HostName, stack: String = "openssl") -> App.Visit {
        App.Visit(host: host, stack: stack) { attack, _ in
            attack == .trustedCA || attack == "smuggled-chain" ? [.request(96)] : [.alert(48)]
        }
    }

    /// Refuses what is trusted in one way, what is not in another.
    static func pinned(
        _ host: HostName, stack: String = "openssl", trusted: [Act] = [.post(.closeNotify)],
        untrusted: [Act] = [.alert(48, .rst)]
    ) -> App.Visit {
        App.Visit(host: host, stack: stack) { attack, _ in
            switch attack {
            case .trustedCA, "smuggled-chain", "other-host": trusted
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
