import Facts
import Policy

/// What a run's evidence comes to so far, sorted once for every question between two trials.
struct RunSoFar {
    let evidence: RunEvidence
    /// Without what told nothing and was run again: it is in nobody's way.
    let counted: RunEvidence
    /// Of `evidence`.
    let whole: CaseFile
    /// Of `counted`.
    let file: CaseFile
    /// The same by client: two clients with one connection each are no client with two.
    let shares: [CaseFile]

    init(_ profile: Profile, _ evidence: RunEvidence) {
        self.evidence = evidence
        let counted = evidence.withoutRetried
        let whole = CaseFile(profile: profile, runs: [evidence])
        let isWhole = counted.records.count == evidence.records.count
        let file = isWhole ? whole : CaseFile(profile: profile, runs: [counted])
        self.counted = counted
        self.whole = whole
        self.file = file
        shares = Attribution(profile: profile, runs: [counted]).shares(controls: []).map { share in
            share.client == nil ? file : CaseFile(profile: profile, runs: share.runs)
        }
    }

    /// Every host that has to refuse and was seen has sent data under plain `trusted-ca`: it is not pinned, whatever else
    /// comes.
    var haveAllFailed: Bool {
        !shares.isEmpty
            && shares.allSatisfy { file in
                let attacked = file.hosts.filter { file.profile.role(of: $0) == .refuse }
                return !attacked.isEmpty && attacked.allSatisfy { Self.hasFailed($0, in: file) }
            }
    }

    private static func hasFailed(_ host: HostName, in file: CaseFile) -> Bool {
        file.trials.contains { trial in
            trial.attack == .trustedCA && trial.variant == nil && trial.sparedFirst == 0
                && (trial.sightings[host] ?? []).contains { $0.isWitness && $0.isTrust }
        }
    }

    /// Of the first client that some are open for.
    var company: CompanyStarts? { shares.lazy.map { CompanyStarts($0) }.first { !$0.open.isEmpty } }

    /// Each host that has to refuse was seen to work since the last start under plain `trusted-ca`, though never all in one start.
    var areAllSeenOpen: Bool {
        shares.allSatisfy { file in
            let since = file.trials.drop { trial in
                file.trials.contains { $0.isPlainColdStart && trial.key <= $0.key }
            }
            return file.required.allSatisfy { host in
                since.contains { $0.isComplete && $0.sightings[host]?.contains(where: \.carriedGenuineData) ?? false }
            }
        }
    }

    /// A required host failed untouched.
    var hasFailedUntouched: Bool {
        shares.contains { file in
            file.required.contains { Review(file, $0, expect: .refuse).untouched.contains(where: \.hasFailed) }
        }
    }

    /// A required host was asked for, however little of that came, and carried no data.
    var wasAskedInVain: Bool {
        shares.contains { file in
            file.required.contains { host in
                !file.trials.contains { $0.sightings[host]?.contains(where: \.carriedGenuineData) ?? false }
            }
        }
    }

    /// COMMAND failed in the first start, before it came to a host that the profile names and requires: nobody knows yet how
    /// it ends where all goes well.
    var didFirstBreakOff: Bool {
        guard let first = whole.trials.first, first.isPassthrough, let end = first.end,
            end.timedOut || end.signal != nil || end.exit.map({ $0 != 0 }) ?? false
        else { return false }
        return whole.profile.rules.contains { rule in
            rule.expect == .refuse && rule.required && rule.pattern.scope == .exact
                && first.sightings[rule.pattern.base, default: []].isEmpty
        }
    }

    /// By a host that is attacked, required or not: what one that is not does is a witness all the same.
    func isGiven(_ condition: Occasion) -> Bool {
        shares.contains { file in
            file.hosts.contains { file.profile.role(of: $0) == .refuse && condition.isGiven(by: $0, in: file) }
        }
    }

    /// COMMAND fails more often under attack than chance would have it.
    var failsUnderAttackAlone: Bool { whole.starts.imbalance(among: whole.trials) != nil }

    /// The last trial told nothing, and running it again may tell more.
    func isFruitless(_ last: Trial) -> Bool {
        guard let number = evidence.lastTrial else { return false }
        return whole.starts.fruitless.contains(TrialKey(run: 0, number: number))
            && (last == .passthrough || !failsUnderAttackAlone)
    }
}

extension CaseFile {
    /// Hosts that were seen, and have to refuse.
    fileprivate var required: [HostName] {
        hosts.filter { host in profile.rule(for: host).map { $0.expect == .refuse && $0.required } ?? false }
    }
}
