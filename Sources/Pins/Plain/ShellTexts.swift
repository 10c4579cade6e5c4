/// Texts in a script that are no commands by themselves.
///
/// What stands in quotation marks, and what is only printed.
struct ShellTexts {
    private let bytes: [UInt8]
    private let lines: LineCount
    /// Of `cat <<EOF` whose output goes nowhere else.
    private let printed: [Range<Int>]

    init(_ bytes: [UInt8], _ lines: LineCount) {
        self.bytes = bytes
        self.lines = lines
        printed = Self.printed(bytes, lines)
    }

    /// It is a usage text, or an argument of `echo` or `printf` that nobody runs.
    func isPrinted(_ place: Int) -> Bool {
        if LineCount.anyContains(printed, place) { return true }
        guard let open = opening(before: place) else { return false }
        let line = lines.range(of: lines.line(of: place))
        let start = bytes[line.lowerBound..<open.place].lastIndex { ";|&({".utf8.contains($0) }
        let command = bytes[(start.map { $0 + 1 } ?? line.lowerBound)..<open.place].drop { $0 == 32 || $0 == 9 }
        let word = String(decoding: command.prefix { ShellWords.isName($0) }, as: UTF8.self)
        guard word == "echo" || word == "printf" else { return false }
        // `echo "curl …" | sh`
        return !bytes[place..<line.upperBound].prefix(ShellWords.quoteLimit).contains(UInt8(ascii: "|"))
    }

    /// The quotation mark around a place that is opened before it, and closed behind it, in its line.
    func quote(around place: Int) -> UInt8? { opening(before: place)?.mark }

    private func opening(before place: Int) -> (place: Int, mark: UInt8)? {
        let line = lines.range(of: lines.line(of: place))
        // A longer line is no script that a person writes.
        guard place - line.lowerBound <= ShellWords.quoteLimit else { return nil }
        // What is open: quotation marks, and the brackets of commands within them.
        var open: [(place: Int, mark: UInt8)] = []
        var at = line.lowerBound
        while at < place, open.count < ShellWords.depthLimit {
            let byte = bytes[at]
            let top = open.last?.mark
            if byte == UInt8(ascii: "\\"), top != UInt8(ascii: "'") {
                at += 2
                continue
            }
            if top == UInt8(ascii: "'") {
                if byte == top { open.removeLast() }
            } else if byte == UInt8(ascii: "\"") {
                if top == byte { open.removeLast() } else { open.append((at, byte)) }
            } else if byte == UInt8(ascii: "'"), top != UInt8(ascii: "\"") {
                open.append((at, byte))
            } else if byte == UInt8(ascii: "("), at > line.lowerBound, bytes[at - 1] == UInt8(ascii: "$") {
                open.append((at, byte))
            } else if byte == UInt8(ascii: ")"), top == UInt8(ascii: "(") {
                open.removeLast()
            }
            at += 1
        }
        guard let found = open.last, found.mark != UInt8(ascii: "("),
            bytes[place..<line.upperBound].prefix(ShellWords.quoteLimit).contains(found.mark)
        else { return nil }
        return found
    }

    private static func printed(_ bytes: [UInt8], _ lines: LineCount) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var at = 0
        while let mark = ByteSearch.first(Array("<<".utf8), in: bytes, from: at) {
            at = mark + 2
            let number = lines.line(of: mark)
            let line = lines.range(of: number)
            let command = bytes[line.lowerBound..<mark].drop { $0 == 32 || $0 == 9 }
            let goesOn = bytes[line].contains { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "|") }
            guard command.elementsEqual("cat ".utf8) || command.elementsEqual("cat".utf8), !goesOn else { continue }
            let word = bytes[at..<line.upperBound].drop { !ShellWords.isName($0) }.prefix { ShellWords.isName($0) }
            guard !word.isEmpty else { continue }
            var end = line.upperBound
            while end < bytes.count {
                let next = lines.range(of: lines.line(of: end + 1 < bytes.count ? end + 1 : end))
                if bytes[next].drop(while: { $0 == 9 || $0 == 32 }).elementsEqual(word) { break }
                guard next.upperBound > end else { break }
                end = next.upperBound
            }
            found.append(line.upperBound..<end)
            at = max(at, end)
        }
        return found
    }
}
