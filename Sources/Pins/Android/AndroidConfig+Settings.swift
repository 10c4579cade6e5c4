import Facts

/// What a linter looks at beside pins: anchors, and clear text.
extension AndroidConfig {
    func anchorSettings(of entry: Entry) -> [PinSetting] {
        // In the base-config for whoever has no anchors of his own, else for each domain that these reach.
        let domains = entry.domains.isEmpty ? [nil] : entry.domains.map(Optional.some)
        // Those of the base-config are told there.
        guard let anchors = inherited(entry, \.anchors) else { return [] }
        return anchors.flatMap { anchor in
            Self.kinds(of: anchor).flatMap { kind in
                domains.map { domain in
                    PinSetting(
                        kind, host: domain.map { AndroidDomain.bare($0.name) },
                        coversSubdomains: domain?.includesSubdomains ?? false, line: anchor.line,
                        Self.words(for: anchor))
                }
            }
        }
    }

    private static func kinds(of anchor: Anchors) -> [PinSetting.Kind] {
        var kinds: [PinSetting.Kind] = anchor.source == .user ? [.userAnchors] : []
        if anchor.overridesPins {
            kinds.append(anchor.source == .system ? .overridePinsOnSystemAnchors : .overridePins)
        }
        return kinds
    }

    private static func words(for anchor: Anchors) -> String {
        let overrides = anchor.overridesPins ? " overridePins=\"true\"" : ""
        return "<certificates src=\"\(Printable.excerpt(anchor.name))\"\(overrides)>"
    }

    /// Where it is said in the file; the default goes by the SDK that the app targets.
    func clearTextSettings(of entry: Entry) -> [PinSetting] {
        guard let clearText = clearText(of: entry), clearText.isPermitted else { return [] }
        let words = "cleartextTrafficPermitted=\"true\""
        guard !entry.domains.isEmpty else { return [PinSetting(.clearText, line: clearText.line, words)] }
        return entry.domains.map {
            PinSetting(
                .clearText, host: AndroidDomain.bare($0.name), coversSubdomains: $0.includesSubdomains,
                line: clearText.line, words)
        }
    }

    func addAnchorNotes(of entry: Entry, to notes: inout [PinNote]) {
        guard let anchors = entry.anchors else { return }
        for anchor in anchors where anchor.overridesPins {
            let whose =
                switch anchor.source {
                case .system: "the system's roots, which is nearly every chain"
                case .user: "a certificate that the user or the device's owner has added"
                case .wifi: "a root for Wi-Fi"
                case .resource: Printable.excerpt(anchor.name)
                }
            notes.append(
                PinNote(.overridePins, line: anchor.line, "pins are not compared with a chain that ends in \(whose)"))
        }
        // A private anchor refuses every public chain, whatever the pins say.
        guard !anchors.contains(where: { $0.source == .system }) else { return }
        let names = anchors.map { AndroidConfigParser.quoted($0.name) }
        let whom =
            entry.domains.isEmpty
            ? "every host without anchors of its own" : English.some(entry.domains.map { Printable.excerpt($0.name) })
        notes.append(
            PinNote(
                .privateAnchors, line: anchors.first?.line ?? entry.line,
                anchors.isEmpty
                    ? "no anchor at all is trusted for \(whom): every connection fails"
                    : "only chains that end in \(English.some(names)) are trusted for \(whom)"))
    }
}
