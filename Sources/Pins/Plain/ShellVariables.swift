/// The variables that a script sets to what stands in it.
///
/// `PIN='sha256//…'`, `export HOST=api.example.com`.
struct ShellVariables {
    private var assignments: [(at: Int, name: String, value: String)] = []
    private var next = 0
    /// As they are at the place that was asked for last.
    private(set) var values: [String: String] = [:]

    /// Assignments that are looked at; a script has some hundred.
    private static let countLimit = 4096
    private static let words = ["export", "local", "readonly", "declare", "typeset", "ARG", "ENV", "set"]

    init(_ bytes: [UInt8]) {
        var line = 1
        var start = 0
        var known: [String: String] = [:]
        while start < bytes.count, assignments.count < Self.countLimit {
            let end = bytes[start...].firstIndex(of: 10) ?? bytes.count
            if let (at, name, first) = Self.assignment(bytes, start..<end) {
                var words = ShellWords(bytes, in: first..<bytes.count, line: line, variables: known)
                let word = words.word()
                known[name] = word.text
                assignments.append((at, name, word.text))
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

    private static func assignment(_ bytes: [UInt8], _ line: Range<Int>) -> (at: Int, name: String, value: Int)? {
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
        guard !name.isEmpty, name.upperBound < line.upperBound, bytes[name.upperBound] == UInt8(ascii: "=") else {
            return nil
        }
        return (name.lowerBound, String(decoding: bytes[name], as: UTF8.self), name.upperBound + 1)
    }
}
