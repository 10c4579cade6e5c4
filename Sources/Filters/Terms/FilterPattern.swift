/// A text in which `*` stands for any characters, none and slashes too.
package struct FilterPattern: Sendable {
    /// The text around the stars, as typed: one more than there are stars, and empty at an end that is a star.
    package let segments: [String]
    /// Else letters' case makes no difference, as `CaseFolding` says.
    package let isCaseSensitive: Bool
    private let needles: [Needle]
    /// One of them asks for text that was folded before.
    private let needsFoldedText: Bool

    package init(segments: [String], isCaseSensitive: Bool = false) {
        // Stars side by side are one.
        var kept: [String] = []
        for (index, segment) in segments.enumerated()
        where !segment.isEmpty || index == 0 || index == segments.count - 1 { kept.append(segment) }
        self.segments = kept.isEmpty ? [""] : kept
        self.isCaseSensitive = isCaseSensitive
        needles = self.segments.map { Needle($0, isCaseSensitive: isCaseSensitive) }
        needsFoldedText = needles.contains { $0.needsFoldedText }
    }

    /// Without a star.
    package init(_ text: String, isCaseSensitive: Bool = false) {
        self.init(segments: [text], isCaseSensitive: isCaseSensitive)
    }

    package var hasStar: Bool { segments.count > 1 }

    /// Only stars.
    package var isEverything: Bool { segments.count > 1 && segments.allSatisfy(\.isEmpty) }

    /// What is in every text that matches, in this order: what a full-text index can be asked for.
    package var literals: [String] { segments.filter { !$0.isEmpty } }

    // MARK: Whole values

    /// The pattern is all of the text.
    package func isAll(of text: some StringProtocol) -> Bool { isAll(ofUTF8: text.utf8) }

    func isAll(ofUTF8 text: some Collection<UInt8>) -> Bool {
        guard hasStar else { return equals(text) }
        if isEverything { return true }
        let bytes = needsFoldedText ? CaseFolding.folded(text) : Array(text)
        guard let first = needles.first, let last = needles.last, bytes.count >= first.bytes.count + last.bytes.count,
            equal(bytes.prefix(first.bytes.count), first), equal(bytes.suffix(last.bytes.count), last)
        else { return false }
        let middle = Array(bytes[first.bytes.count..<(bytes.count - last.bytes.count)])
        return contains(needles.dropFirst().dropLast(), middle)
    }

    private func equals(_ text: some Collection<UInt8>) -> Bool {
        guard let needle = needles.first else { return false }
        return needle.needsFoldedText
            ? CaseFolding.folded(text) == needle.bytes : equal(text, needle)
    }

    private func equal(_ text: some Collection<UInt8>, _ needle: Needle) -> Bool {
        let bytes = needle.bytes
        guard text.count == bytes.count else { return false }
        let isExact = isCaseSensitive || needsFoldedText
        var index = 0
        for byte in text {
            guard byte == bytes[index] || !isExact && CaseFolding.ascii(byte) == bytes[index] else { return false }
            index += 1
        }
        return true
    }

    // MARK: Parts of values

    /// The pattern is somewhere in the text.
    package func isPart(of text: [UInt8]) -> Bool {
        contains(needles[...], needsFoldedText ? CaseFolding.folded(text) : text)
    }

    /// The same for short texts, without a copy of them.
    func isPart(ofUTF8 text: some Sequence<UInt8>) -> Bool {
        if needsFoldedText || hasStar { return isPart(of: Array(text)) }
        return needles.first?.walk(text) != nil
    }

    private func contains(_ needles: ArraySlice<Needle>, _ text: [UInt8]) -> Bool {
        var position = 0
        for needle in needles {
            guard let end = needle.end(in: text, from: position) else { return false }
            position = end
        }
        return true
    }
}

extension FilterPattern: Hashable {
    package static func == (a: Self, b: Self) -> Bool {
        a.segments == b.segments && a.isCaseSensitive == b.isCaseSensitive
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(segments)
        hasher.combine(isCaseSensitive)
    }
}

extension FilterPattern {
    /// Where it is in a text, as far as that can be said: of a pattern with a star, or in a text whose folded form has another
    /// length, nobody knows.
    ///
    /// - Parameter limit: of places.
    package func places(in text: [UInt8], limit: Int) -> [Range<Int>] {
        guard !hasStar, let needle = needles.first, !needle.bytes.isEmpty else { return [] }
        let searched = needle.needsFoldedText ? CaseFolding.folded(text) : text
        guard searched.count == text.count else { return [] }
        var places: [Range<Int>] = []
        var start = 0
        while places.count < limit, let end = needle.end(in: searched, from: start) {
            places.append(end - needle.bytes.count..<end)
            start = end
        }
        return places
    }
}
