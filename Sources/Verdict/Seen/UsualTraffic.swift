import Facts
import Policy

/// What each host's genuine connections look like in the untouched starts of a run.
///
/// An app may ask a host otherwise once another one has failed it: by fewer connections, on another stack, or for less. Only one
/// that does what it always does is known to go its usual way.
struct UsualTraffic {
    /// Bytes that a client sends behind its ClientHello, connection by connection and from the least on, by stack.
    private typealias Shape = [String: [Int]]

    private struct Visit: Hashable {
        let run: Int
        let host: HostName
    }

    /// Of hosts that do the same in each untouched start of their run, one for each; others have no usual traffic.
    private var shapes: [Visit: [Shape]] = [:]

    /// Numbers and dates change a few bytes of a request, and HTTP/2 may end with an acknowledgement more or less (a record of 31
    /// bytes); a session's cookie or token is more.
    private static let tolerance = 40

    /// - Parameter starts: know which of the trials told nothing of a host, because COMMAND failed before it came to that.
    init(_ trials: [TrialFile], _ starts: Starts) {
        for (run, trials) in Dictionary(grouping: trials.filter(\.isPassthrough), by: \.key.run) {
            for host in trials.reduce(into: Set<HostName>(), { $0.formUnion($1.sightings.keys) }) {
                let told = trials.filter { !starts.isCommandsFailure($0, host) }
                let shapes = told.compactMap { Self.shape($0.sightings[host] ?? []) }
                guard shapes.count == told.count, let first = shapes.first,
                    shapes.allSatisfy({ Self.areAlike($0, first) }), Self.isNarrow(shapes)
                else { continue }
                self.shapes[Visit(run: run, host: host)] = shapes
            }
        }
    }

    /// nil unless each of these was used.
    private static func shape(_ seen: [Sighting]) -> Shape? {
        let tried = seen.filter(\.isUntouchedAttempt)
        guard !tried.isEmpty, tried.count == seen.count, tried.allSatisfy({ $0.carriedGenuineData && $0.isIdentified })
        else {
            return nil
        }
        return Dictionary(grouping: tried, by: \.stack).mapValues { connections in
            connections.map { seen in
                // Evidence from elsewhere may hold numbers of any size and sign.
                let (sent, hello) = (max(0, seen.observation.bytesUp), max(0, seen.helloLength))
                return max(0, sent - hello)
            }.sorted()
        }
    }

    /// The stacks of each host that has usual traffic.
    func stacks(run: Int) -> [(host: HostName, stacks: [String])] {
        shapes.filter { $0.key.run == run }.map { ($0.key.host, $0.value.first.map { Array($0.keys) } ?? []) }
    }

    /// Whether a host's connections of one start are as they always are.
    func isUsual(_ seen: [Sighting], of host: HostName, run: Int) -> Bool {
        guard let shape = Self.shape(seen), let usual = shapes[Visit(run: run, host: host)] else { return false }
        return Self.areAlike(shape, usual[0]) && Self.isNarrow(usual + [shape])
    }

    /// As many connections on each stack.
    private static func areAlike(_ a: Shape, _ b: Shape) -> Bool { a.mapValues(\.count) == b.mapValues(\.count) }

    /// No connection differs from another start's by more than the tolerance; all are alike.
    private static func isNarrow(_ shapes: [Shape]) -> Bool {
        shapes[0].allSatisfy { stack, sent in
            sent.indices.allSatisfy { index in
                let all = shapes.map { $0[stack]?[index] ?? 0 }
                return (all.max() ?? 0) - (all.min() ?? 0) <= tolerance
            }
        }
    }
}
