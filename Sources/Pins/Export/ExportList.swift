import Facts

/// A file's entries with what counts at each.
///
/// With a profile's precedence they come to what the file's own platform does.
struct ExportList {
    private(set) var hosts: [DeclaredHost] = []
    private(set) var losses: [PinExport.Loss] = []

    private var places: [String: [Int]] = [:]

    init(_ file: PinFile) {
        let rules = PlatformRules.of(file)
        let formats = rules.map(\.format.rawValue).uniqued()
        if formats.count > 1 {
            let formats = formats.joined(separator: ", ")
            losses.append(.init(nil, "\(file.path) has entries of several formats (\(formats)): their pins are united"))
        }
        if rules.count > formats.count {
            losses.append(
                .init(
                    nil,
                    "\(file.path) has several pinners of one kind, each for a client of its own: their pins are united")
            )
        }
        var seen: Set<PinnedPattern> = []
        for host in file.hosts {
            let patterns = PinnedPattern.ruled(by: host)
            if patterns.isEmpty {
                losses.append(.init(nil, "line \(host.line) says no host for its pins, and is left out"))
            }
            for pattern in patterns where seen.insert(pattern).inserted {
                guard pattern.inProfile != nil else {
                    losses.append(.init(pattern, "it is no name of a host, and is left out"))
                    continue
                }
                let stacks = rules.map { $0.effective(for: pattern.probe) }
                guard stacks.contains(where: { !$0.entries.isEmpty || !$0.passedOver.isEmpty }) else { continue }
                add(pattern, stacks, line: host.line)
            }
        }
    }

    /// Beside an entry of the same domain that says the same, it only widens that one's reach.
    private mutating func add(_ pattern: PinnedPattern, _ stacks: [EffectivePins], line: Int) {
        let pinned = stacks.filter(\.isPinned)
        let reach: DeclaredHost.Reach =
            switch pattern.scope {
            case .exact: .itself
            case .oneLabel: .children
            case .anyDepth: .descendants
            }
        let days = pinned.map(\.expires)
        let host = DeclaredHost(
            HostName(pattern.domain)?.text, reach, pins: pinned.flatMap(\.pins), isPinned: !pinned.isEmpty,
            pinsKnown: pinned.allSatisfy(\.pinsKnown),
            isEnforced: pinned.isEmpty || pinned.contains(where: \.isEnforced),
            expires: days.contains(nil) ? nil : days.compactMap { $0 }.max(), format: .profile, line: line)
        let domain = host.domain ?? ""
        if let place = places[domain]?.first(where: { Self.isSame(hosts[$0], host) }) {
            hosts[place].reach.formUnion(reach)
        } else {
            places[domain, default: []].append(hosts.count)
            hosts.append(host)
        }
    }

    private static func isSame(_ a: DeclaredHost, _ b: DeclaredHost) -> Bool {
        a.pins == b.pins && a.isPinned == b.isPinned && a.pinsKnown == b.pinsKnown && a.isEnforced == b.isEnforced
            && a.expires == b.expires
    }
}
