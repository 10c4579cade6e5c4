import Facts
import Policy

/// What an untouched start and one under the CA show of a set-up, before any verdict.
package struct FirstLook: Hashable, Sendable {
    /// One host that the profile names, or that was asked for.
    package struct Host: Hashable, Sendable {
        /// What became of it while nothing was touched.
        package enum Untouched: Hashable, Sendable {
            case notAskedFor, data
            /// nil: its connections ended without data.
            case failed(String?)
            /// Plain HTTP alone.
            case clear
        }

        /// What it made of a certificate by the forging CA.
        package enum Forged: Hashable, Sendable {
            case notAskedFor, accepted
            /// nil: it went without a word.
            case refused(alert: String?)
            /// The proxy had nothing to show: why, in its words.
            case notServed(String)
            case undecided, untouched
        }

        package var name: HostName
        package var role: HostRole
        package var isRequired: Bool
        package var untouched: Untouched
        package var forged: Forged
        /// As the genuine server showed itself to the proxy; nil where the proxy did not ask it.
        package var origin: Observation.Upstream?
        /// One of the profile's pins is in the genuine chain; nil where there are none, or no chain is known.
        package var hasPin: Bool?
    }

    /// Connections of one TLS stack.
    package struct Stack: Hashable, Sendable {
        /// JA4 of its first connection.
        package var ja4: String
        /// What it looks like, by its first connection: one name, candidates, or none.
        package var names: [StackName] = []
        package var versions: [TLSVersion]
        package var alpn: [String]
        package var hosts: [HostName]
        /// It sent data under the CA somewhere.
        package var trustsCA: Bool
    }

    /// The profile's own in its order, then the others by name.
    package var hosts: [Host]
    package var stacks: [Stack]
    /// Connections that came through the proxy.
    package var connections: Int
    /// Flows that went past it, as far as somebody looked; nil: nobody did.
    package var past: Int?
    /// How the starts ended, in their order.
    package var ends: [TrialEnd]
    package var early: EarlyEnd?

    package init(_ evidence: RunEvidence, profile: Profile) {
        let file = CaseFile(profile: profile, runs: [evidence.withoutRetried])
        let named = profile.rules.map(\.pattern) + profile.controls
        let exact = named.filter { $0.scope == .exact }.map(\.base)
        var names: [HostName] = []
        for name in exact + file.hosts.sorted() where !names.contains(name) { names.append(name) }
        hosts = names.map { Host($0, file) }
        stacks = Self.stacks(file)
        let seen = evidence.records.lazy.compactMap { record -> Observation? in
            guard case .connection(let seen) = record.record, seen.observation.trial > 0 else { return nil }
            return seen.observation
        }
        connections = seen.count { _ in true }
        let flows = evidence.records.count { if case .flow = $0.record { true } else { false } }
        past = evidence.header?.watchesNetwork ?? false ? flows : nil
        ends = evidence.records.compactMap { if case .trialEnded(let end) = $0.record { end } else { nil } }
        early = evidence.end?.early
    }

    /// Begins what is told of a host at which the app refused the genuine certificate; the alert's name follows.
    package static let refusedGenuine = "the app refused the genuine certificate: "

    /// Seconds of a start, on the average; nil where none came to its end.
    package var secondsPerStart: Double? {
        let whole = ends.filter { !$0.interrupted }
        return whole.isEmpty ? nil : whole.reduce(0) { $0 + $1.seconds } / Double(whole.count)
    }

    private static func stacks(_ file: CaseFile) -> [Stack] {
        var order: [String] = []
        var stacks: [String: Stack] = [:]
        for trial in file.trials {
            for (host, seen) in trial.sightings.sorted(by: { $0.key < $1.key }) {
                for sighting in seen {
                    guard let hello = sighting.observation.hello, !hello.stack.isEmpty else { continue }
                    if stacks[hello.stack] == nil { order.append(hello.stack) }
                    var stack =
                        stacks[hello.stack]
                        ?? Stack(
                            ja4: hello.ja4, names: hello.likelyStacks, versions: hello.versions, alpn: hello.alpn,
                            hosts: [], trustsCA: false)
                    if !stack.hosts.contains(host) { stack.hosts.append(host) }
                    if sighting.showsTrust(of: .trustedCA) { stack.trustsCA = true }
                    stacks[hello.stack] = stack
                }
            }
        }
        return order.compactMap { stacks[$0] }
    }
}

extension FirstLook.Host {
    fileprivate init(_ host: HostName, _ file: CaseFile) {
        name = host
        role = file.profile.role(of: host)
        let rule = file.profile.rule(for: host)
        isRequired = rule?.required ?? false
        let seen = file.sightings(of: host)
        untouched = Self.untouched(seen.filter { $0.outcome == nil && file.trial($0.trial)?.isPassthrough ?? false })
        let attacked = file.trials.filter { !$0.isPassthrough }.flatMap { $0.sightings[host] ?? [] }
        forged = Self.forged(attacked)
        origin = seen.lazy.compactMap(\.observation.upstream).last { !$0.chain.isEmpty || $0.error != nil }
        let pins = Set((rule?.pins ?? []).map(\.base64))
        hasPin = origin.flatMap { $0.spki.isEmpty || pins.isEmpty ? nil : !pins.isDisjoint(with: $0.spki) }
    }

    private static func untouched(_ seen: [Sighting]) -> Untouched {
        if seen.contains(where: \.carriedGenuineData) { return .data }
        let tried = seen.filter(\.isUntouchedAttempt)
        if !tried.isEmpty {
            let faults = tried.lazy.compactMap { $0.observation.upstream?.error ?? $0.observation.error }
            return .failed(faults.first ?? seen.lazy.compactMap(\.answer.alert).first.map(Self.refusal))
        }
        return seen.contains(where: \.wentInTheClear) ? .clear : .notAskedFor
    }

    /// Of the genuine certificate.
    private static func refusal(_ alert: Alert) -> String { "\(FirstLook.refusedGenuine)\(alert.name)" }

    private static func forged(_ seen: [Sighting]) -> Forged {
        guard !seen.isEmpty else { return .notAskedFor }
        if seen.contains(where: { $0.outcome == .data }) { return .accepted }
        if let refusal = seen.first(where: \.isRefusal) { return .refused(alert: refusal.answer.alert?.name) }
        let faults = seen.compactMap { $0.observation.error ?? $0.observation.upstream?.error }
        if let fault = faults.first { return .notServed(fault) }
        if seen.contains(where: { !($0.observation.upstream?.verified ?? true) }) {
            return .notServed("its genuine certificate does not verify")
        }
        return seen.allSatisfy { $0.outcome == nil } ? .untouched : .undecided
    }
}
