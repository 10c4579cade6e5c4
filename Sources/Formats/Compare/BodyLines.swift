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
        var numbers: [ArraySlice<UInt8>: Int] = [:]
        func number(_ line: ArraySlice<UInt8>) -> Int {
            if let known = numbers[line] { return known }
            numbers[line] = numbers.count
            return numbers.count - 1
        }
        func text(_ line: ArraySlice<UInt8>) -> String { String(decoding: line, as: UTF8.self) }
        let known = before.dropFirst(same.before).dropLast(same.after).map(number)
        let wanted = after.dropFirst(same.before).dropLast(same.after).map(number)
        for change in wanted.difference(from: known) {
            switch change {
            case .remove(let offset, _, _): removed[same.before + offset] = text(before[same.before + offset])
            case .insert(let offset, _, _): inserted[same.before + offset] = text(after[same.before + offset])
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
    private static func same(
        _ first: [ArraySlice<UInt8>], _ second: [ArraySlice<UInt8>]
    ) -> (before: Int, after: Int) {
        let most = min(first.count, second.count)
        func isSame(_ a: Int, _ b: Int) -> Bool { first[a] == second[b] }
        var before = 0
        while before < most, isSame(before, before) { before += 1 }
        var after = 0
        while after < most - before, isSame(first.count - 1 - after, second.count - 1 - after) { after += 1 }
        return (before, after)
    }

    /// What stands between LF, CR LF and CR. By bytes: to look for the ends of letters takes seconds in a body of megabytes.
    private static func lines(_ text: String) -> [ArraySlice<UInt8>] {
        let bytes = Array(text.utf8)
        var lines: [ArraySlice<UInt8>] = []
        var (start, at) = (0, 0)
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { continue }
            lines.append(bytes[start..<at - 1])
            if byte == UInt8(ascii: "\r"), at < bytes.count, bytes[at] == UInt8(ascii: "\n") { at += 1 }
            start = at
        }
        return lines + [bytes[start...]]
    }
}
