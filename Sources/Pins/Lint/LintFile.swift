import Facts

/// A file, with the rules of its platforms.
struct LintFile: Sendable {
    let file: PinFile
    /// Each pin once, with the domains that it stands for: two `<domain>`s of one pin set are two entries.
    let pinsByPlace: [(pin: DeclaredPin, hosts: [String])]
    /// Pinned entries of one place: those with the same pins, and the same day.
    let entriesByPlace: [(entry: DeclaredHost, hosts: [String])]
    /// The first pinned entry of each domain.
    let pinnedDomains: [String: DeclaredHost]
    private let rules: [PlatformRules]
    /// Of entries that begin at a line, or have a pin there; "" for one whose host is not known.
    private let hostsByLine: [Int: Set<String>]
    /// Of each domain above pinned ones, some of those.
    private let pinnedBelow: [String: [String]]

    init(_ file: PinFile) {
        self.file = file
        rules = PlatformRules.of(file)
        pinsByPlace = Self.pinsByPlace(file)
        entriesByPlace = Self.entriesByPlace(file)
        var domains: [String: DeclaredHost] = [:]
        var below: [String: [String]] = [:]
        for entry in file.hosts where entry.isPinned {
            guard let domain = entry.domain, domain.utf8.count <= Self.longestName, domains[domain] == nil else {
                continue
            }
            domains[domain] = entry
            for parent in Self.parents(of: domain) where below[parent]?.count ?? 0 < Self.hostsOfPlace {
                below[parent, default: []].append(domain)
            }
        }
        pinnedDomains = domains
        pinnedBelow = below
        hostsByLine = Self.hostsByLine(file)
    }

    /// A finding names three of them.
    private static let hostsOfPlace = 8

    /// Bytes of a name that is looked at; DNS has none longer (RFC 1035 §2.3.4).
    private static let longestName = 253

    /// `b.c` and `c` of `a.b.c`.
    static func parents(of host: String) -> [String] {
        var parents: [String] = []
        var rest = host.prefix(longestName)
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            parents.append(String(rest))
        }
        return parents
    }

    /// The pinned entry for a host, or for the longest domain above it, whether or not it takes the host in.
    func nearestPinned(_ host: String) -> DeclaredHost? {
        guard host.utf8.count <= Self.longestName else { return nil }
        return ([host] + Self.parents(of: host)).lazy.compactMap { pinnedDomains[$0] }.first
    }

    /// Something below the domain is pinned.
    func pinsBelow(_ domain: String) -> Bool { pinnedBelow[domain] != nil }

    /// Pinned domains below one, in the order of the file; not all where there are many.
    func pinned(below domain: String) -> [String] { pinnedBelow[domain] ?? [] }

    var path: String { file.path }
    var format: PinFormat { file.format }
    var hosts: [DeclaredHost] { file.hosts }
    var notes: [PinNote] { file.notes }
    var settings: [PinSetting] { file.settings }

    /// For each format in which an entry counts for the host.
    func effective(_ host: String, on day: CalendarDate? = nil) -> [EffectivePins] {
        rules.map { $0.effective(for: host, on: day) }.filter { !$0.entries.isEmpty }
    }

    func isPinned(_ host: String) -> Bool { effective(host).contains(where: \.isPinned) }

    /// The pins that count where this entry does; nil where its host is not known.
    func effective(of entry: DeclaredHost) -> EffectivePins? {
        guard let host = entry.sample else { return nil }
        return rules.first { $0.governs(entry) }?.effective(for: host)
    }

    /// What a note is about: as its reader says, else the one entry at its line.
    func host(of note: PinNote) -> String? {
        if let host = note.host { return host }
        guard let hosts = hostsByLine[note.line], hosts.count == 1, let host = hosts.first else { return nil }
        return host.isEmpty ? nil : host
    }

    /// A file of debug builds or of tests, by its path: `app/src/debug/res/xml/…`, `Info-Debug.plist`.
    ///
    /// Only where the layout says so: any folder above may be called `test` by chance.
    var isForDebugging: Bool {
        let folders = file.path.split(separator: "/").map { $0.lowercased() }
        for (above, folder) in zip(folders, folders.dropFirst())
        where above == "src" && ["debug", "androidtest", "test"].contains(folder) { return true }
        if folders.dropLast().last == "debug" { return true }
        let name = folders.last.map { $0.split { !$0.isLetter && !$0.isNumber }.dropLast() } ?? []
        return name.last == "debug" || name.first == "debug" && !name.contains("overrides")
    }

    private static func hostsByLine(_ file: PinFile) -> [Int: Set<String>] {
        var hosts: [Int: Set<String>] = [:]
        for entry in file.hosts {
            let domain = entry.domain ?? ""
            for line in Set([entry.line] + entry.pins.map(\.line)) where hosts[line]?.count ?? 0 < 2 {
                hosts[line, default: []].insert(domain)
            }
        }
        return hosts
    }

    private static func pinsByPlace(_ file: PinFile) -> [(pin: DeclaredPin, hosts: [String])] {
        var order: [DeclaredPin] = []
        var hosts: [DeclaredPin: [String]] = [:]
        for entry in file.hosts where entry.isPinned {
            for pin in entry.pins {
                if hosts[pin] == nil { order.append(pin) }
                let known = hosts[pin] ?? []
                hosts[pin] =
                    entry.domain.map { known.contains($0) || known.count >= hostsOfPlace ? known : known + [$0] }
                    ?? known
            }
        }
        return order.map { ($0, hosts[$0] ?? []) }
    }

    private static func entriesByPlace(_ file: PinFile) -> [(entry: DeclaredHost, hosts: [String])] {
        struct Place: Hashable {
            let pins: [DeclaredPin]
            let expires: CalendarDate?
            let line: Int?
        }
        var order: [Place] = []
        var found: [Place: (entry: DeclaredHost, hosts: [String])] = [:]
        for entry in file.hosts where entry.isPinned {
            let place = Place(pins: entry.pins, expires: entry.expires, line: entry.pins.isEmpty ? entry.line : nil)
            if found[place] == nil {
                order.append(place)
                found[place] = (entry, [])
            }
            if let domain = entry.domain, found[place]?.hosts.contains(domain) != true,
                found[place]?.hosts.count ?? 0 < hostsOfPlace
            {
                found[place]?.hosts.append(domain)
            }
        }
        return order.compactMap { found[$0] }
    }
}

extension DeclaredHost {
    /// A host as good as any that it covers: its domain, or one below it that nobody names; nil: not known.
    var sample: String? { domain.map { reach.contains(.itself) ? $0 : "*." + $0 } }

    var name: String { patterns.first.map { Printable.excerpt($0) } ?? "a host that the file does not name" }
}
