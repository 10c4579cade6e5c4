import Facts
import Policy

/// Starts that show `Independence`, by the hosts that each attacks.
///
/// All are under `trusted-ca`, with all other hosts left alone.
///
/// In the order in which they were visited, A B C: each alone, behind which the next one has to go on, and which has to refuse
/// with nothing attacked before it; and A with B, behind which C has to go on. The standard set has each host alone in any case
/// (`host-only`), so that this takes one start more for each host from the third on.
struct CompanyStarts {
    /// Hosts; beyond that each is attacked alone, as the starts would be many.
    static let mostHosts = 8

    /// The hosts that were visited and refused, in their order; empty where they were not one after the other, or none of
    /// them left without a word behind another one.
    let order: [HostName]
    /// Those that are still to be run; empty too where one of those that were shows that it is in vain.
    let open: [Set<HostName>]
    /// All were run, and show each host to refuse by itself.
    let isShown: Bool

    init(_ file: CaseFile) {
        // Where COMMAND failed on the way it came to fewer.
        let orders = file.trials.filter { $0.isPlainColdStart && $0.only.isEmpty && $0.isComplete }
            .compactMap { trial in Self.order(of: trial, file).map { (run: trial.key.run, hosts: $0) } }
        let most = orders.map(\.hosts.count).max() ?? 0
        guard let (run, order) = orders.first(where: { $0.hosts.count == most }),
            Self.wordlessForms(file).count >= Self.leastForms
        else {
            (order, open, isShown) = ([], [], false)
            return
        }
        self.order = order
        let wanted = order.map { [$0] } + (2..<max(2, order.count)).map { Set(order.prefix($0)) }
        let done = file.trials.filter { $0.isComplete && $0.isOfTrustedCA && $0.sparesOthers && $0.key.run == run }
        var open: [Set<HostName>] = []
        var isInVain = false
        for set in wanted {
            let tries = done.filter { $0.only == set }
            if tries.contains(where: { Self.isKept($0, order) }) { continue }
            let mayStillCome = tries.count < Self.mostTries && tries.allSatisfy { file.starts.hasFailed($0.end) }
            if mayStillCome { open.append(set) } else { isInVain = true }
        }
        self.open = isInVain ? [] : open
        isShown = !isInVain && open.isEmpty
    }

    /// Starts of one kind, where COMMAND fails in each: the first, and as many again as a start is retried by default.
    static let mostTries = 3

    /// Those attacked refused, a single one with nothing attacked before it, and the next one went on behind them.
    private static func isKept(_ trial: TrialFile, _ order: [HostName]) -> Bool {
        guard let last = order.lastIndex(where: trial.only.contains),
            trial.only.allSatisfy({ host in trial.sightings[host]?.contains(where: \.isRefusal) ?? false })
        else { return false }
        guard last + 1 < order.count else { return true }
        return trial.independence?.wentOn(order[last + 1], behind: trial.only, run: trial.key.run) ?? false
    }

    /// The hosts that refused, one after the other; nil where they are not two or more, or some were open at a time.
    private static func order(of trial: TrialFile, _ file: CaseFile) -> [HostName]? {
        let refusing = trial.sightings.filter { host, seen in
            file.profile.role(of: host) == .refuse && !seen.isEmpty && seen.allSatisfy(\.isRefusal)
        }
        guard (2...mostHosts).contains(refusing.count) else { return nil }
        let spans = refusing.map { host, seen in
            (host: host, from: seen.map(\.observation.at).min() ?? 0, to: seen.map(\.left).max() ?? .infinity)
        }.sorted { ($0.from, $0.host) < ($1.from, $1.host) }
        return zip(spans, spans.dropFirst()).allSatisfy { $0.to < $1.from } ? spans.map(\.host) : nil
    }

    /// Forms of attacks, `trusted-ca` among them, under which some host left without a word behind another one: for one, each
    /// host alone takes no more starts.
    private static let leastForms = 2

    private static func wordlessForms(_ file: CaseFile) -> Set<String> {
        let joint = file.trials.filter { $0.isComplete && $0.only.isEmpty && !$0.isPassthrough }
        return Set(
            joint.filter { trial in
                var asIfUnknown = trial
                asIfUnknown.independence = nil
                return trial.sightings.values.joined().contains { seen in
                    file.profile.role(of: seen.host) == .refuse && !trial.company(of: seen).isEmpty
                        && asIfUnknown.grade(seen) == .inCompany
                }
            }.map { "\($0.attack)/\($0.variant ?? "")" })
    }
}
