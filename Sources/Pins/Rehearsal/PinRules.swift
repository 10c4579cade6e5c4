/// Every rule that an app may be enforcing at a host, by the profile and by what was seen.
struct PinRules: Hashable, Sendable {
    /// Empty where nothing fits: the profile speaks of another app, or of another chain.
    let all: [PinRule]
    /// A lent key that the profile names was refused, so that the rules do without it.
    let lacksBackup: Bool
    /// The key that the server has now.
    private let server: String?

    init(_ evidence: RehearsalEvidence) {
        server = evidence.genuine?.leaf
        guard !evidence.isUnpinned else {
            (all, lacksBackup) = ([.nothing], false)
            return
        }
        // That it is not pinned at all fits whatever was not seen to be refused for a key.
        let open: [PinRule] = evidence.enforces ? [] : [.nothing]
        let declared = Self.declared(evidence.pins, evidence).filter { Self.fits($0, evidence) }
        if declared.contains(where: \.isOfKeys) || evidence.pins.isEmpty {
            (all, lacksBackup) = (declared.isEmpty ? [] : declared + open, false)
            return
        }
        guard let backup = evidence.backup, evidence.pins.contains(backup.key) else {
            (all, lacksBackup) = ([], false)
            return
        }
        let others = Self.declared(evidence.pins.subtracting([backup.key]), evidence) + Self.certificate(evidence)
        let fitting = others.filter { Self.fits($0, evidence) }
        (all, lacksBackup) = fitting.contains(where: \.isOfKeys) ? (fitting + open, true) : ([], false)
    }

    /// What all rules make of a chain; nil where they do not agree.
    func prediction(_ chain: ChainKeys) -> Bool? {
        guard let first = all.first?.takes(chain, server: server) else { return nil }
        return all.allSatisfy { $0.takes(chain, server: server) == first } ? first : nil
    }

    private static func declared(_ pins: Set<String>, _ evidence: RehearsalEvidence) -> [PinRule] {
        guard !pins.isEmpty else { return unknown(evidence) }
        let scopes = evidence.scope.map { [$0] } ?? PinScope.allCases
        return scopes.map { .keys(pins, $0) } + (evidence.mayPinCertificates ? certificate(evidence) : [])
    }

    /// The profile names no pins: any set of keys may be pinned of which each chain that the app takes has one.
    ///
    /// The more keys a set has, the more chains it takes. So all sets agree on a chain where the smallest ones and the largest do:
    /// those that have one key of each chain that was taken, and the one of all keys that are in no chain that was refused for
    /// its keys.
    private static func unknown(_ evidence: RehearsalEvidence) -> [PinRule] {
        guard evidence.pins.isEmpty, let genuine = evidence.genuine else { return [] }
        let answers = evidence.answers.prefix(answerLimit)
        let refused = Set(answers.filter { $0.isSound && $0.sight.wasRefused }.flatMap(\.keys.all))
        let backup = evidence.backup.map { [$0.key] } ?? []
        let all = Set(genuine.all + evidence.answers.flatMap(\.keys.all) + backup).subtracting(refused)
        var smallest: Set<Set<String>> = [[]]
        for chain in [genuine] + answers.filter({ $0.sight == .accepted }).map(\.keys) {
            let keys = chain.all.filter(all.contains)
            // Chains of many certificates: what they say is left out, too.
            guard smallest.count * keys.count <= setLimit else { continue }
            smallest = Set(smallest.flatMap { set in keys.map { set.union([$0]) } })
        }
        return (smallest.union([all])).map { .keys($0, .any) } + certificate(evidence)
    }

    /// Of the team's own chains, as each multiplies the sets: what others say is left out, which makes less of it certain.
    private static let answerLimit = 4
    /// Sets that are looked at: five chains of five keys.
    private static let setLimit = 3125

    /// The certificates that the app took may all be pinned. One for the key that the server has already is a renewal, which
    /// nobody pins before it is there.
    static func certificate(_ evidence: RehearsalEvidence) -> [PinRule] {
        guard let genuine = evidence.genuine, let certificate = genuine.certificate else { return [] }
        let taken = evidence.answers.filter { $0.sight == .accepted && $0.keys.leaf != genuine.leaf }
        return [.certificates(Set([certificate] + taken.compactMap(\.keys.certificate)))]
    }

    static func fits(_ rule: PinRule, _ evidence: RehearsalEvidence) -> Bool {
        if let genuine = evidence.genuine, rule.takes(genuine) == false { return false }
        if let backup = evidence.backup {
            let takes = rule.takes(ChainKeys(leaf: backup.key))
            // Where local CAs are exempt, whatever is shown under one is taken.
            if backup.sight == .accepted, !evidence.mayExemptLocalAnchors, takes == false { return false }
            if backup.sight.wasRefused, evidence.trust != nil, takes == true { return false }
        }
        if let leaf = evidence.genuine?.leaf {
            let takes = rule.takes(ChainKeys(leaf: leaf))
            if evidence.genuineKey == .accepted, takes == false { return false }
            if evidence.genuineKey.wasRefused, evidence.trust != nil, takes == true { return false }
        }
        return evidence.answers.allSatisfy { answer in
            switch answer.sight {
            case .accepted: rule.takes(answer.keys) != false
            case .refused: !answer.isSound || rule.takes(answer.keys) != true
            case .unusable, .mixed, .nothing: true
            }
        }
    }
}
