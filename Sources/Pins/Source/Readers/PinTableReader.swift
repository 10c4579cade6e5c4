import Facts

/// Tables of names and pins in code that looks a name up in them itself.
///
///     PINS = {"**.example.com": ["sha256/…"]}        # and def pins_of(host):
///
/// As `pinproof pins export --for python`, `node` and `go` write it: the function says how names are matched, and a table
/// without it may be anything. An exact name comes before `*.` (one label), and that before `**.` (any depth).
package enum PinTableReader: SourceReader {
    static let words = ["pins_of", "pinsOf"]
    static let format = PinFormat.code

    static func read(_ code: SourceEvaluator, path: String) -> PinFile? {
        let source = code.source
        guard source.language == .script || source.language == .python else { return nil }
        var file = PinFile(path: path, format: .code)
        // Go tells the verified chain; Python and Node what was sent, of which the leaf alone is looked at.
        let part: DeclaredPin.Part = path.lowercased().hasSuffix(".go") || code.index.has("VerifyPins") ? .any : .leaf
        for name in ["PINS", "pins"] {
            for place in code.index.places[name] ?? [] where source.isSymbol("=", at: place + 1) {
                guard let open = table(behind: place + 2, source) else { continue }
                for entry in source.parts(of: open) { read(entry, part, source, into: &file) }
            }
        }
        return file.hosts.isEmpty ? nil : file
    }

    /// The bracket around the entries: `{`, `new Map([`, `map[string][]string{`.
    private static func table(behind start: Int, _ source: SourceText) -> Int? {
        if source.isSymbol("{", at: start) { return start }
        if source.isWord("new", at: start), source.isWord("Map", at: start + 1), source.isSymbol("[", at: start + 3) {
            return start + 3
        }
        guard source.isWord("map", at: start) else { return nil }
        return (start..<start + 10).first { source.isSymbol("{", at: $0) }
    }

    private static func read(
        _ entry: Range<Int>, _ part: DeclaredPin.Part, _ source: SourceText, into file: inout PinFile
    ) {
        // `[name, [pins]]` of a map, else `name: [pins]`.
        let isPair = source.isSymbol("[", at: entry.lowerBound)
        let key = isPair ? entry.lowerBound + 1 : entry.lowerBound
        let open = key + 2
        guard source.isSymbol(isPair ? "," : ":", at: key + 1),
            source.isSymbol("[", at: open) || source.isSymbol("{", at: open)
        else { return }
        let items = source.parts(of: open)
        let pins = items.map { item in item.count == 1 ? source.constant(at: item.lowerBound) : nil }
        // Lists of something else.
        guard pins.isEmpty || pins.contains(where: { $0.map { PinText.prefixed($0, line: 1) != nil } == true }) else {
            return
        }
        let line = source.line(key)
        var host = DeclaredHost(nil, [], pins: [], isPinned: !items.isEmpty, format: .code, line: line)
        if let name = source.constant(at: key) {
            (host.domain, host.reach) = named(name)
        } else {
            file.note(
                .unresolved, line: line,
                "the host is \(source.excerpt(source.range(key, key + 1))), and this file does not say what that is")
        }
        for (item, text) in zip(items, pins) {
            let line = source.line(item.lowerBound)
            guard let text else {
                host.pinsKnown = false
                file.note(
                    .unresolved, line: line, "a pin is \(source.excerpt(item)), and this file does not say what that is"
                )
                continue
            }
            let pin =
                PinText.prefixed(text, part: part, line: line)
                ?? DeclaredPin(.spkiSHA256, part: part, text: text, digest: nil, line: line)
            if pin.digest == nil {
                file.note(.malformedPin, line: line, "\"\(Printable.excerpt(text))\" is no pin: it matches nothing")
            }
            host.pins.append(pin)
        }
        file.hosts.append(host)
    }

    private static func named(_ name: String) -> (String, DeclaredHost.Reach) {
        for (mark, reach): (String, DeclaredHost.Reach) in [("**.", .descendants), ("*.", .children)]
        where name.hasPrefix(mark) {
            let domain = String(name.dropFirst(mark.count))
            return (HostName(domain)?.text ?? domain.lowercased(), reach)
        }
        return (HostName(name)?.text ?? name.lowercased(), .itself)
    }
}
