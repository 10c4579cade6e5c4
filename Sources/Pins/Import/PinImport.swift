import Facts

/// What several files declare, one value for each pattern: `pinproof pins import`.
///
///     let found = PinImport(files)
///     found.json        // pinproof.import/1
///     found.text        // for a terminal
///     ProfileWriter(files, today: today).text
package struct PinImport: Sendable {
    /// One pattern of one entry.
    package struct Host: Hashable, Sendable {
        package var file: String
        package var entry: DeclaredHost
        /// nil where the file does not say which host.
        package var pattern: PinnedPattern?
        /// What counts there, where the platform unites several entries; else nil.
        package var effective: EffectivePins?
    }

    /// A note and the file that it is about.
    package struct Note: Hashable, Sendable {
        package var file: String
        package var note: PinNote
    }

    private struct Key: Hashable {
        var format: PinFormat
        var pinner: Int?
        var pattern: PinnedPattern
    }

    package let files: [PinFile]
    /// In the order of the files.
    package let hosts: [Host]
    /// Those of the readers, and what follows from the platforms' rules.
    package let notes: [Note]

    package init(_ files: [PinFile]) {
        self.files = files
        var hosts: [Host] = []
        var notes: [Note] = []
        for file in files {
            let rules = PlatformRules.of(file)
            var own = ImportNotes(file)
            // A hostile file may name one host very often: what counts there is found once.
            var known: [Key: EffectivePins] = [:]
            for entry in file.hosts {
                guard let rule = rules.first(where: { $0.governs(entry) }) else { continue }
                let counting = PinnedPattern.of(entry).map { pattern in
                    let key = Key(format: entry.format, pinner: entry.pinner, pattern: pattern)
                    let pins = known[key] ?? rule.effective(for: pattern.probe)
                    known[key] = pins
                    return (pattern: pattern, pins: pins)
                }
                let unites = entry.format == .appleATS || entry.format == .okHttp
                hosts += counting.map {
                    Host(file: file.path, entry: entry, pattern: $0.pattern, effective: unites ? $0.pins : nil)
                }
                if counting.isEmpty { hosts.append(Host(file: file.path, entry: entry)) }
                own.add(entry, counting)
                if entry.pinner != nil {
                    own.add(entry, counting, beside: rules.filter { $0.format == entry.format && !$0.governs(entry) })
                }
            }
            notes += own.notes.map { Note(file: file.path, note: $0) }
        }
        self.hosts = hosts
        self.notes = notes
    }
}

extension PinImport.Host {
    /// Of keys, as declared, malformed ones too; each list in the order of the file.
    package func keyPins(_ part: DeclaredPin.Part? = nil) -> [String] {
        entry.pins.filter { $0.kind.isOfKey && (part == nil || $0.part == part) }.map(\.name)
    }

    /// All of them; of a leaf's and a CA's list the union, each once.
    package var allKeyPins: [String] {
        entry.pins.contains { $0.part != .any } ? keyPins().uniqued() : keyPins()
    }

    package var certificatePins: [String] { entry.pins.filter { !$0.kind.isOfKey }.map(\.name) }

    /// Well-formed ones, each once.
    package var effectivePins: [String]? {
        effective.map { $0.pins.filter { $0.digest != nil && $0.kind.isOfKey }.map(\.name).uniqued() }
    }

    /// `any`, `leaf`, `ca` or `leaf-and-ca`.
    package var part: String {
        // curl looks at nothing else, also where the pin is a file that is not at hand.
        if entry.format == .curl { return "leaf" }
        let parts = Set(entry.pins.map(\.part))
        if parts.isEmpty || parts.contains(.any) { return "any" }
        return parts.count == 2 ? "leaf-and-ca" : parts.contains(.leaf) ? "leaf" : "ca"
    }
}

extension Array where Element: Hashable {
    /// Each once, the first.
    func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
