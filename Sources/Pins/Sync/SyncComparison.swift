import Facts

/// What the files' platforms do at one host, held side by side.
struct SyncComparison {
    /// Of one host; who has more has other worries, and a hostile file would fill the memory with them.
    static let maxPerHost = 64

    let pattern: PinnedPattern
    /// What some platform checks there, and what all do.
    let pinned: [PinSync.Stack]
    let today: CalendarDate?
    private(set) var disagreements: [PinDisagreement] = []

    /// - Parameter oneLabelDown: of each stack, what counts one label below the domain of a pattern for any depth.
    init(pattern: PinnedPattern, stacks: [PinSync.Stack], oneLabelDown: [EffectivePins], today: CalendarDate?) {
        self.pattern = pattern
        self.today = today
        pinned = stacks.filter(\.isPinned)
        guard !pinned.isEmpty, stacks.count > 1 else { return }
        for (index, stack) in stacks.enumerated() where !stack.isPinned {
            compareReach(stack, oneLabelDown: index < oneLabelDown.count ? oneLabelDown[index] : nil)
        }
        comparePins()
        compareParts()
        compareEnforcement()
        compareExpiry()
        guard disagreements.count > Self.maxPerHost, let last = pinned.last else { return }
        // Errors stay, as they decide.
        let kept = Array(disagreements.filter { $0.severity == .error }.prefix(Self.maxPerHost))
        let more = disagreements.count - kept.count
        disagreements = kept
        add(.unknownPins, .note, last, "there are \(more) more things in which the files differ at \(pattern)")
    }

    private mutating func add(
        _ kind: PinDisagreement.Kind, _ severity: PinDisagreement.Severity, _ stack: PinSync.Stack, pin: String? = nil,
        line: Int? = nil, _ text: String
    ) {
        disagreements.append(
            PinDisagreement(
                kind: kind, severity: severity, pattern: pattern.description, file: stack.file,
                line: line ?? stack.line,
                format: stack.format, pin: pin, text: text))
    }

    private func places(_ stacks: [PinSync.Stack]) -> String { English.some(stacks.map(\.place)) }

    /// A stack without pins at a host that another one pins.
    private mutating func compareReach(_ stack: PinSync.Stack, oneLabelDown: EffectivePins?) {
        let others = "\(places(pinned)) \(pinned.count == 1 ? "does" : "do")"
        if stack.pins.isPinned {
            add(
                .notPinned, .error, stack,
                "has pins for \(pattern) that overridePins=\"true\" on the system's roots switches off, and \(others) pin it"
            )
        } else if pattern.scope != .exact, !stack.format.takesInSubdomains {
            add(.reach, .note, stack, "pins exact names only, and \(pattern) is pinned in \(places(pinned))")
        } else if pattern.scope == .anyDepth, stack.format == .appleATS, let oneLabelDown, oneLabelDown.isPinned {
            add(
                .reach, .note, stack, line: oneLabelDown.entries.first?.line,
                "pins names of one label below \(pattern.domain) at most, as the platform knows no more: below that "
                    + "\(places(pinned)) pins alone")
        } else if stack.line != nil {
            add(.notPinned, .error, stack, "has an entry without pins for \(pattern), and \(others) pin it")
        } else {
            let kind: PinDisagreement.Kind = pattern.scope == .exact ? .notPinned : .reach
            add(kind, .error, stack, "does not pin \(pattern), and \(others)")
        }
    }

    /// Which pins of one kind each stack has; only stacks that have some are compared.
    private mutating func comparePins() {
        for stack in pinned where !stack.pins.pinsKnown {
            add(.unknownPins, .note, stack, "pins \(pattern) by what is not at hand, which cannot be compared")
        }
        let known = pinned.filter(\.pins.pinsKnown)
        for kind in DeclaredPin.Kind.allCases {
            let sets = known.map { Set($0.pins.pins.filter { $0.kind == kind && $0.digest != nil }) }
            let names = sets.map { Set($0.map(\.name)) }
            // Whoever has pins, and none of this kind, pins by another: a key's hash says nothing of a certificate's.
            let takesPart = zip(known, names).map { stack, names in
                !names.isEmpty || stack.pins.pins.allSatisfy { $0.digest == nil || $0.kind == kind }
            }
            guard names.contains(where: { !$0.isEmpty }) else { continue }
            for (index, stack) in known.enumerated() where !takesPart[index] {
                let others = zip(known, names).filter { !$0.1.isEmpty }.map(\.0)
                add(.notComparable, .note, stack, "has no \(kind.words) for \(pattern), as \(places(others)) has")
            }
            let issuers = Self.issuers(sets)
            for name in names.reduce(into: Set<String>(), { $0.formUnion($1) }).sorted() {
                let holders = known.indices.filter { names[$0].contains(name) }
                let lacking = known.indices.filter { index in
                    takesPart[index] && !names[index].contains(name)
                        && !(known[index].format.comparesLeafOnly && issuers.contains(name))
                }
                guard let holder = holders.first, !lacking.isEmpty else { continue }
                if holders.count == 1, lacking.count > 1 {
                    let line = sets[holder].first { $0.name == name }?.line
                    add(
                        .extraPin, .error, known[holder], pin: name, line: line,
                        "has \(name) for \(pattern), which \(places(lacking.map { known[$0] })) lack")
                } else {
                    for index in lacking {
                        let with = holders.map { known[$0] }
                        add(
                            .missingPin, .error, known[index], pin: name,
                            "lacks \(name) for \(pattern), which \(places(with)) \(with.count == 1 ? "has" : "have")")
                    }
                }
            }
        }
    }

    /// Names of pins that are said to be a CA's, and by nobody to be a leaf's.
    private static func issuers(_ sets: [Set<DeclaredPin>]) -> Set<String> {
        let all = sets.flatMap { $0 }
        let leaves = Set(all.filter { $0.part == .leaf }.map(\.name))
        return Set(all.filter { $0.part == .ca }.map(\.name)).subtracting(leaves)
    }

    private mutating func compareParts() {
        let lists = pinned.map { stack in
            (leaf: Set(stack.pins.pins(.leaf).map(\.name)), ca: Set(stack.pins.pins(.ca).map(\.name)))
        }
        for (index, stack) in pinned.enumerated() {
            for (other, list) in zip(pinned, lists) where other != stack {
                for name in lists[index].leaf.intersection(list.ca).subtracting(lists[index].ca).sorted() {
                    add(
                        .part, .error, stack, pin: name,
                        "compares \(name) with the server's own key for \(pattern), and \(other.place) with its issuers'"
                    )
                }
            }
            let others = pinned.filter { $0 != stack && $0.format != .appleATS }
            if stack.pins.combination == .everyList, !lists[index].leaf.isEmpty, !lists[index].ca.isEmpty,
                !others.isEmpty
            {
                add(
                    .part, .note, stack,
                    "asks for a pin of the leaf and for one of a CA at \(pattern), and \(places(others)) for one pin alone"
                )
            }
        }
    }

    private mutating func compareEnforcement() {
        let enforced = pinned.filter(\.pins.isEnforced)
        guard !enforced.isEmpty else { return }
        for stack in pinned where !stack.pins.isEnforced {
            add(
                .enforcement, .error, stack,
                "only reports a failed pin of \(pattern), and \(places(enforced)) \(enforced.count == 1 ? "refuses" : "refuse")"
            )
        }
    }

    private mutating func compareExpiry() {
        guard let first = pinned.first(where: { $0.pins.expires != nil }), let day = first.pins.expires else { return }
        for stack in pinned {
            guard let expires = stack.pins.expires else {
                // Cronet asks for a day, and what has none to give has not been forgotten.
                let isForced = !stack.format.expires || first.format == .cronet
                add(
                    .expiry, isForced ? .note : .error, stack,
                    "pins \(pattern) without end, and the pins of \(first.place) are off from \(day) on")
                continue
            }
            if let today, expires <= today {
                add(.expiry, .error, stack, "has pinned \(pattern) until \(expires), and does so no more")
            } else if expires != day {
                add(
                    .expiry, .error, stack,
                    "has pins for \(pattern) that are off from \(expires) on, and those of \(first.place) from \(day) on"
                )
            }
        }
    }
}

extension PinFormat {
    /// A pattern can be written in it at all.
    var takesInSubdomains: Bool {
        switch self {
        case .alamofire, .afNetworking, .flutter, .curl, .source, .androidManifest: false
        default: true
        }
    }

    /// Only the server's own certificate, or its key, is looked at.
    var comparesLeafOnly: Bool { self == .curl || self == .flutter }

    /// An entry can have a last day.
    var expires: Bool {
        switch self {
        case .androidNSC, .trustKit, .cronet, .neutral, .reactNative: true
        default: false
        }
    }
}

extension DeclaredPin.Kind {
    /// In a sentence.
    var words: String {
        switch self {
        case .spkiSHA256: "SHA-256 of a key"
        case .spkiSHA1: "SHA-1 of a key"
        case .certificateSHA256: "SHA-256 of a certificate"
        case .certificateSHA1: "SHA-1 of a certificate"
        case .certificateMD5: "MD5 of a certificate"
        }
    }
}
