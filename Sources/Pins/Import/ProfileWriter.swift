import Facts

/// Writes a profile that the loader takes, with a comment for all that it cannot say.
package struct ProfileWriter: Sendable {
    /// As the loader: more than this it does not read.
    static let maxHosts = 2_000
    /// Bytes; of the loader's MiB some are kept for what stands at the end.
    static let maxSize = (1 << 20) - 4_096
    /// Notes at the head: who has more reads the JSON.
    static let maxNotes = 200
    /// Comments of one host; conflicts grow with the square of the files.
    static let maxComments = 40

    private let rules: ProfileRules
    private let notes: [PinImport.Note]
    private let files: [PinFile]

    package init(_ files: [PinFile], today: CalendarDate? = nil) {
        rules = ProfileRules(files, today: today)
        notes = PinImport(files).notes
        self.files = files
    }

    /// Why there is no profile in it: it would name no host, and a gate refuses such a one; nil where it names some.
    package var lack: PinFileFault? {
        guard rules.rules.isEmpty else { return nil }
        let names = English.some(files.map { Printable.excerpt($0.path) }.uniqued())
        guard files.contains(where: { $0.hosts.contains(where: \.isPinned) }) else {
            return PinFileFault(
                line: nil, "nothing is pinned in \(names): a profile of it would name no host")
        }
        return PinFileFault(
            line: nil, "no host is named in \(names): a profile of these pins would name none",
            hints: [
                "--json shows the pins, with host: null",
                "write the hosts into a profile yourself, as hosts: { api.example.com: { expect: refuse } }",
            ])
    }

    /// YAML, with a line break at its end.
    package var text: String {
        var out = "# The hosts that the app's own files pin. What stands after a number sign is for you alone.\n"
        for note in notes.prefix(Self.maxNotes) {
            out += Self.comment("note: \(note.file):\(note.note.line): \(note.note.text)", 0)
        }
        if notes.count > Self.maxNotes { out += "# and \(notes.count - Self.maxNotes) more notes: see --json\n" }
        for line in rules.leftOut.prefix(Self.maxNotes) { out += Self.comment("left out: \(line)", 0) }
        if rules.leftOut.count > Self.maxNotes { out += "# and \(rules.leftOut.count - Self.maxNotes) more left out\n" }
        out += "version: 1\n"
        var written = 0
        var size = out.utf8.count
        for rule in rules.rules.prefix(Self.maxHosts) {
            let text = Self.text(rule)
            size += text.utf8.count
            guard size < Self.maxSize else { break }
            if written == 0 { out += "hosts:\n" }
            out += text
            written += 1
        }
        if written < rules.rules.count {
            out +=
                "# and \(rules.rules.count - written) more hosts: a profile has at most \(Self.maxHosts), and 1 MiB\n"
        }
        if !rules.rules.contains(where: { !$0.refuses }) {
            out += "# Name a host that the same build contacts unpinned: without one, a refusal proves little.\n"
            out += "# controls: [cdn.example.com]\n"
        }
        return out
    }

    private static func text(_ rule: ProfileRules.Rule) -> String {
        var out = ""
        for line in rule.comments.prefix(maxComments) { out += comment(line, 2) }
        if rule.comments.count > maxComments {
            out += "  # and \(rule.comments.count - maxComments) more: see --json\n"
        }
        let key = isPlain(rule.pattern) ? rule.pattern : "\"\(rule.pattern)\""
        guard rule.refuses else { return out + "  \(key): { expect: accept, required: false }\n" }
        guard !rule.pins.isEmpty else { return out + "  \(key): { expect: refuse }\n" }
        out += "  \(key):\n    expect: refuse\n    pins:\n"
        for pin in rule.pins { out += "      - \(pin)\n" }
        return out
    }

    /// On one line: nothing in it can end it.
    private static func comment(_ text: String, _ indent: Int) -> String {
        String(repeating: " ", count: indent) + "# " + Printable.excerpt(text, limit: 1_000) + "\n"
    }

    /// A name with a dot in it that begins with a letter is text to YAML, as it stands.
    static func isPlain(_ pattern: String) -> Bool {
        guard let first = pattern.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
            return false
        }
        return pattern.contains(".")
            && pattern.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                    UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
