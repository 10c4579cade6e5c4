/// The variables that a script sets to what stands in it.
///
/// `PIN='sha256//…'`, `export HOST=api.example.com`, `ARGS=(-f --pinnedpubkey "$PIN")`.
struct ShellVariables {
    struct Assignment {
        var at: Int
        var name: String
        /// An array's words have `ShellWords.separator` between them.
        var value: String
        /// Where it stands.
        var range: Range<Int>
    }
    private(set) var assignments: [Assignment] = []
    private var next = 0
    /// As they are at the place that was asked for last.
    private(set) var values: [String: String] = [:]

    /// Assignments that are looked at; a script has some hundred.
    private static let countLimit = 4096
    /// Lines of an array; one of options has some ten.
    private static let arrayLimit = 64
    private static let words = ["export", "local", "readonly", "declare", "typeset", "ARG", "ENV", "set"]

    init(_ bytes: [UInt8]) {
        var line = 1
        var start = 0
        var known: [String: String] = [:]
        while start < bytes.count, assignments.count < Self.countLimit {
            let end = bytes[start...].firstIndex(of: 10) ?? bytes.count
            if let (at, name, first, adds) = Self.assignment(bytes, start..<end) {
                var (value, past) = Self.value(bytes, from: first, line: line, known)
                if adds, let before = known[name] {
                    let isArray = first < bytes.count && bytes[first] == UInt8(ascii: "(")
                    value = before + (isArray ? String(ShellWords.separator) : "") + value
                }
                // A variable may be added to itself, again and again.
                if value.utf8.count > ShellWords.quoteLimit { value = String(ShellWords.unknown) }
                known[name] = value
                assignments.append(Assignment(at: at, name: name, value: value, range: at..<max(at, past)))
            }
            line += 1
            start = end + 1
        }
    }

    /// What is set before a place; places are asked for in their order.
    mutating func values(before place: Int) -> [String: String] {
        while next < assignments.count, assignments[next].at < place {
            values[assignments[next].name] = assignments[next].value
            next += 1
        }
        return values
    }

    private static func value(_ bytes: [UInt8], from first: Int, line: Int, _ known: [String: String]) -> (String, Int)
    {
        guard first < bytes.count, bytes[first] == UInt8(ascii: "(") else {
            var words = ShellWords(bytes, in: first..<bytes.count, line: line, variables: known)
            return (words.word().text, words.position)
        }
        var items: [String] = []
        var at = first + 1
        for _ in 0..<arrayLimit {
            var words = ShellWords(bytes, in: at..<bytes.count, line: line, variables: known)
            items += words.command().map(\.text)
            at = words.position
            if at < bytes.count, bytes[at] == UInt8(ascii: "#") { at = bytes[at...].firstIndex(of: 10) ?? bytes.count }
            guard at < bytes.count, bytes[at] == 10 else { break }
            at += 1
        }
        return (items.joined(separator: String(ShellWords.separator)), at)
    }

    private static func assignment(
        _ bytes: [UInt8], _ line: Range<Int>
    ) -> (at: Int, name: String, value: Int, adds: Bool)? {
        var at = line.lowerBound
        func word() -> Range<Int> {
            var end = at
            while end < line.upperBound, ShellWords.isName(bytes[end]) { end += 1 }
            return at..<end
        }
        func skipSpace() { while at < line.upperBound, bytes[at] == 32 || bytes[at] == 9 { at += 1 } }
        skipSpace()
        var name = word()
        if name.upperBound < line.upperBound, bytes[name.upperBound] == 32,
            words.contains(String(decoding: bytes[name], as: UTF8.self))
        {
            at = name.upperBound
            skipSpace()
            // `declare -r`.
            while at < line.upperBound, bytes[at] == UInt8(ascii: "-") {
                while at < line.upperBound, bytes[at] != 32 { at += 1 }
                skipSpace()
            }
            name = word()
        }
        var sign = name.upperBound
        let adds = sign < line.upperBound && bytes[sign] == UInt8(ascii: "+")
        if adds { sign += 1 }
        guard !name.isEmpty, sign < line.upperBound, bytes[sign] == UInt8(ascii: "=") else { return nil }
        return (name.lowerBound, String(decoding: bytes[name], as: UTF8.self), sign + 1, adds)
    }
}
