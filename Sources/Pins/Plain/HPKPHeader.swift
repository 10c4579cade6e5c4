import Facts

/// One header's directives (RFC 7469 §2.1), in whatever quotation marks it needs.
struct HPKPHeader {
    let line: Int
    let isReportOnly: Bool
    private(set) var pins: [DeclaredPin] = []
    /// Where it ends.
    private(set) var end: Int
    private var maxAge: String?
    private var coversSubdomains = false
    private var reportsTo: String?
    private var duplicate: String?
    private var unquoted = false
    private var isKnown = true

    /// It has a directive, or is empty: not just a mention of the name.
    var isValue: Bool { maxAge != nil || coversSubdomains || reportsTo != nil }

    /// - Parameter start: behind the header's name.
    init(_ bytes: [UInt8], from start: Int, line: Int, isReportOnly: Bool) {
        self.line = line
        self.isReportOnly = isReportOnly
        end = start
        var reader = Directives(bytes, from: start, line: line)
        while let directive = reader.next() {
            let name = directive.name.lowercased()
            switch name {
            case "pin-sha256":
                guard !directive.isPutTogether else {
                    isKnown = false
                    continue
                }
                if !directive.isQuoted { unquoted = true }
                pins.append(DeclaredPin(base64: directive.value, line: directive.line))
            case "max-age":
                if maxAge != nil { duplicate = name }
                maxAge = directive.value
            case "includesubdomains":
                if coversSubdomains { duplicate = name }
                coversSubdomains = true
            case "report-uri":
                if reportsTo != nil { duplicate = name }
                reportsTo = directive.value
            default: break
            }
        }
        end = reader.position
    }

    func add(to file: inout PinFile) {
        func tell(_ id: PinNote.ID, _ text: String, line: Int? = nil) {
            file.notes.append(PinNote(id, line: line ?? self.line, text))
        }
        if !isKnown { tell(.unresolved, "a pin is put together while the program runs") }
        if isReportOnly { tell(.reportOnly, "Public-Key-Pins-Report-Only reports, and lets every connection pass") }
        for pin in pins where pin.digest == nil {
            tell(
                .malformedPin,
                "\"\(Printable.excerpt(pin.text))\" is no SHA-256 in base64 (44 letters): it matches nothing",
                line: pin.line)
        }
        let age = maxAge.flatMap { $0.utf8.allSatisfy { $0 >= 48 && $0 <= 57 } ? Double($0) : nil }
        // §2.3.1 and §2.5: what a browser makes of it, which then notes no pins at all.
        if let duplicate {
            tell(.neverMatches, "\(duplicate) stands there twice: a browser passes the header over (fails open)")
        }
        if unquoted {
            tell(.neverMatches, "a pin without quotation marks is none: a browser passes the header over (fails open)")
        }
        if age == nil, !isReportOnly {
            tell(.neverMatches, "max-age is missing, or is no number: a browser passes the header over (fails open)")
        }
        if age == 0, !isReportOnly { tell(.expiration, "max-age=0 takes back the pins that were noted before") }
        if isKnown, Set(pins.compactMap(\.digest)).count < 2 {
            tell(
                .neverMatches,
                "there are no two different pins, one of them of a key that is not in the chain: a browser passes the header "
                    + "over (fails open)")
        }
        tell(
            .versionsDiffer,
            "no browser heeds Public-Key-Pins any more: Chrome and Firefox have left it in their versions 72")
        file.hosts.append(
            DeclaredHost(
                nil, coversSubdomains ? [.itself, .descendants] : .itself, pins: pins, isPinned: true,
                pinsKnown: isKnown,
                isEnforced: !isReportOnly,
                format: .hpkp, line: line))
    }

    // MARK: Directives

    private struct Directive {
        var name: String
        var value: String
        var isQuoted: Bool
        var line: Int

        /// A template's place, or quotation marks that a program puts a value between.
        var isPutTogether: Bool { value.isEmpty || value.contains { "{}$<>%()[]".contains($0) } }
    }

    /// Names, `=` and values; whatever stands between them is passed over.
    private struct Directives {
        /// Bytes from the name on; a header with ten pins has a thousand.
        private static let sizeLimit = 16_384

        private let bytes: [UInt8]
        private let end: Int
        private var at: Int
        private var line: Int

        var position: Int { at }

        init(_ bytes: [UInt8], from start: Int, line: Int) {
            self.bytes = bytes
            at = start
            end = min(bytes.count, start + Self.sizeLimit)
            self.line = line
        }

        mutating func next() -> Directive? {
            while at < end {
                let byte = bytes[at]
                if byte == 10 {
                    guard continues else { return nil }
                    line += 1
                    at += 1
                } else if Self.isLetter(byte) {
                    let first = line
                    let start = at
                    let name = take { Self.isLetter($0) || $0 == UInt8(ascii: "-") || $0 >= 48 && $0 <= 57 }
                    // A second header in the same line.
                    if name.lowercased().hasPrefix("public-key-pins") {
                        at = start
                        return nil
                    }
                    guard at < end, bytes[at] == UInt8(ascii: "=") else {
                        if name.lowercased() == "includesubdomains" {
                            return Directive(name: name, value: "", isQuoted: false, line: first)
                        }
                        continue
                    }
                    at += 1
                    if at < end, bytes[at] == UInt8(ascii: "\\") { at += 1 }
                    let isQuoted = at < end && (bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'"))
                    if isQuoted { at += 1 }
                    let value = take { $0 > 32 && !"\"';\\,".utf8.contains($0) }
                    return Directive(name: name, value: value, isQuoted: isQuoted, line: first)
                } else {
                    at += 1
                }
            }
            return nil
        }

        /// The next line goes on: a backslash ends this one, or the next begins with a directive of the same header.
        private var continues: Bool {
            var back = at - 1
            while back >= 0, bytes[back] == 13 || bytes[back] == 32 { back -= 1 }
            if back >= 0, bytes[back] == UInt8(ascii: "\\") { return true }
            var next = at + 1
            while next < end, bytes[next] == 32 || bytes[next] == 9 || "\"'\\".utf8.contains(bytes[next]) { next += 1 }
            return next < end
                && ["pin-sha256", "max-age", "includesubdomains", "report-uri"].contains {
                    bytes[next..<end].prefix($0.utf8.count).map { $0 | 0x20 }.elementsEqual($0.utf8.map { $0 | 0x20 })
                }
        }

        private mutating func take(while isPart: (UInt8) -> Bool) -> String {
            let start = at
            while at < end, isPart(bytes[at]) { at += 1 }
            return String(decoding: bytes[start..<at], as: UTF8.self)
        }

        private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 97 && byte | 0x20 <= 122 }
    }
}
