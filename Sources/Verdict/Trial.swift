import Facts
import Policy

/// One trial to come: one run of COMMAND, or one phase.
public struct Trial: Hashable, Sendable {
    /// nil: passthrough.
    public var attack: Attack?
    public var variant: Attack.Variant?
    /// Hosts attacked alone, the others tunnelled; empty: every `refuse` host is attacked.
    public var only: Set<HostName>

    public static let passthrough = Trial(attack: nil, variant: nil, only: [])

    public init(attack: Attack?, variant: Attack.Variant?, only: Set<HostName> = []) {
        self.attack = attack
        self.variant = variant
        self.only = only
    }

    public var id: AttackID { attack?.id ?? .passthrough }

    public var phase: Plan.Phase {
        guard let attack, let variant else { return .passthrough }
        return .attack(attack, variant, only: only)
    }

    /// The line of evidence that begins it.
    public func start(number: Int, at: Double) -> TrialStart {
        TrialStart(trial: number, attack: id, variant: variant?.name, only: only.sorted(), at: at)
    }

    static func all(of attack: Attack, only: Set<HostName> = []) -> [Trial] {
        attack.variants.map { Trial(attack: attack, variant: $0, only: only) }
    }
}
