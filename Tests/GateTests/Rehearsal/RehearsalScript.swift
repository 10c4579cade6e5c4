import Facts
import Policy
import Support
import Verdict

@testable import Gate

/// The evidence of a made-up rehearsal, start by start.
struct RehearsalScript {
    /// How a connection ends.
    enum End {
        case request, late, alert(UInt8), nothing, careless
    }

    private(set) var records: [EvidenceRecord] = []
    private var trial = 0

    var record: RehearsalRecord { RehearsalRecord(records) }

    mutating func start(_ phase: Plan.Phase, interrupted: Bool = false, _ seen: [Observation]) {
        trial += 1
        var start = TrialStart(trial: trial, attack: .passthrough, variant: nil, only: [], at: 0)
        if case .attack(let attack, let variant, let only) = phase {
            (start.attack, start.variant, start.only) = (attack.id, variant.name, only.sorted())
        }
        records.append(.trialStarted(start))
        for var one in seen {
            one.trial = trial
            if one.action == .intercepted, one.attack == nil { one.attack = start.attack }
            records.append(.connection(one))
        }
        records.append(.trialEnded(TrialEnd(trial: trial, exit: 0, interrupted: interrupted, seconds: 1, at: 0)))
    }

    mutating func untouched(_ hosts: HostName..., works: Bool = true) {
        start(.passthrough, hosts.map { Self.tunnelled($0, works: works) })
    }

    mutating func step(_ step: RehearsalStep, _ end: End, beside others: [Observation] = []) {
        start(step.phase, (step.host.map { [Self.intercepted($0, end)] } ?? []) + others)
    }

    static func tunnelled(_ host: HostName, works: Bool = true) -> Observation {
        var seen = Observation()
        seen.host = host
        seen.action = .tunnelled
        seen.passthroughData = works
        return seen
    }

    static func intercepted(_ host: HostName, _ end: End, attack: AttackID? = nil) -> Observation {
        var seen = Observation()
        seen.host = host
        seen.action = .intercepted
        seen.attack = attack
        seen.negotiated = Negotiated(version: .tls13, cipher: "", alpn: nil)
        seen.upstream = Observation.Upstream(verified: true, chain: ["cc", "dd"], spki: ["leaf", "issuer", "root"])
        seen.flight = Observation.Flight(ms: 10, delivered: true)
        seen.close = Observation.Close(by: .client, how: .fin, ms: 30)
        switch end {
        case .request, .careless:
            seen.finishedMS = 20
            seen.bytesUp = 100
        case .late: seen.finishedMS = 20
        case .alert(let code):
            seen.alerts = [Alert(from: .client, level: 2, code: code, epoch: .handshake, ms: 20)]
        case .nothing:
            seen.flight = nil
            seen.close = Observation.Close(by: .gate, how: .fin, ms: 30)
        }
        return seen
    }
}
