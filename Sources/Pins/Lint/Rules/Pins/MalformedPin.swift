import Facts

/// L1: a pin that is no digest of its kind matches nothing, or stops the app.
enum MalformedPin: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L1", "malformed-pin", .error, "A pin is no digest",
        why:
            "A pin that is not base64 (or hexadecimal) of the right length never equals a key. Depending on the platform it locks users out at once, stops the app as it starts, or silently leaves less than you think.",
        fix: "Make the pin anew from the certificate or key: `pinproof pins FILE` prints it.",
        sources: ["RFC 7469 §2.4", "XmlConfigSource.parsePin (AOSP)", "CertificatePinner.Pin (OkHttp)"])

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.pinFiles.flatMap { file in
            let pins = file.pinsByPlace.filter { $0.pin.digest == nil }
            let lines = Set(pins.map(\.pin.line))
            return pins.map { finding($0.pin, $0.hosts, file) }
                + file.notes.filter { $0.id == .malformedPin && !lines.contains($0.line) }.map { note in
                    let host = file.host(of: note)
                    return Self.finding(
                        in: file, line: note.line, host: host, Printable.excerpt(note.text, limit: noteLimit),
                        fix:
                            "make the pin anew: pinproof pins \(host ?? "HOST") --for \(LintWords.snippet(file.format))"
                    )
                }
        }
    }

    /// Readers' notes are a sentence or two of ours, with a word of the file.
    static let noteLimit = 300

    private static func finding(_ pin: DeclaredPin, _ hosts: [String], _ file: LintFile) -> LintFinding {
        let format = file.hosts.first { $0.pins.contains(pin) }?.format ?? file.format
        return finding(
            in: file, line: pin.line, host: LintWords.single(hosts),
            "\(LintWords.quoted(pin.text)) for \(LintWords.hosts(hosts)) \(fault(pin, format)): \(LintWords.malformedEffect(format))",
            fix:
                "make the pin anew from the certificate: pinproof pins \(hosts.first ?? "HOST") --for \(LintWords.snippet(format))"
        )
    }

    private static func fault(_ pin: DeclaredPin, _ format: PinFormat) -> String {
        let size = pin.kind.size
        if format == .appleATS {
            let count = AppleBase64.decoded(pin.text).count
            return count == 0 ? "is no base64" : "has \(English.count(count, "byte")), not \(size)"
        }
        let text = pin.text.split(separator: "/").last.map(String.init) ?? pin.text
        if let bytes = Base64.decoded(Array(text.utf8)[...]), bytes.count != size, !bytes.isEmpty {
            return "has \(English.count(bytes.count, "byte")), not \(size)"
        }
        return "is no digest of \(size) bytes"
    }
}
