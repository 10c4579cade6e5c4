import Facts

/// What kept a proof from being one. `rawValue` is what `missing` of report.json holds.
package enum Missing: Hashable, Sendable {
    /// Nothing shows that the app trusts the forging CA at this host.
    case trustControl
    /// Fewer cold starts with a delivered refusal than the run asked for.
    case coldStarts
    /// No genuine traffic before, between or after the attacks.
    case passthroughBefore, passthroughBetween, passthroughAfter
    /// A stack that met the attack carried nothing in passthrough: it may be an unused socket.
    case sameStackPassthrough
    /// Connections were left open without a byte: neither accepted nor refused.
    case idleConnections
    /// Some cold starts ended in an RST without a word, others did not: it may have been a crash.
    case consistentRefusal
    /// This attack of the run never reached the host.
    case attack(AttackID)
    /// It only closed unused after another attacked host had refused: it has to be attacked alone.
    case attackedAlone
    /// SNI missing or hidden on the connection: whose refusal it was is not certain.
    case hostIdentity
    /// A finding of severity error stands, and nobody waived it.
    case finding(String)
    case run
    /// COMMAND came to nothing under attack, more often than untouched by more than chance.
    case steadyStarts
    /// The time allowed was too short for all that the run set out to try.
    case time
    /// What was tested can be debugged: it is no release build.
    case releaseBuild

    package var name: String {
        switch self {
        case .trustControl: "trust-control"
        case .coldStarts: "cold-starts"
        case .passthroughBefore: "passthrough-before"
        case .passthroughBetween: "passthrough-between"
        case .passthroughAfter: "passthrough-after"
        case .sameStackPassthrough: "same-stack-passthrough"
        case .idleConnections: "idle-connections"
        case .consistentRefusal: "consistent-refusal"
        case .attack(let id): "attack:\(id)"
        case .attackedAlone: "attacked-alone"
        case .hostIdentity: "host-identity"
        case .run: "run"
        case .steadyStarts: "steady-starts"
        case .time: "time"
        case .releaseBuild: "release-build"
        case .finding(let id): "finding:\(id)"
        }
    }
}
