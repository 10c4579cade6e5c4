import Facts
import Policy

extension Shard {
    /// This share's attacks: `trusted-ca` and `untrusted-ca` in their plain forms, and what is a control, are in each of
    /// them; every other form is in one.
    ///
    /// What attacks connections by their place stays together, in the last share: which of them are worth a start is seen
    /// from all. So does what others follow from: outages, a chain of copied names, starts that go on from each other. That
    /// share also has what comes on top when all else was refused, and so less of the rest.
    ///
    /// - Parameter provesAnchors: `wrong-key` shows what the app trusts, as its own roots leave it no control (`anchors`): it is
    ///   in each of them as well.
    package func share(of attacks: [Attack], provesAnchors: Bool = false) -> [Attack] {
        var loads = [Int](repeating: 0, count: count)
        let hasLater = attacks.ofLaterConnections != nil
        if hasLater { loads[count - 1] = FurtherForm.all(among: attacks).count }
        return attacks.compactMap { attack in
            if attack.reading.data == .control { return attack }
            if hasLater, attack.id == attacks.ofLaterConnections?.id { return index == count ? attack : nil }
            let isBase =
                attack.id == .trustedCA || attack.id == .untrustedCA
                || provesAnchors && attack.reading.probe == .genuineChain
            let own = attack.variants.filter { variant in
                if isBase, variant.name == attack.variants.first?.name { return true }
                if Self.isFollowed(variant, of: attack) {
                    loads[count - 1] += 1
                    return index == count
                }
                let least = loads.indices.min { loads[$0] < loads[$1] } ?? 0
                loads[least] += 1
                return least == index - 1
            }
            return own.isEmpty ? nil : attack.with(own)
        }
    }

    /// What comes of it decides what else is tried: `later-connection` after as many outages, `namesakes`, `after-refusal`.
    private static func isFollowed(_ variant: Attack.Variant, of attack: Attack) -> Bool {
        if variant.conduct.continuesState || attack.reading(of: variant.name).probe == .outages { return true }
        let forms = AttackCatalogue.attack(attack.id)?.variants ?? []
        return variant.name == attack.variants.first?.name
            && forms.contains { $0.reading?.reserve == .tookGenuineIssuer }
    }

    /// What the whole plan is to try, and how often, as text: the same in each of its shares.
    package static func plan(of attacks: [Attack], coldStarts: Int) -> String {
        let names = attacks.flatMap { attack in attack.variants.map(attack.name(of:)) }
        return (["cold starts: \(coldStarts)"] + names).joined(separator: "\n")
    }

    /// Of the cold starts that the whole plan rests on; one at least, as each share needs its own.
    package func share(ofColdStarts all: Int) -> Int {
        max(1, all / count + (index <= all % count ? 1 : 0))
    }
}

extension CaseFile {
    /// One share of a plan alone: where the others are is not known.
    var isShareAlone: Bool { runs.count == 1 && runs[0].header?.shard.map { $0.count > 1 } ?? false }

    private struct SharedPlan: Hashable {
        var name: String?, coldStarts: Int?, count: Int

        init?(_ header: RunHeader?) {
            guard let header, let shard = header.shard else { return nil }
            (name, coldStarts, count) = (header.plan, header.planColdStarts, shard.count)
        }
    }

    /// Of each run the number of the first one that makes the same journey as far as is known: the shares of one plan do, each of
    /// which is there once, of one build under one profile and CA.
    var journeys: [Int] {
        struct Journey: Hashable { var plan: SharedPlan, ca: String, profile: String, builds: Set<String> }
        let known = runs.map { run -> Journey? in
            guard let header = run.header, header.plan != nil, let plan = SharedPlan(header) else { return nil }
            return Journey(
                plan: plan, ca: header.ca.sha256, profile: header.profileSHA256,
                builds: Set(header.artefacts.map(\.sha256)))
        }
        var shares: [Journey: [Int]] = [:]
        for (number, journey) in known.enumerated() { if let journey { shares[journey, default: []].append(number) } }
        return known.enumerated().map { number, journey in
            guard let journey, let all = shares[journey], let first = all.first,
                Set(all.compactMap { runs[$0].header?.shard?.index }).count == all.count
            else { return number }
            return first
        }
    }

    /// Of each plan whose shares are among the runs, those that are there, in the order of the runs.
    private var sharesByPlan: [[Shard]] {
        var (plans, shares): ([SharedPlan], [SharedPlan: [Shard]]) = ([], [:])
        for header in runs.compactMap(\.header) {
            guard let shard = header.shard, let plan = SharedPlan(header) else { continue }
            if shares[plan] == nil { plans.append(plan) }
            shares[plan, default: []].append(shard)
        }
        return plans.compactMap { shares[$0] }
    }

    /// Of how many plans the runs are shares.
    var planCount: Int { sharesByPlan.count }

    /// Shares that are not among the runs, of each plan of which some are; in order.
    var missingShards: [Shard] {
        guard runs.count > 1 else { return [] }
        return sharesByPlan.flatMap { shards in
            let count = shards.first?.count ?? 0
            return (1...max(1, count)).compactMap { Shard($0, of: count) }.filter { !shards.contains($0) }
        }
    }
}
