import Facts

/// The rules of a profile that say what several files declare.
///
/// A profile's own precedence (exact, `*.`, `**.`; the longer domain first) comes to what each platform does, as there is
/// a rule for every pattern of every file, with the pins that count there.
package struct ProfileRules: Sendable {
    /// A file's entries of one format.
    struct Stack {
        var path: String
        var rules: PlatformRules
    }

    /// What one stack does at a pattern.
    struct State: Hashable {
        enum Effect: Hashable {
            case refuses, expired, reportsOnly
            /// There is an entry, without pins.
            case open
            /// A nearer entry takes it out of another one's reach, and does not pin it.
            case takenOut
            /// No entry of the file takes it in.
            case silent
        }

        var path: String
        /// Of several of one file.
        var pinner: Int?
        var effect: Effect
        var pins: EffectivePins

        /// Of keys, well formed, each once.
        var names: [String] {
            pins.pins.filter { $0.kind == .spkiSHA256 && $0.digest != nil }.map(\.name).uniqued()
        }

        /// `file:line (format)`.
        var place: String {
            let line = pins.entries.first.map { ":\($0.line)" } ?? ""
            return "\(path)\(line) (\(pins.format.rawValue))"
        }
    }

    package struct Rule: Hashable, Sendable {
        /// As a profile writes it.
        package var pattern: String
        package var refuses: Bool
        /// `sha256/…`, each once.
        package var pins: [String]
        /// Without a number sign.
        package var comments: [String]
    }

    package private(set) var rules: [Rule] = []
    /// What is not in the rules: hosts without names, and names that a profile cannot have.
    package private(set) var leftOut: [String] = []

    /// - Parameter today: what has expired then refuses no more; nil: nothing has.
    package init(_ files: [PinFile], today: CalendarDate? = nil) {
        let stacks = files.flatMap { file in
            PlatformRules.of(file).filter(\.hasNames).map { Stack(path: file.path, rules: $0) }
        }
        var seen: Set<String> = []
        for file in files {
            for host in file.hosts {
                let patterns = PinnedPattern.ruled(by: host)
                guard !patterns.isEmpty else {
                    let pins = host.pins.map(\.name).joined(separator: " ")
                    leftOut.append("\(file.path):\(host.line) says no host for \(pins.isEmpty ? "its pins" : pins)")
                    continue
                }
                for pattern in patterns {
                    guard let name = pattern.inProfile else {
                        leftOut.append("\(file.path):\(host.line): \(pattern) is no name that a profile can have")
                        continue
                    }
                    guard seen.insert(name).inserted else { continue }
                    let states = Self.withoutIdlePinners(stacks.map { Self.state(of: $0, at: pattern, today) })
                    // Names below one of Cronet's are open only where something above would take them in.
                    if pattern.scope == .anyDepth, !host.patterns.contains(pattern.description),
                        states.allSatisfy({ $0.effect == .silent })
                    {
                        seen.remove(name)
                        continue
                    }
                    rules.append(Self.rule(name, states))
                }
            }
        }
    }

    private static func state(of stack: Stack, at pattern: PinnedPattern, _ today: CalendarDate?) -> State {
        let always = stack.rules.effective(for: pattern.probe)
        let pins = today == nil ? always : stack.rules.effective(for: pattern.probe, on: today)
        let effect: State.Effect
        if pins.refuses(on: today) {
            effect = .refuses
        } else if always.isPinned, !always.refuses(on: today), always.isEnforced {
            effect = .expired
        } else if always.isPinned {
            effect = .reportsOnly
        } else {
            effect = !always.entries.isEmpty ? .open : always.passedOver.isEmpty ? .silent : .takenOut
        }
        return State(
            path: stack.path, pinner: stack.rules.pinner, effect: effect, pins: effect == .expired ? always : pins)
    }

    private static func rule(_ name: String, _ states: [State]) -> Rule {
        let refusing = states.filter { $0.effect == .refuses }
        var rule = Rule(pattern: name, refuses: !refusing.isEmpty, pins: [], comments: [])
        for state in states {
            switch state.effect {
            case .refuses: rule.comments.append(state.place)
            case .expired:
                let day = state.pins.expires.map { " since \($0)" } ?? ""
                rule.comments.append("\(state.place): its pins are off\(day), and every valid chain passes")
            case .reportsOnly:
                rule.comments.append("\(state.place): a failed pin is only reported, and the connection goes on")
            case .open: rule.comments.append("\(state.place): not pinned, the entry has no pins")
            case .takenOut: rule.comments.append("\(state.place): not pinned, a nearer entry takes it out")
            case .silent:
                if refusing.isEmpty { continue }
                rule.comments.append("\(state.place) does not pin it")
            }
        }
        rule.comments += refusing.flatMap { contents(of: $0) }
        rule.comments += conflicts(among: refusing)
        rule.comments += clients(among: refusing)
        rule.pins = common(to: refusing)
        return rule
    }

    /// What the pins of one file have that a profile's cannot.
    private static func contents(of state: State) -> [String] {
        let pins = state.pins
        var comments: [String] = []
        for pin in pins.pins where pin.digest == nil {
            comments.append(
                "\(state.path):\(pin.line): \(Printable.excerpt(pin.text)) is malformed, and matches nothing")
        }
        for pin in pins.pins where pin.digest != nil && pin.kind != .spkiSHA256 {
            comments.append("\(state.path):\(pin.line): \(pin.name) is no SHA-256 of a key, and is left out")
        }
        if !pins.pinsKnown { comments.append("\(state.place) pins by what is not at hand") }
        if pins.combination == .everyList, !pins.pins(.leaf).isEmpty, !pins.pins(.ca).isEmpty {
            comments.append("\(state.place) asks for a pin of the leaf and for one of a CA")
        }
        if let expires = pins.expires { comments.append("\(state.place): its pins are off from \(expires) on") }
        return comments
    }

    private static func conflicts(among states: [State]) -> [String] {
        let known = states.filter { $0.pins.pinsKnown }.map { state in
            (state, Set(state.names))
        }.filter { !$0.1.isEmpty }
        return known.flatMap { state, names in
            known.compactMap { other, more -> String? in
                let missing = more.subtracting(names).sorted()
                guard !missing.isEmpty else { return nil }
                return "conflict: \(state.place) lacks \(missing.joined(separator: " ")), which \(other.place) has"
            }
        }
    }
}
