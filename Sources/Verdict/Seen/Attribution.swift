import Facts
import Policy

/// Whose each connection is, where several clients went through the proxy at once.
///
/// Each client is judged as if it had been alone: what another one did is neither a witness against it nor a control
/// for it, and what nobody did counts for nobody.
struct Attribution {
    /// What one client did.
    struct Share {
        /// nil: nobody tells clients apart, and all is one.
        let client: String?
        let runs: [RunEvidence]
        let controls: [RunEvidence]
    }

    /// The profile's, or, where it was written without, those that the evidence names: two devices are never one.
    let clients: [String]
    let runs: [RunEvidence]
    /// Whose the profile says they are.
    private let addresses: [IPAddress: String]

    init(profile: Profile, runs: [RunEvidence]) {
        self.runs = runs
        addresses = profile.clients.reduce(into: [:]) { known, client in
            if let address = client.address { known[address] = client.name }
        }
        clients =
            profile.clients.isEmpty
            ? runs.reduce(into: Set<String>()) { $0.formUnion($1.clientNames) }.sorted()
            : profile.clients.map(\.name)
    }

    /// - Parameter controls: other runs; what they show of a client, they show of no other.
    func shares(controls: [RunEvidence]) -> [Share] {
        guard !clients.isEmpty else { return [Share(client: nil, runs: runs, controls: controls)] }
        return clients.map { client in
            Share(
                client: client, runs: runs.map { $0.keeping { $0 == client }.without { isAnother($0, than: client) } },
                controls: controls.map { $0.keeping { $0 == client } })
        }
    }

    /// What goes past the proxy shows no credentials. Only where the profile says whose an address is can it be held to
    /// be another client's; all else may be anybody's, and keeps everybody's proof from being one.
    private func isAnother(_ flow: NetworkFlow, than client: String) -> Bool {
        guard let owner = flow.from.host.address.flatMap({ addresses[$0] }) else { return false }
        return owner != client
    }

    /// The runs without what is no client's.
    var attributed: [RunEvidence] {
        guard !clients.isEmpty else { return runs }
        let known = Set(clients)
        return runs.map { $0.keeping { $0.map(known.contains) ?? false } }
    }

    /// A verdict as a client's; that it asked for nothing at all says more than that nobody asked for this host.
    static func marked(_ verdict: HostVerdict, _ client: String, isAbsent: Bool) -> HostVerdict {
        var verdict = verdict
        verdict.client = client
        if isAbsent, verdict.verdict == .notExercised { verdict.reason = .clientNeverSeen }
        return verdict
    }

    /// The worst of the clients' results.
    static func worst(_ results: [Judgement.Result]) -> Judgement.Result {
        [.fail, .invalid, .inconclusive].first(where: results.contains) ?? (results.isEmpty ? .inconclusive : .pass)
    }
}

// MARK: what a person should hear of it

extension Attribution {
    var findings: [Finding] { clients.isEmpty ? [] : absent + wrongCredentials + unattributed }

    private var absent: [Finding] {
        let seen = runs.reduce(into: Set<String>()) { $0.formUnion($1.clientNames) }
        return clients.filter { !seen.contains($0) }.map {
            Finding(id: "client-not-seen", severity: .warning, fact: .run(.clientNotSeen($0)))
        }
    }

    private var wrongCredentials: [Finding] {
        let wrong = runs.flatMap(\.connections).filter { $0.seen.credentials == .unknown }
        guard !wrong.isEmpty else { return [] }
        let sources = Set(wrong.compactMap(\.seen.clientEndpoint?.host)).sorted()
        return [
            Finding(
                id: "wrong-credentials", severity: .warning, fact: .run(.wrongCredentials(wrong.count, from: sources)),
                evidence: wrong.map(\.line))
        ]
    }

    private var unattributed: [Finding] {
        let known = Set(clients)
        let nobodys = runs.flatMap(\.connections).filter { !known.contains($0.seen.clientName ?? "") }
        guard !nobodys.isEmpty else { return [] }
        let told = FindingFact.Nobodys(
            connections: nobodys.count, hosts: Set(nobodys.compactMap(\.seen.host)).sorted(),
            bare: nobodys.count { $0.seen.credentials == .missing })
        return [
            Finding(
                id: "unattributed", severity: .note, fact: .run(.unattributed(told)),
                evidence: nobodys.map(\.line))
        ]
    }
}

extension RunEvidence {
    /// Who came in its trials.
    fileprivate var clientNames: Set<String> {
        records.reduce(into: []) { names, record in
            if case .connection(let seen) = record.record, seen.observation.trial > 0,
                let name = seen.observation.clientName
            {
                names.insert(name)
            }
        }
    }

    /// The connections of its trials.
    fileprivate var connections: [(line: Int, seen: Observation)] {
        records.compactMap { record in
            guard case .connection(let seen) = record.record, seen.observation.trial > 0 else { return nil }
            return (record.line, seen.observation)
        }
    }

    /// With the connections of some clients alone; trials and all else are everybody's.
    fileprivate func keeping(_ isKept: (String?) -> Bool) -> RunEvidence {
        RunEvidence(
            records: records.filter {
                guard case .connection(let seen) = $0.record else { return true }
                return isKept(seen.observation.clientName)
            })
    }

    fileprivate func without(_ isDropped: (NetworkFlow) -> Bool) -> RunEvidence {
        RunEvidence(
            records: records.filter {
                guard case .flow(let flow) = $0.record else { return true }
                return !isDropped(flow)
            })
    }
}
