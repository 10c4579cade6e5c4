import Facts
import Policy

/// What the profile's hosts did in one trial, in a word each.
package struct TrialGlance: Hashable, Sendable {
    package enum Word: String, Hashable, Sendable {
        /// Untouched, it carried data.
        case worked
        case failed
        case accepted, refused, undecided
        case away = "did not come"
    }

    package struct Host: Hashable, Sendable {
        package var name: HostName
        package var word: Word
    }

    package var hosts: [Host]

    /// - Parameter trial: its number.
    package init(_ evidence: RunEvidence, profile: Profile, trial: Int) {
        let file = CaseFile(profile: profile, runs: [evidence.only(trial: trial)])
        let named = (profile.rules.map(\.pattern) + profile.controls).filter { $0.scope == .exact }.map(\.base)
        let seen = file.hosts.filter { !profile.isUndeclared($0) }.sorted()
        var names: [HostName] = []
        for name in named + seen where !names.contains(name) { names.append(name) }
        hosts = names.map { Host(name: $0, word: Self.word(file.sightings(of: $0))) }
    }

    private static func word(_ seen: [Sighting]) -> Word {
        let attacked = seen.filter { $0.outcome != nil }
        if attacked.isEmpty {
            if seen.contains(where: \.carriedGenuineData) { return .worked }
            return seen.contains(where: \.isUntouchedAttempt) ? .failed : .away
        }
        if attacked.contains(where: { $0.outcome == .data }) { return .accepted }
        return attacked.contains(where: \.isRefusal) ? .refused : .undecided
    }

    /// `api.test refused, cdn.test accepted`; the first of many.
    package var text: String {
        let named = hosts.prefix(Self.namedAtMost).map { "\($0.name.text) \($0.word.rawValue)" }
        let more = hosts.count - named.count
        return named.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    /// They fit a line.
    private static let namedAtMost = 4
}
