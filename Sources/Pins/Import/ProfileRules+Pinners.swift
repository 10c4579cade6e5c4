import Facts

/// Several objects of one file that match a host, each for a client of its own.
extension ProfileRules {
    private struct Source: Hashable {
        var path: String
        var format: PinFormat

        init(_ state: State) {
            path = state.path
            format = state.pins.format
        }
    }

    /// A pinner that does not name the host says nothing of it where another of its file does.
    static func withoutIdlePinners(_ states: [State]) -> [State] {
        let busy = Set(states.filter { $0.pinner != nil && $0.effect != .silent }.map(Source.init))
        return states.filter { $0.pinner == nil || $0.effect != .silent || !busy.contains(Source($0)) }
    }

    /// The pins of all files; of several pinners of one file those that each of them takes.
    ///
    /// A pin of one alone would keep quiet of a server that locks the other's client out.
    static func common(to states: [State]) -> [String] {
        var order: [Source] = []
        var pins: [Source: [String]] = [:]
        for state in states {
            let source = Source(state)
            guard let before = pins[source] else {
                order.append(source)
                pins[source] = state.names
                continue
            }
            pins[source] = state.pinner == nil ? before + state.names : before.filter(Set(state.names).contains)
        }
        return order.flatMap { pins[$0] ?? [] }.uniqued()
    }

    /// What is said of them in the profile.
    static func clients(among states: [State]) -> [String] {
        var known: [Source: [State]] = [:]
        for state in states where state.pinner != nil { known[Source(state), default: []].append(state) }
        return known.values.filter { $0.count > 1 }.sorted { $0[0].place < $1[0].place }.map { states in
            "\(English.some(states.map(\.place))) are for clients of their own: only a pin that all of them have stands here"
        }
    }
}
