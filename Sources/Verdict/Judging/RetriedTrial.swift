import Facts

/// A cold start that told nothing, and was run again.
package struct RetriedTrial: Hashable, Sendable {
    /// Its number within its run.
    package var trial: Int
    package var attack: AttackID
    package var variant: String?
    /// Hosts that were to be attacked alone; empty: all.
    package var only: [HostName]
    /// How COMMAND ended; nil where the evidence does not say.
    package var end: TrialEnd?

    package init(trial: Int, attack: AttackID, variant: String? = nil, only: [HostName] = [], end: TrialEnd? = nil) {
        self.trial = trial
        self.attack = attack
        self.variant = variant
        self.only = only
        self.end = end
    }
}

extension CaseFile {
    /// By run, then by number.
    var retried: [RetriedTrial] {
        trials.filter { starts.wasRetried($0.key) }.map { trial in
            RetriedTrial(
                trial: trial.key.number, attack: trial.attack, variant: trial.variant, only: trial.only.sorted(),
                end: trial.end)
        }
    }
}
