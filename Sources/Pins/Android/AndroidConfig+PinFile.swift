import Facts

extension AndroidConfig {
    /// Domains times what holds for each, as each is written out; a real file has some hundred.
    static let valueLimit = 200_000

    /// Hosts, notes and settings, as every format gives them.
    ///
    /// - Throws: what TrustKit refuses where the file configures it.
    func pinFile(path: String) throws(PinFileFault) -> PinFile {
        var file = PinFile(path: path, format: .androidNSC)
        let pinned = pinnedParents
        var values = 0
        for entry in entries {
            let pinSet = pinSet(of: entry)
            let trustKit = trustKit(of: entry)
            let isOverridden = anchors(of: entry)?.contains { $0.source == .system && $0.overridesPins } ?? false
            values += entry.domains.count * (1 + (pinSet?.pins.count ?? 0) + (anchors(of: entry)?.count ?? 0))
            guard values <= Self.valueLimit else {
                throw PinFileFault(
                    line: entry.line,
                    "its domains have more than \(Self.valueLimit) pins and anchors, the most that is read")
            }
            if let trustKit { try checkForTrustKit(entry, pinSet, trustKit) }
            for domain in entry.domains {
                guard var host = host(domain, pinSet, trustKit, pinned, &file.notes) else { continue }
                host.isOverridden = isOverridden
                file.hosts.append(host)
            }
            if pinSet?.pins.isEmpty ?? true { file.namedHosts += entry.domains.map { AndroidDomain.bare($0.name) } }
            addNotes(of: entry, pinSet, trustKit, to: &file.notes)
        }
        for entry in [base].compactMap(\.self) + entries {
            file.settings += anchorSettings(of: entry) + clearTextSettings(of: entry)
            addAnchorNotes(of: entry, to: &file.notes)
        }
        if let debug { file.notes.append(Self.debugNote(debug)) }
        for skipped in skipped { file.notes.append(Self.note(skipped)) }
        file.notes.sort { $0.line < $1.line }
        return file
    }

    /// nil where the entry has no pins, and takes none from anybody else.
    private func host(
        _ domain: Domain, _ pinSet: PinSet?, _ trustKit: TrustKit?, _ pinned: [String: Domain],
        _ notes: inout [PinNote]
    ) -> DeclaredHost? {
        let mismatch = AndroidDomain.mismatch(domain.name)
        var host = DeclaredHost(
            AndroidDomain.bare(domain.name), domain.includesSubdomains ? [.itself, .descendants] : .itself,
            pins: pinSet?.pins ?? [], isEnforced: trustKit.map { $0.enforcesPinning == true } ?? true,
            expires: pinSet?.expires, format: trustKit == nil ? .androidNSC : .trustKit, line: domain.line)
        guard !host.pins.isEmpty else {
            guard mismatch == nil, let parent = Self.parent(of: domain, among: pinned) else { return nil }
            host.isEnforced = true
            host.expires = nil
            let below = domain.includesSubdomains ? " and what lies below it" : ""
            notes.append(
                PinNote(
                    .shadows, line: domain.line,
                    "\(domain.name)\(below) has an entry of its own without pins: those of \(parent.name) in line "
                        + "\(parent.line) do not apply to it"))
            return host
        }
        if let mismatch {
            host.reach = []
            notes.append(
                PinNote(.neverMatches, line: domain.line, "\(AndroidConfigParser.quoted(domain.name)) \(mismatch)"))
        }
        return host
    }

    /// Domains with pins that take in what lies below them, by name.
    private var pinnedParents: [String: Domain] {
        var parents: [String: Domain] = [:]
        for entry in entries where pinSet(of: entry)?.pins.isEmpty == false {
            for domain in entry.domains where domain.includesSubdomains { parents[domain.name] = domain }
        }
        return parents
    }

    /// The longest that would take the domain in if it had no entry.
    private static func parent(of domain: Domain, among parents: [String: Domain]) -> Domain? {
        var rest = domain.name[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if let parent = parents[String(rest)] { return parent }
        }
        return nil
    }

    private func addNotes(
        of entry: Entry, _ pinSet: PinSet?, _ trustKit: TrustKit?, to notes: inout [PinNote]
    ) {
        // Of those that inherit it, its owner tells.
        if let own = entry.pinSet, own.pins.isEmpty {
            notes.append(
                PinNote(
                    .misplaced, line: own.line,
                    "this <pin-set> has no <pin>: Android pins nothing by it, and the app connects without"))
        }
        if let own = entry.pinSet, !own.pins.isEmpty, let date = own.expires {
            notes.append(
                PinNote(
                    .expiration, line: own.line,
                    "from \(date) on, at midnight of the device's time zone, these pins are off and every trusted "
                        + "certificate is taken"))
        }
        guard let trustKit, let pinSet, !pinSet.pins.isEmpty, entry.trustKit != nil || entry.pinSet != nil else {
            return
        }
        if trustKit.enforcesPinning != true {
            notes.append(
                PinNote(
                    .reportOnly, line: trustKit.line,
                    "TrustKit only reports here, as enforcePinning is not \"true\": the connections that it validates "
                        + "go on after a failed pin"))
        }
        for domain in entry.domains.dropLast() {
            notes.append(
                PinNote(
                    .neverMatches, line: domain.line,
                    "TrustKit takes the last <domain> of a <domain-config> alone: it never validates "
                        + Printable.excerpt(domain.name)))
        }
    }

    /// TrustKit-Android's DomainPinningPolicy throws when it is set up, where it is to enforce the pins.
    ///
    /// A domain without a pin-set it skips, since its commit 5759dbc.
    private func checkForTrustKit(
        _ entry: Entry, _ pinSet: PinSet?, _ trustKit: TrustKit
    ) throws(PinFileFault) {
        let count = Set((pinSet?.pins ?? []).compactMap(\.digest)).count
        guard trustKit.enforcesPinning == true, pinSet != nil, count < 2 else { return }
        throw PinFileFault(
            line: pinSet?.line ?? entry.line,
            "there is \(count == 0 ? "no pin" : "one pin alone") for TrustKit (line \(trustKit.line)): it wants two "
                + "different ones where it enforces pins, and the app fails when it starts", .failsClosed,
            hints: ["add a backup pin: the key that comes next, and that no server has yet"],
            host: entry.domains.last.map { AndroidDomain.bare($0.name) })
    }

    private static func note(_ skipped: Skipped) -> PinNote {
        let place = "<\(skipped.name)> stands in <\(skipped.within)>, where Android passes over it"
        return PinNote(
            .misplaced, line: skipped.line, skipped.holdsPins ? "\(place): its pins are not in force" : place)
    }

    private static func debugNote(_ debug: Entry) -> PinNote {
        let anchors = debug.anchors ?? []
        let names = anchors.map { AndroidConfigParser.quoted($0.name) }
        guard !anchors.isEmpty else {
            return PinNote(.debugOverrides, line: debug.line, "debug-overrides without anchors: nothing changes")
        }
        let off = anchors.contains(where: \.overridesPins) ? ", and pins are off for chains that end in them" : ""
        return PinNote(
            .debugOverrides, line: debug.line,
            "in debuggable builds the certificates of \(English.some(names)) are trusted too\(off)")
    }
}
