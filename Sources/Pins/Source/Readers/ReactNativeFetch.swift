import Facts

/// `sslPinning` among the options of react-native-ssl-pinning's `fetch`, or of a plugin.
enum ReactNativeFetch {
    static func read(at place: Int, _ code: SourceEvaluator, _ file: inout PinFile) {
        let source = code.source
        guard let open = source.opener(around: place), source.isSymbol("{", at: open),
            source.isSymbol("{", at: place + 2), !isType(place + 2, source), !DebugGuard.holds(at: place, code)
        else { return }
        for environment in code.environments(at: place) {
            let pinned = code.collection(place + 2, environment, depth: 0).item
            if let entries = pinned.dictionary, entries.contains(where: { $0.key.text?.contains(".") == true }) {
                plugin(entries, &file)
            } else if let certificates = certificates(place + 2, pinned, code, environment) {
                let options = code.collection(open, environment, depth: 0).item.dictionary ?? []
                fetch(certificates, options, open, place, code, environment, &file)
            }
        }
    }

    /// `{ certs: string[] }`.
    private static func isType(_ open: Int, _ source: SourceText) -> Bool {
        source.isSymbol(":", at: open + 2) && source.isWord("string", at: open + 3)
    }

    private static func certificates(
        _ open: Int, _ pinned: SourceItem, _ code: SourceEvaluator, _ environment: SourceEvaluator.Environment
    ) -> SourceItem? {
        if let given = pinned.dictionary?.last(where: { $0.key.text == "certs" })?.value { return given }
        // `{ certs }`
        return code.source.isWord("certs", at: open + 1)
            ? code.expression(at: open + 1, environment, depth: 0).item : nil
    }

    // MARK: fetch

    private static func fetch(
        _ certificates: SourceItem, _ options: [SourceEntry], _ open: Int, _ place: Int, _ code: SourceEvaluator,
        _ environment: SourceEvaluator.Environment, _ file: inout PinFile
    ) {
        let source = code.source
        func flag(_ name: String) -> Bool { options.last { $0.key.text == name }?.value.bool == true }
        let call = source.opener(around: open).flatMap { source.isSymbol("(", at: $0) ? $0 : nil }
        let url = call.flatMap { source.parts(of: $0).first }.flatMap {
            $0.contains(open) ? nil : code.value(of: $0, environment)
        }
        let line = source.line(url == nil ? open : call ?? open)
        let domain = url?.text.flatMap(URLHost.host).flatMap { HostName($0) }?.text
        if flag("disableAllSecurity") {
            file.set(.trustsEverything, host: domain, line: line, "disableAllSecurity: true")
            file.note(
                .misplaced, host: domain, line: line,
                "disableAllSecurity is true: sslPinning is not looked at, and every certificate of "
                    + "\(domain ?? "its host") is taken")
            return
        }
        var host = DeclaredHost(
            domain, domain == nil ? [] : .itself, pins: [], isPinned: true, format: .reactNative, line: line)
        if domain == nil {
            file.note(
                .unresolved, line: line,
                "the URL is \(url?.shown ?? "given elsewhere"), and this file does not say which host is pinned")
        }
        let items = certificates.list?.flatMap(\.flattened) ?? [certificates]
        if flag("pkPinning") {
            keys(items, into: &host, &file)
            file.note(
                .versionsDiffer, line: certificates.line,
                "on iOS these pins are not read: the keys of all certificates in the app's bundle are pinned")
        } else {
            host.pinsKnown = false
            names(items, line: certificates.line, &file)
        }
        file.hosts.append(host)
    }

    private static func keys(_ items: [SourceItem], into host: inout DeclaredHost, _ file: inout PinFile) {
        for item in items {
            guard let text = item.text else {
                host.pinsKnown = false
                continue
            }
            let read = text.hasPrefix("sha") ? PinText.prefixed(text, line: item.line) : nil
            host.pins.append(read ?? DeclaredPin(.spkiSHA256, text: text, digest: nil, line: item.line))
            if read == nil {
                file.note(
                    .malformedPin, line: item.line,
                    "\"\(Printable.excerpt(text))\" does not begin with sha256/: OkHttp throws, and no request is made")
            } else if read?.digest == nil {
                file.note(
                    .malformedPin, line: item.line,
                    "\"\(Printable.excerpt(text))\" is no SHA-256 in base64 (44 letters): it matches nothing")
            }
        }
        ReactNativeSourceReader.tellUnknown(items, &file)
    }

    private static func names(_ items: [SourceItem], line: Int, _ file: inout PinFile) {
        if let pin = items.first(where: { $0.text?.hasPrefix("sha256/") == true }) {
            file.note(
                .neverMatches, line: pin.line,
                "without pkPinning: true a pin is taken for the name of a certificate, which is not there: "
                    + "no request is made on Android")
            return
        }
        let names = items.compactMap(\.text).map { Printable.excerpt($0) + ".cer" }
        file.note(
            .certificatePins, line: line,
            "pinned by certificates that are not at hand: "
                + (names.isEmpty ? "their names are not said here" : names.joined(separator: ", "))
                + " on Android, and all that the app's bundle has on iOS")
    }

    // MARK: a plugin's settings

    private static func plugin(_ entries: [SourceEntry], _ file: inout PinFile) {
        for entry in entries {
            let pins = entry.value.list?.flatMap(\.flattened) ?? [entry.value]
            let known = LinedJSON(
                value: .array(pins.compactMap { LinedJSON(constant: $0) }), line: entry.value.line)
            let member = LinedJSON.Member(name: entry.key.text ?? "", line: entry.line, value: known)
            ReactNativeShapes.wildcard(member, known, coversItself: true, into: &file)
            if entry.key.text == nil { ReactNativeSourceReader.unnamed(entry.key, line: entry.line, &file) }
            if pins.contains(where: { $0.text == nil }), let last = file.hosts.indices.last {
                file.hosts[last].pinsKnown = false
            }
            ReactNativeSourceReader.tellUnknown(pins, &file)
        }
    }
}
