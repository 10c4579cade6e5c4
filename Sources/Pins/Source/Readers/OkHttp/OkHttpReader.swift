import Facts

/// OkHttp's `CertificatePinner` in Kotlin and Java.
///
/// Its rules are those of 4.3 and later; where older ones differ a note says so. What OkHttp throws at is a fault: the
/// app then ends where its client is made, so that nothing is ever sent.
package enum OkHttpReader: SourceReader {
    static let words = ["CertificatePinner"]
    static let format = PinFormat.okHttp

    static func read(_ code: SourceEvaluator, path: String) throws(PinFileFault) -> PinFile? {
        guard code.source.language == .kotlin || code.source.language == .java else { return nil }
        var file = PinFile(path: path, format: .okHttp)
        var entries = Entries()
        var builders = OkHttpBuilders(code)
        var isFilled = false
        for place in builders.places {
            guard let addition = builders.addition(at: place) else { continue }
            isFilled = true
            let line = code.source.line(addition.place)
            let environments = code.environments(at: addition.place)
            if environments.isEmpty {
                file.note(
                    .unresolved, line: line,
                    "it adds what a loop goes through, and nothing is in that here: what is put in stands elsewhere")
            }
            entries.seen = [:]
            for environment in environments {
                let arguments = code.arguments(of: addition.open, environment, depth: 0)
                try add(arguments, builder: addition.builder, line: line, to: &entries, &file)
            }
            if DebugGuard.holds(at: addition.place, code) {
                file.note(
                    .debugOverrides, line: line,
                    "it stands under a condition of debug builds: a release build may not have it")
            }
        }
        for (open, line) in pins(in: code) {
            entries.seen = [:]
            for environment in code.environments(at: open) {
                try add(code.arguments(of: open, environment, depth: 0), builder: -1, line: line, to: &entries, &file)
            }
        }
        file.hosts = entries.all.map(\.host)
        // A builder that is handed over as an argument is made elsewhere, perhaps by one of the others.
        if entries.all.allSatisfy({ builders.isMade($0.key.builder) }) {
            file.tellApart(entries.all.map(\.key.builder))
        }
        unite(entries.all, in: &file)
        for place in builders.lost {
            file.note(
                .unresolved, line: code.source.line(place),
                "add is called with a pin, and this file does not say on what: it is not read, and neither is its host")
        }
        if file.isEmpty, !isFilled, let place = builders.unfilled {
            file.note(
                .unresolved, line: code.source.line(place),
                "a CertificatePinner is built here, and what is put into it stands elsewhere")
        }
        if !file.hosts.isEmpty, let line = unwired(code) {
            file.set(.validatorNotWired, line: line, "an OkHttpClient is built without certificatePinner(…)")
        }
        return file.isEmpty ? nil : file
    }

    /// Entries of one pattern of one builder are one.
    private struct Entries {
        struct Key: Hashable {
            var builder: Int
            var pattern: String
        }
        struct Entry {
            var host: DeclaredHost
            var key: Key
        }
        var all: [Entry] = []
        var places: [Key: Int] = [:]
        var pins = 0
        /// Pins of the call that is being read, in rounds before: a loop leads to one of them again and again.
        var seen: [Key: Set<DeclaredPin>] = [:]

        /// - Throws: where there is more than is looked at: the rest need not be read.
        func checkBounds() throws(PinFileFault) {
            guard all.count > FormatRecogniser.maxEntries || pins > FormatRecogniser.maxPins else { return }
            let isOfPins = all.count <= FormatRecogniser.maxEntries
            throw PinFileFault(
                line: nil,
                isOfPins
                    ? "it has more than \(FormatRecogniser.maxPins) pins, the most that are looked at"
                    : "it has more than \(FormatRecogniser.maxEntries) entries, the most that are looked at")
        }
    }

    private static func add(
        _ arguments: [SourceCall.Argument], builder: Int, line: Int, to entries: inout Entries, _ file: inout PinFile
    ) throws(PinFileFault) {
        guard let first = arguments.firstIndex(where: { $0.label == "pattern" || $0.label == nil }) else { return }
        let pattern = arguments[first].item
        var given: [SourceItem] = []
        for (i, argument) in arguments.enumerated() where i != first { given += argument.item.flattened }
        // Without pins the builder adds nothing, not even a fault.
        guard !given.isEmpty else { return }
        var host = DeclaredHost(nil, pins: [], isPinned: true, format: .okHttp, line: line)
        if let text = pattern.text {
            let read = try reading(text, "the pattern", line: pattern.line) { () throws(OkHttpPattern.Refusal) in
                try OkHttpPattern(text)
            }
            (host.domain, host.reach) = (read.domain, read.reach)
            if text.hasPrefix("**.") {
                file.note(
                    .versionsDiffer, line: line,
                    "before OkHttp 4.3 the pattern \(text) matches no host, and pins nothing")
            }
            if read.reach.isEmpty {
                file.note(
                    .neverMatches, line: line, "the pattern \(text) ends with a dot: it matches no host without one")
            }
        } else {
            host.reach = []
            file.note(.unresolved, line: line, "the host is \(pattern.shown), and this file does not say what that is")
        }
        let key = Entries.Key(builder: builder, pattern: pattern.text ?? pattern.shown)
        let place = entries.places[key] ?? entries.all.count
        if place == entries.all.count {
            entries.places[key] = place
            entries.all.append(.init(host: host, key: key))
        }
        var added: [DeclaredPin] = []
        for item in given {
            guard let pin = try pin(item, of: &entries.all[place].host, &file) else { continue }
            if entries.seen[key]?.contains(pin) != true { added.append(pin) }
        }
        entries.all[place].host.pins += added
        entries.seen[key, default: []].formUnion(added)
        entries.pins += added.count
        try entries.checkBounds()
    }

    /// nil where it is not known.
    private static func pin(_ item: SourceItem, of host: inout DeclaredHost, _ file: inout PinFile)
        throws(PinFileFault) -> DeclaredPin?
    {
        guard let text = item.text else {
            host.pinsKnown = false
            file.note(
                .unresolved, host: host.domain, line: item.line,
                "a pin is \(item.shown), and this file does not say what that is")
            return nil
        }
        let pin = try reading(text, "the pin", line: item.line, host: host.domain) { () throws(OkHttpPattern.Refusal) in
            try OkHttpPin.read(text, line: item.line)
        }
        if pin.digest == nil {
            file.note(
                .malformedPin, host: host.domain, line: item.line,
                "\(Printable.excerpt(text)) has not the length of its hash: it matches no key")
        }
        return pin
    }

    private static func reading<Read>(
        _ text: String, _ what: String, line: Int, host: String? = nil, _ read: () throws(OkHttpPattern.Refusal) -> Read
    ) throws(PinFileFault) -> Read {
        do {
            return try read()
        } catch {
            throw PinFileFault(
                line: line, "OkHttp refuses \(what) \"\(Printable.excerpt(text))\": \(error.why)", .failsClosed,
                host: host)
        }
    }

    // MARK: around it

    /// `CertificatePinner.Pin("*.x", "sha256/…")`: public since 4.6, and imported by its own name.
    private static func pins(in code: SourceEvaluator) -> [(open: Int, line: Int)] {
        let source = code.source
        let isImported = (code.index.places["Pin"] ?? []).contains {
            source.isSymbol(".", at: $0 - 1) && source.isWord("CertificatePinner", at: $0 - 2)
                && !source.isSymbol("(", at: $0 + 1)
        }
        return (code.index.places["Pin"] ?? []).compactMap { place in
            guard source.isSymbol("(", at: place + 1), code.index.types["Pin"] == nil else { return nil }
            let isQualified = source.isSymbol(".", at: place - 1) && source.isWord("CertificatePinner", at: place - 2)
            return isQualified || isImported && !source.isSymbol(".", at: place - 1)
                ? (place + 1, source.line(place)) : nil
        }
    }

    /// Entries of one pinner that match one host: OkHttp takes the pins of both.
    private static func unite(_ entries: [Entries.Entry], in file: inout PinFile) {
        // More than a file that people write has: each is compared with each.
        guard entries.count <= 512 else { return }
        for (i, a) in entries.enumerated() {
            for b in entries[..<i] where a.key.builder == b.key.builder {
                guard let first = a.host.domain, let second = b.host.domain else { continue }
                let overlap =
                    a.host.reach.contains(.itself) && b.host.covers(first)
                    || b.host.reach.contains(.itself) && a.host.covers(second)
                    || (first == second && !a.host.reach.isDisjoint(with: [.children, .descendants])
                        && !b.host.reach.isDisjoint(with: [.children, .descendants]))
                guard overlap, a.host.reach != b.host.reach || first != second else { continue }
                file.note(
                    .union, line: a.host.line,
                    "\(a.key.pattern) and \(b.key.pattern) match a host together: pins of both count")
            }
        }
    }

    /// The line of a client that is built without a pinner; nil where one is given to any, or none is built.
    private static func unwired(_ code: SourceEvaluator) -> Int? {
        let source = code.source
        let given = (code.index.places["certificatePinner"] ?? []) + (code.index.places["setCertificatePinner"] ?? [])
        let isGiven = given.contains { place in
            let isCall = source.isSymbol("(", at: place + 1) || source.isSymbol("{", at: place + 1)
            let isDeclared =
                source[place - 1].map { before in
                    before.isIdentifier && before.line == source.line(place) && before.text != "return"
                        && before.text != "else"
                } ?? false
            return isCall && !isDeclared || source.isSymbol("=", at: place + 1) && source.isSymbol(".", at: place - 1)
        }
        guard !isGiven else { return nil }
        return (code.index.places["OkHttpClient"] ?? []).first { place in
            source.isSymbol("(", at: place + 1) && !source.isWord("fun", at: place - 1)
                || source.isSymbol(".", at: place + 1) && source.isWord("Builder", at: place + 2)
                    && source.isSymbol("(", at: place + 3)
        }.map { source.line($0) }
    }
}
