/// L3: the same pin twice in one set.
enum DuplicatePin: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L3", "duplicate-pin", .note, "A pin stands there twice",
        why:
            "The second one does nothing. Often one of the two was meant to be the backup, and there is none.",
        fix: "Remove one of them, or replace it by the pin of the backup key.",
        sources: ["https://developer.apple.com/news/?id=g9ejcf8y"])

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.pinFiles.flatMap { file in
            file.entriesByPlace.flatMap { entry, hosts -> [LintFinding] in
                var first: [DeclaredPin: Int] = [:]
                return entry.pins.compactMap { pin in
                    var key = pin
                    (key.line, key.text) = (0, pin.digest == nil ? pin.text : "")
                    guard let line = first[key] else {
                        first[key] = pin.line
                        return nil
                    }
                    return finding(
                        in: file, line: pin.line, host: LintWords.single(hosts),
                        "\(LintWords.pin(pin)) for \(LintWords.hosts(hosts)) stands in line \(line) already",
                        fix: "remove it, or write the backup key's pin here")
                }
            }
        }
    }
}
