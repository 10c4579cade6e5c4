import Verdict

/// What to do next about one kind of gap, and the hosts that have it.
public struct Advice: Hashable, Sendable {
    /// The word of `missing`, or the verdict where nothing in particular is missing.
    public let topic: String
    public let text: String
    public private(set) var hosts: [String]

    /// What a reader of this judgement should do, in the order of the hosts, each sentence once.
    public static func entries(for judgement: Judgement) -> [Advice] {
        var entries: [Advice] = []
        func add(_ topic: String, _ text: String, _ host: String) {
            if let index = entries.firstIndex(where: { $0.topic == topic && $0.text == text }) {
                if !entries[index].hosts.contains(host) { entries[index].hosts.append(host) }
            } else {
                entries.append(Advice(topic: topic, text: text, hosts: [host]))
            }
        }
        for verdict in Summary.worstFirst(judgement.hosts) {
            for step in steps(for: verdict) { add(step.topic, step.text, verdict.host) }
        }
        return entries
    }

    /// The next steps for one host: by what is missing, else by the verdict.
    static func steps(for host: HostVerdict) -> [(topic: String, text: String)] {
        switch host.standing {
        case .met: []
        case .contradicted: [(host.verdict.rawValue, MissingAdvice.text(for: host.verdict, host.subtype))]
        case .invalid, .unproven:
            host.missing.isEmpty
                ? [(host.verdict.rawValue, MissingAdvice.text(for: host.verdict, host.subtype))]
                : host.missing.map { ($0.name, MissingAdvice.text(for: $0)) }
        }
    }
}
