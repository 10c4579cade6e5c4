import Facts

/// L19: a pin that somebody meant to replace.
enum PlaceholderPin: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L19", "placeholder-pin", .error, "A pin is a placeholder",
        why:
            "A pin like AAAA… or YOUR_PIN_HERE is nobody's key, and neither is the hash of nothing that a failed command prints. As the only pin it locks every user out; as the backup it is none on the day when it is needed.",
        fix: "Write the pin of a key that somebody has: `pinproof pins backup HOST --out DIR` makes one with its pin.")

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.pinFiles.flatMap { file in
            file.pinsByPlace.compactMap { pin, hosts -> LintFinding? in
                let known = NobodysPin.reason(pin, hosts)
                guard let reason = known ?? (isPlaceholder(pin.text) ? "a placeholder: no key has this pin" : nil)
                else { return nil }
                return finding(
                    in: file, line: pin.line, host: LintWords.single(hosts),
                    "\(LintWords.quoted(pin.text)) for \(LintWords.hosts(hosts)) is \(reason)",
                    fix:
                        "write the pin of a key that you have; pinproof pins backup \(hosts.first ?? "HOST") --out DIR makes one"
                )
            }
        }
    }

    /// No SHA-256 has as few characters, or as much order: the chance is below 2^-60 for each test.
    static func isPlaceholder(_ text: String) -> Bool {
        let bare = text.split(separator: "/").last.map(String.init) ?? text
        let letters = Array(bare.lowercased().filter { $0.isLetter || $0.isNumber })
        let words = [
            "replace", "yourpin", "pinhere", "backuppin", "placeholder", "todo", "example", "insert", "changeme",
        ]
        let joined = String(letters)
        let isDigest = [20, 32].contains(Base64.decoded(Array(bare.utf8)[...])?.count)
        if !isDigest, words.contains(where: joined.contains) { return true }
        guard letters.count >= shortest else { return false }
        if Set(letters).count <= fewest { return true }
        let steps = zip(letters, letters.dropFirst()).filter { a, b in
            guard let a = a.unicodeScalars.first?.value, let b = b.unicodeScalars.first?.value else { return false }
            return b == a || b == a + 1
        }
        // 00112233…, ABCDEF…
        if steps.count * 4 >= letters.count * 3 { return true }
        return (1...longestPeriod).contains { period in
            letters.count >= period * 2 && zip(letters, letters.dropFirst(period)).allSatisfy { $0 == $1 }
        }
    }

    private static let shortest = 16
    private static let fewest = 4
    private static let longestPeriod = 12
}
