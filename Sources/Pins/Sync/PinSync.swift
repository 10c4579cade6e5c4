import Facts

/// Whether several files pin the same hosts alike: `pinproof pins sync --check`.
///
///     let sync = PinSync(files, today: today)
///     sync.agrees             // the exit status, and `isUnclear`
///     sync.disagreements      // also for the linter's L24
///     sync.json               // pinproof.sync/1
///
/// Each host and pattern that any of the files names is looked at by the rules of every file's platform. A file that pins
/// no host is a party like any other: it does not pin what the others do.
package struct PinSync: Sendable {
    /// A file's entries of one format.
    package struct Stack: Hashable, Sendable {
        package var file: String
        /// What counts for the host at hand.
        package var pins: EffectivePins

        package var format: PinFormat { pins.format }
        /// There are pins, and the platform compares them with a chain of a public CA.
        package var isPinned: Bool { pins.entries.contains { $0.isPinned && !$0.isOverridden } }
        /// Of the first entry that counts.
        package var line: Int? { pins.entries.first?.line }
        /// `file:line`, or the file alone.
        package var place: String { line.map { "\(file):\($0)" } ?? file }
    }

    package struct Host: Hashable, Sendable {
        package var pattern: PinnedPattern
        /// One for each file and format, in the order of the files.
        package var stacks: [Stack]
        package var disagreements: [PinDisagreement]

        package var disagrees: Bool { disagreements.contains { $0.severity == .error } }
        /// Of what can be compared nothing differs, and the pins of a file are not at hand: it cannot be said.
        package var isUnclear: Bool {
            let pinned = stacks.filter(\.isPinned)
            return !disagrees && pinned.count > 1 && pinned.contains { !$0.pins.pinsKnown }
        }
        package var agrees: Bool { !disagrees && !isUnclear }
    }

    package let files: [PinFile]
    /// In the order in which the files name them.
    package let hosts: [Host]
    /// Entries whose host no file says.
    package let nameless: [PinDisagreement]
    /// Files and formats of which hosts are known, or that have no pins at all.
    let parties: Int

    package var disagreements: [PinDisagreement] { hosts.flatMap(\.disagreements) + nameless }
    /// Pins of two files were held against each other at one host at least.
    package var isCompared: Bool { hosts.contains { host in host.stacks.filter(\.isPinned).count > 1 } }
    package var disagrees: Bool { hosts.contains(where: \.disagrees) }
    /// Nothing that can be compared differs, and not all can be.
    package var isUnclear: Bool {
        !disagrees && (!isCompared || hosts.contains(where: \.isUnclear) || !nameless.isEmpty)
    }
    package var agrees: Bool { !disagrees && !isUnclear }

    /// - Parameter today: pins that have expired then are off; nil: none are.
    package init(_ files: [PinFile], today: CalendarDate? = nil) {
        self.files = files
        let rules = files.flatMap { file in
            PlatformRules.of(file).filter { $0.hasNames || file.isSilentParty(among: files) }
                .map { (file: file.path, rules: $0) }
        }
        parties = rules.count
        let siblings = rules.map { rule in
            rules.indices.filter { rules[$0].file == rule.file && rules[$0].rules.format == rule.rules.format }
        }
        var seen: Set<PinnedPattern> = []
        let patterns = files.flatMap { $0.hosts.flatMap { PinnedPattern.of($0) } }.filter { seen.insert($0).inserted }
        hosts = patterns.map { pattern in
            let effective = rules.map { $0.rules.effective(for: pattern.probe) }
            // Of a file's pinners those that name the host; where none does, the first speaks for all.
            let speaking = rules.indices.filter { place in
                rules[place].rules.pinner == nil || !effective[place].entries.isEmpty
                    || place == siblings[place].first && siblings[place].allSatisfy { effective[$0].entries.isEmpty }
            }
            let stacks = speaking.map { Stack(file: rules[$0].file, pins: effective[$0]) }
            // One label down, for a platform that takes in no more.
            let nearer =
                pattern.scope != .anyDepth
                ? [] : speaking.map { rules[$0].rules.effective(for: PinnedPattern(.oneLabel, pattern.domain).probe) }
            let comparison = SyncComparison(pattern: pattern, stacks: stacks, oneLabelDown: nearer, today: today)
            return Host(pattern: pattern, stacks: stacks, disagreements: comparison.disagreements)
        }
        nameless = files.flatMap { file in
            file.hosts.filter { $0.domain == nil && $0.isPinned }.map {
                PinDisagreement(
                    kind: .notComparable, severity: .note, pattern: nil, file: file.path, line: $0.line,
                    format: $0.format, pin: nil, text: "does not say which host it is for: its pins are not compared")
            }
        }
    }
}

extension PinFile {
    /// It is there to declare pins, and has none: its platform does not pin what others do.
    fileprivate func isSilentParty(among files: [PinFile]) -> Bool {
        // How an app was signed is in no file of it.
        guard settings.map(\.kind) != [.debuggable] || !notes.isEmpty else { return false }
        // Neither is where a platform looks for pins; what else stands in the same file speaks for it.
        guard hosts.isEmpty, format != .source, format != .androidManifest, !isOfExtension else { return false }
        return !files.contains { $0.path == path && !$0.hosts.isEmpty }
    }

    /// `A.app/PlugIns/B.appex/Info.plist`: a process of its own within an app, which is the party.
    private var isOfExtension: Bool {
        let folders = path.split(separator: "/").dropLast()
        guard let app = folders.firstIndex(where: { $0.hasSuffix(".app") }) else { return false }
        return app < folders.endIndex - 1
    }
}
