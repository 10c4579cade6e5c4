/// Lines of two texts that are not the same.
enum BodyLines {
    /// A line that is another one, or is only in one of them.
    struct Change: Hashable {
        /// From 1: of the first text, or of the second where it is only there.
        var line: Int
        var removed: String?
        var inserted: String?
    }

    /// Of those between the first and the last that are not the same. The search for the shortest list of changes takes time in
    /// proportion to lines times changes: a second for so many that are all others.
    private static let lineLimit = 1500

    static func areComparable(_ first: String, _ second: String) -> Bool {
        let (first, second) = (lines(first), lines(second))
        let same = same(first, second)
        return max(first.count, second.count) - same.before - same.after <= lineLimit
    }

    /// In their order; a line that was changed is one change.
    static func changes(_ first: String, _ second: String) -> [Change] {
        var removed: [Int: String] = [:]
        var inserted: [Int: String] = [:]
        let (before, after) = (lines(first), lines(second))
        let same = same(before, after)
        // By numbers: what is compared millions of times is not read each time.
        var numbers: [[UInt8]: Int] = [:]
        func number(_ line: Substring) -> Int {
            let bytes = Array(line.utf8)
            if let known = numbers[bytes] { return known }
            numbers[bytes] = numbers.count
            return numbers.count - 1
        }
        let known = before.dropFirst(same.before).dropLast(same.after).map(number)
        let wanted = after.dropFirst(same.before).dropLast(same.after).map(number)
        for change in wanted.difference(from: known) {
            switch change {
            case .remove(let offset, _, _): removed[same.before + offset] = String(before[same.before + offset])
            case .insert(let offset, _, _): inserted[same.before + offset] = String(after[same.before + offset])
            }
        }
        var out: [Change] = []
        // Where both go on side by side, what went and what came at the same place belong together.
        var (old, new) = (0, 0)
        let ends = (old: (removed.keys.max() ?? -1) + 1, new: (inserted.keys.max() ?? -1) + 1)
        while old < ends.old || new < ends.new {
            switch (removed[old], inserted[new]) {
            case (let gone?, let come?):
                out.append(Change(line: old + 1, removed: gone, inserted: come))
                (old, new) = (old + 1, new + 1)
            case (let gone?, nil):
                out.append(Change(line: old + 1, removed: gone))
                old += 1
            case (nil, let come?):
                out.append(Change(line: new + 1, inserted: come))
                new += 1
            case (nil, nil): (old, new) = (old + 1, new + 1)
            }
        }
        return out
    }

    /// How many lines both begin and end with, by their bytes: letters may look alike.
    private static func same(_ first: [Substring], _ second: [Substring]) -> (before: Int, after: Int) {
        let most = min(first.count, second.count)
        func isSame(_ a: Int, _ b: Int) -> Bool { first[a].utf8.elementsEqual(second[b].utf8) }
        var before = 0
        while before < most, isSame(before, before) { before += 1 }
        var after = 0
        while after < most - before, isSame(first.count - 1 - after, second.count - 1 - after) { after += 1 }
        return (before, after)
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }
    }
}
