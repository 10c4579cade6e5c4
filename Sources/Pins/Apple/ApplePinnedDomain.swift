import Facts

/// One entry of `NSPinnedDomains` (Apple's SecPolicy.c, `parseNSPinnedDomains`).
///
/// A host is compared with the key without regard to case, and, where `NSIncludesSubdomains` is a boolean true, the
/// host without its first label is: exactly one label more. Every entry that matches adds its pins, to two lists: one
/// of the leaf, one of the CAs. Where there is a list, it has to match, and an empty one matches nothing.
enum ApplePinnedDomain {
    private static let subdomains = "NSIncludesSubdomains"
    private static let lists: [(key: String, part: DeclaredPin.Part)] = [
        ("NSPinnedLeafIdentities", .leaf), ("NSPinnedCAIdentities", .ca),
    ]
    private static let hash = "SPKI-SHA256-BASE64"

    static func read(_ entry: PropertyList.Entry, into file: inout PinFile) {
        let name = Printable.excerpt(entry.key)
        guard entry.value.isDictionary else {
            file.notes.append(
                PinNote(
                    .misplaced, line: entry.line, "\(name) is \(entry.value.kind), and is not read: it is not pinned"))
            return
        }
        var host = DeclaredHost(
            domain(entry.key), reach(entry, into: &file), pins: [], isPinned: false, format: .appleATS, line: entry.line
        )
        if BuildSetting.isReferred(to: entry.key) { host.domain = nil }
        for (key, part) in lists {
            guard let list = entry.value.entry(key) else { continue }
            host.isPinned = true
            let told = file.notes.count
            host.pins += pins(list, part, of: name, into: &file)
            if file.notes[told...].contains(where: { $0.id == .unresolved }) { host.pinsKnown = false }
        }
        let known = [subdomains] + lists.map(\.key)
        for other in entry.value.entries where !known.contains(other.key) {
            let near = Nearest.word(to: other.key, among: known).map { ": \($0) may be meant" } ?? ""
            file.notes.append(
                PinNote(
                    .misplaced, line: other.line,
                    "\(Printable.excerpt(other.key)) is no key of a pinned domain, and is not read\(near)"))
        }
        if !host.isPinned {
            file.notes.append(
                PinNote(.misplaced, line: entry.line, "\(name) has no list of identities: this entry pins nothing"))
        }
        file.hosts.append(host)
    }

    /// For the report: as it is compared, and without what keeps it from ever matching.
    private static func domain(_ key: String) -> String {
        var domain = Substring(key.lowercased())
        for prefix in ["**.", "*.", "."] where domain.hasPrefix(prefix) { domain = domain.dropFirst(prefix.count) }
        return String(domain.hasSuffix(".") ? domain.dropLast() : domain)
    }

    private static func reach(_ entry: PropertyList.Entry, into file: inout PinFile) -> DeclaredHost.Reach {
        let name = Printable.excerpt(entry.key)
        func tell(_ text: String, line: Int) { file.notes.append(PinNote(.neverMatches, line: line, text)) }
        let isUnknown = BuildSetting.isReferred(to: entry.key)
        if isUnknown {
            file.notes.append(
                PinNote(.unresolved, line: entry.line, "\(name) is a setting of the build: its host is not known"))
        }
        guard isUnknown || HostName(entry.key) != nil && !entry.key.hasSuffix(".") else {
            let why =
                entry.key.contains("*")
                ? "an asterisk is compared as it is, and \(subdomains) is what takes in subdomains"
                : entry.key.hasSuffix(".") ? "a host is compared without its last dot" : "no host is called like that"
            tell("\(name) never matches: \(why)", line: entry.line)
            return []
        }
        guard let setting = entry.value.entry(subdomains) else { return .itself }
        switch setting.value.boolean {
        case true?: return [.itself, .children]
        case false?: return .itself
        case nil:
            tell(
                "\(subdomains) of \(name) is \(setting.value.kind), and no boolean: subdomains are not pinned",
                line: setting.line)
            return .itself
        }
    }

    private static func pins(
        _ list: PropertyList.Entry, _ part: DeclaredPin.Part, of name: String, into file: inout PinFile
    ) -> [DeclaredPin] {
        func tell(_ text: String, line: Int, _ id: PinNote.ID = .malformedPin) {
            file.notes.append(PinNote(id, line: line, text))
        }
        var pins: [DeclaredPin] = []
        var isComplete = true
        for identity in list.value.array ?? [] {
            guard identity.isDictionary else {
                tell(
                    "an entry of \(list.key) is \(identity.kind), and no dictionary: it is dropped", line: identity.line
                )
                continue
            }
            for other in identity.entries where other.key != hash {
                let key = Printable.excerpt(other.key)
                tell("\(key) is not read: only \(hash) is", line: other.line, .misplaced)
            }
            guard let value = identity[hash] else {
                tell("an entry of \(list.key) has no \(hash): it is dropped", line: identity.line)
                continue
            }
            guard let text = value.string else {
                tell("\(hash) is \(value.kind), and no string: the entry is dropped", line: value.line)
                continue
            }
            guard !BuildSetting.isReferred(to: text) else {
                isComplete = false
                tell(
                    "\(Printable.excerpt(text)) is a setting of the build: the pin is not known", line: value.line,
                    .unresolved)
                continue
            }
            let digest = AppleBase64.decoded(text)
            let kind = DeclaredPin.Kind.spkiSHA256
            pins.append(
                DeclaredPin(
                    kind, part: part, text: text, digest: digest.count == kind.size ? digest : nil, line: value.line))
            if digest.isEmpty {
                tell("\"\(Printable.excerpt(text))\" is no base64: it is dropped", line: value.line)
            } else if digest.count != kind.size {
                let count = English.count(digest.count, "byte")
                tell(
                    "\"\(Printable.excerpt(text))\" is \(count) to the platform, and no SHA-256 of 32: it matches nothing",
                    line: value.line)
            }
        }
        if isComplete, !pins.contains(where: { $0.digest != nil }) {
            tell(
                "\(list.key) of \(name) has no pin that can match: every connection to it fails (fails closed)",
                line: list.line)
        }
        return pins
    }

    // MARK: Unions

    /// Where an entry and that of its parent, which takes in subdomains, both match a host.
    static func tellUnions(in file: inout PinFile) {
        var seen: [String: DeclaredHost] = [:]
        var parents: [String: DeclaredHost] = [:]
        let hosts = file.hosts.filter { $0.isPinned && !$0.reach.isEmpty && $0.format == .appleATS }
        for host in hosts where host.reach.contains(.children) { parents[host.domain ?? ""] = host }
        for host in hosts {
            guard let domain = host.domain else { continue }
            func tell(_ other: DeclaredHost, _ what: String) {
                file.notes.append(
                    PinNote(
                        .union, line: host.line,
                        "\(domain) is matched by this entry and by \(what) of line \(other.line): their pins are united"
                    ))
            }
            if let other = seen[domain] { tell(other, "the one") }
            seen[domain] = host
            guard let dot = domain.firstIndex(of: "."),
                let parent = parents[String(domain[domain.index(after: dot)...])]
            else { continue }
            tell(parent, "that of \(parent.domain ?? "")")
        }
    }
}
