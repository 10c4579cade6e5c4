/// Commands that a variable begins.
///
/// `CURL="curl --pinnedpubkey …"`, and `$CURL https://…` where it is used.
struct CurlCalls {
    /// One for each use, in the order of the script.
    private(set) var options: [(at: Int, options: CurlOptions)] = []
    /// Where the values stand that are used.
    private var values: [Range<Int>] = []

    /// Uses that are looked at; a script has some.
    private static let countLimit = 1024

    init(_ bytes: [UInt8], _ variables: ShellVariables, _ lines: LineCount, _ texts: ShellTexts) {
        let commands = variables.commands
        guard !commands.isEmpty else { return }
        var variables = variables
        var used: Set<String> = []
        var at = 0
        while let dollar = ByteSearch.first([UInt8(ascii: "$")], in: bytes, from: at), options.count < Self.countLimit {
            at = dollar + 1
            if at < bytes.count, bytes[at] == UInt8(ascii: "{") { at += 1 }
            let name = String(decoding: bytes[at...].prefix { ShellWords.isName($0) }, as: UTF8.self)
            guard let own = commands[name], !LineCount.anyContains(own, dollar) else { continue }
            let isQuoted = dollar > 0 && bytes[dollar - 1] == UInt8(ascii: "\"")
            let start = isQuoted ? dollar - 1 : dollar
            guard start == 0 || " \t\n;|&(`".utf8.contains(bytes[start - 1]), !lines.isComment(start),
                !texts.isPrinted(dollar)
            else { continue }
            // As it is there: what is set later is nothing yet.
            guard let value = variables.values(before: start)[name], ShellVariables.isCommand(value) else { continue }
            let line = lines.line(of: start)
            var words = ShellWords(
                bytes, in: start..<bytes.count, line: line, variables: variables.values(before: start))
            let command = words.command()
            at = max(at, words.position)
            guard let first = command.first, Self.isCurl(first.text) else { continue }
            var options = CurlOptions(line: line)
            options.read(Array(command.dropFirst()))
            self.options.append((start, options))
            used.insert(name)
        }
        values = used.flatMap { commands[$0] ?? [] }.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// The command at a place is the value of a variable, and is told where that is used.
    func areMade(of place: Int) -> Bool { LineCount.anyContains(values, place) }

    static func isCurl(_ word: String) -> Bool { word == "curl" || word.hasSuffix("/curl") }
}

extension ShellVariables {
    /// Where the values stand that begin with curl, by name.
    var commands: [String: [Range<Int>]] {
        var found: [String: [Range<Int>]] = [:]
        for assignment in assignments where Self.isCommand(assignment.value) {
            found[assignment.name, default: []].append(assignment.range)
        }
        return found
    }

    static func isCommand(_ value: String) -> Bool {
        value.split(maxSplits: 1) { $0 == " " || $0 == ShellWords.separator }.first.map { CurlCalls.isCurl(String($0)) }
            ?? false
    }
}
