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

    /// The profile names no pins: one of the keys that the app takes now may be pinned, or the certificate.
    private static func unknown(_ evidence: RehearsalEvidence) -> [PinRule] {
        guard evidence.pins.isEmpty, let genuine = evidence.genuine else { return [] }
        let backup = evidence.backup.map { [$0.key] } ?? []
        let single = genuine.all.map { PinRule.keys([$0], .any) }
        let withBackup = backup.isEmpty ? [] : genuine.all.map { PinRule.keys(Set([$0] + backup), .any) }
        return single + withBackup + certificate(evidence)
    }

    private static func certificate(_ evidence: RehearsalEvidence) -> [PinRule] {
        evidence.genuine?.certificate.map { [.certificate($0)] } ?? []
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
