import Facts

/// The pins that count for one host on one platform, and how they are put together.
package struct EffectivePins: Hashable, Sendable {
    /// What a certificate chain has to fulfil.
    package enum Combination: Hashable, Sendable {
        /// One pin, of whichever list.
        case anyPin
        /// One pin of each list that there is: Apple's leaf and CA identities.
        case everyList
    }

    package enum Answer: String, Hashable, Sendable {
        case yes, no, unknown
    }

    package let format: PinFormat
    /// The entries that count, in the order of the file; empty: none matches, and the host is not pinned.
    package let entries: [DeclaredHost]
    /// Entries that match by themselves, and do not count since a nearer one does.
    package let passedOver: [DeclaredHost]
    /// Of all entries, each digest once; malformed ones stay, as a list of them is a list that nothing matches.
    package let pins: [DeclaredPin]

    package init(format: PinFormat, entries: [DeclaredHost], passedOver: [DeclaredHost] = []) {
        self.format = format
        self.entries = entries
        self.passedOver = passedOver
        var seen: Set<Known> = []
        pins = entries.filter(\.isPinned).flatMap(\.pins).filter { seen.insert(Known($0)).inserted }
    }

    private struct Known: Hashable {
        let kind: DeclaredPin.Kind
        let part: DeclaredPin.Part
        let digest: [UInt8]?
        let text: String

        init(_ pin: DeclaredPin) {
            kind = pin.kind
            part = pin.part
            digest = pin.digest
            text = pin.digest == nil ? pin.text : ""
        }
    }

    package var isPinned: Bool { entries.contains(where: \.isPinned) }
    /// False where a failed pin is only reported.
    package var isEnforced: Bool { entries.contains { $0.isPinned && $0.isEnforced } }
    package var pinsKnown: Bool { entries.allSatisfy { !$0.isPinned || $0.pinsKnown } }
    /// The first day without any pins; nil: that day never comes.
    package var expires: CalendarDate? {
        let pinned = entries.filter(\.isPinned)
        return pinned.contains { $0.expires == nil } ? nil : pinned.compactMap(\.expires).max()
    }
    package var combination: Combination { format == .appleATS ? .everyList : .anyPin }

    package func pins(_ part: DeclaredPin.Part) -> [DeclaredPin] { pins.filter { $0.part == part } }

    /// Of which each has to match, with where each stands where there are two: `in NSPinnedCAIdentities`.
    package var lists: [(pins: [DeclaredPin], place: String)] {
        guard combination == .everyList else { return [(pins, "")] }
        let lists = [
            (pins(.leaf), " in NSPinnedLeafIdentities"), (pins(.ca), " in NSPinnedCAIdentities"), (pins(.any), ""),
        ].filter { !$0.0.isEmpty }
        return lists.count == 1 ? [(pins, "")] : lists
    }

    /// All pins are at hand, and they are those of the other.
    func pinsSame(as other: EffectivePins) -> Bool {
        pinsKnown && other.pinsKnown && Set(pins.map(\.name)) == Set(other.pins.map(\.name))
    }

    /// Pinned, enforced, and not past its day. Without a day, expiry does not count.
    package func refuses(on day: CalendarDate? = nil) -> Bool {
        guard isPinned, isEnforced else { return false }
        guard let day, let expires else { return true }
        return day < expires
    }
}
