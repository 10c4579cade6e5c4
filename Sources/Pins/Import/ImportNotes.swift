import Facts

/// A file's notes: its reader's, and those that follow from the platform's rules.
struct ImportNotes {
    private(set) var notes: [PinNote]
    /// Of what a reader speaks, it speaks at every entry, and knows the better line.
    private let readers: Set<PinNote.ID>
    private var said: Set<Place> = []

    private struct Place: Hashable {
        var id: PinNote.ID
        var line: Int
    }

    init(_ file: PinFile) {
        notes = file.notes
        readers = Set(file.notes.map(\.id))
    }

    private mutating func note(_ id: PinNote.ID, _ entry: DeclaredHost, _ text: @autoclosure () -> String) {
        guard !readers.contains(id), said.insert(Place(id: id, line: entry.line)).inserted else { return }
        notes.append(PinNote(id, line: entry.line, text()))
    }

    /// - Parameter counting: what counts at each of its patterns.
    mutating func add(_ entry: DeclaredHost, _ counting: [(pattern: PinnedPattern, pins: EffectivePins)]) {
        let name = entry.domain ?? "a host that is not named"
        if entry.isPinned {
            if let expires = entry.expires {
                note(
                    .expiration, entry, "the pins of \(name) are off from \(expires) on: every valid chain passes then")
            }
            if !entry.isEnforced {
                note(.reportOnly, entry, "a failed pin of \(name) is reported, and the connection goes on")
            }
            if entry.pins.contains(where: { !$0.kind.isOfKey }) {
                note(
                    .certificatePins, entry,
                    "\(name) is pinned by hashes of certificates: a profile's pins are of keys, and a renewed certificate "
                        + "has another hash even where its key stays")
            }
        }
        for (pattern, pins) in counting {
            if !entry.isPinned, pins.entries == [entry], let over = pins.passedOver.first(where: \.isPinned) {
                note(
                    .shadows, entry,
                    "\(pattern) is not pinned: this entry has no pins, and the one of \(over.domain ?? "") in line "
                        + "\(over.line) does not count for it")
            }
            let others = pins.entries.filter { $0 != entry && $0.isPinned }
            if entry.isPinned, let other = others.first {
                note(
                    .union, entry,
                    "the pins of line \(other.line)\(others.count > 1 ? " and others" : "") count for \(pattern), too")
            }
        }
    }

    /// - Parameter others: the rules of other objects of the file.
    mutating func add(
        _ entry: DeclaredHost, _ counting: [(pattern: PinnedPattern, pins: EffectivePins)],
        beside others: [PlatformRules]
    ) {
        for (pattern, pins) in counting where pins.isPinned {
            let other = others.lazy.map { $0.effective(for: pattern.probe) }.first {
                $0.isPinned && !pins.pinsSame(as: $0)
            }
            guard let line = other?.entries.first?.line else { continue }
            note(
                .severalPinners, entry,
                "\(pattern) has other pins in line \(line), for another client: they do not count together")
        }
    }
}
