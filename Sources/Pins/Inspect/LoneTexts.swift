/// Finds text in a member that may be a pin without any mark.
///
/// That is a row of base64 or hexadecimal digits of the right length.
///
///     var lone = LoneTexts()
///     lone.scan(window) { … }     // for each window of the member
struct LoneTexts {
    struct Text {
        /// As `PinLikeText` writes it.
        var value: String
        /// In the member, from its first digit to behind its last.
        var place: Range<Int>
        /// Base64 that is all of a string, as compilers lay strings down: a zero behind it, a length or a zero before it.
        var isWholeString: Bool
    }

    /// A pin has at least so many in a row, so that most bytes need not be looked at.
    private static let shortest = 43
    /// Longer rows are data.
    private static let longest = 128
    /// Rows of a member that are taken apart: one with more is made of them.
    private static let limit = 50_000

    /// In the member: everything before it was looked at.
    private(set) var next = 0
    private var isInRow = false
    private var left = limit

    /// Rows that end in this window, or began in it and are not at their end yet, come once.
    mutating func scan(_ window: PieceWindow, found: (Text) -> Void) {
        let bytes = window.bytes
        var at = next - window.offset
        defer { next = window.offset + at }
        if isInRow {
            while at < bytes.count, PinLikeText.isPart[Int(bytes[at])] { at += 1 }
            isInRow = at == bytes.count
        }
        while at + Self.shortest <= bytes.count, left > 0 {
            // From the end: one byte that is no part of a row rules out all places before it.
            var probe = at + Self.shortest - 1
            while probe >= at, PinLikeText.isPart[Int(bytes[probe])] { probe -= 1 }
            guard probe < at else {
                at = probe + 1
                continue
            }
            var end = at + Self.shortest
            while end < bytes.count, PinLikeText.isPart[Int(bytes[end])] { end += 1 }
            if end == bytes.count, !window.isLast {
                if end - at <= Self.longest { return }
                isInRow = true
                at = end
                return
            }
            if end - at <= Self.longest, let text = text(at..<end, in: window) { found(text) }
            at = end
        }
        if left == 0 { at = bytes.count }
    }

    private mutating func text(_ row: Range<Int>, in window: PieceWindow) -> Text? {
        left -= 1
        let bytes = window.bytes
        let next = row.upperBound < bytes.count ? bytes[row.upperBound] : nil
        guard let (value, isBase64) = PinLikeText.value(alone: bytes[row], next: next) else { return nil }
        let before = row.lowerBound > 0 ? bytes[row.lowerBound - 1] : 0
        // In a dex file a string's length stands before it.
        let isWhole =
            isBase64 && row.count == Self.shortest && (before == 0 || before == 44)
            && (row.upperBound + 1 >= bytes.count || bytes[row.upperBound + 1] == 0)
        let start = window.offset + row.lowerBound
        return Text(value: value, place: start..<(start + row.count), isWholeString: isWhole)
    }
}
