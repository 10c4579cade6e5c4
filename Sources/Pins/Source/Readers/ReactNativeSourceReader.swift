import Facts

/// Pins of React Native in JavaScript and TypeScript.
///
/// | shape | library |
/// | --- | --- |
/// | `{HOST: {publicKeyHashes: […], includeSubdomains: true}}` | react-native-ssl-public-key-pinning |
/// | `fetch(URL, {sslPinning: {certs: […]}, pkPinning: true})` | react-native-ssl-pinning |
/// | `sslPinning: {HOST: […]}` | @bam.tech/react-native-app-security (`app.config.ts`) |
///
/// The first and the last are read as the same shapes in JSON are. Of the second, `certs` are names of certificates in
/// the app's bundle, and pins of keys only with `pkPinning`; on iOS they are not looked at: AFNetworking pins every
/// certificate that the bundle has (RNSslPinning.m, OkHttpUtils.java).
package enum ReactNativeSourceReader: SourceReader {
    static let words = ["initializeSslPinning", "publicKeyHashes", "sslPinning"]
    static let format = PinFormat.reactNative

    static func read(_ code: SourceEvaluator, path: String) -> PinFile? {
        guard code.source.language == .script else { return nil }
        var file = PinFile(path: path, format: .reactNative)
        for place in places("publicKeyHashes", code.source) { publicKeyHashes(at: place, code, &file) }
        calls(code, &file)
        for place in places("sslPinning", code.source) where code.source.isSymbol(":", at: place + 1) {
            ReactNativeFetch.read(at: place, code, &file)
        }
        return file.isEmpty ? nil : file
    }

    /// The file has one of the words, as a name or as a string.
    static func isSpoken(of source: SourceText, _ places: [String: [Int]]) -> Bool {
        words.contains { places[$0] != nil } || source.strings.contains { $0.constant.map(words.contains) == true }
    }

    /// Where a name stands, bare or quoted.
    static func places(_ name: String, _ source: SourceText) -> [Int] {
        source.tokens.indices.filter { source.tokens[$0].names(name) || source.constant(at: $0) == name }
    }

    // MARK: react-native-ssl-public-key-pinning

    private static func publicKeyHashes(at place: Int, _ code: SourceEvaluator, _ file: inout PinFile) {
        let source = code.source
        // The value of a name: `HOST: {… publicKeyHashes: […] …}`.
        guard let open = source.opener(around: place), source.isSymbol("{", at: open),
            source.isSymbol(":", at: open - 1), !isType(behind: place + 1, source),
            source.isSymbol(":", at: place + 1) || source.isSymbol(",", at: place + 1)
                || source.isSymbol("}", at: place + 1)
        else { return }
        for environment in code.environments(at: place) {
            let options = code.collection(open, environment, depth: 0).item.dictionary ?? []
            let given = source.isSymbol(":", at: place + 1) ? place + 2 : place
            let hashes = code.expression(at: given, environment, depth: 0).item
            let name = key(endingAt: open - 2, code, environment)
            var members: [LinedJSON.Member] = []
            for option in options {
                guard let text = option.key.text, let value = LinedJSON(constant: option.value) else { continue }
                members.append(LinedJSON.Member(name: text, line: option.line, value: value))
            }
            let line = source.line(open - 2)
            let json = LinedJSON(value: .object(members), line: line)
            let pins = hashes.list?.flatMap(\.flattened)
            let known = LinedJSON(
                value: .array((pins ?? []).compactMap { LinedJSON(constant: $0) }), line: hashes.line)
            ReactNativeShapes.publicKeyHashes(
                LinedJSON.Member(name: name.text ?? "", line: line, value: json), known,
                pinsKnown: pins?.allSatisfy { $0.text != nil } == true, into: &file)
            if name.text == nil { unnamed(name, line: line, &file) }
            tellUnknown(pins ?? [hashes], &file)
        }
    }

    /// `publicKeyHashes: string[]` of an interface.
    private static func isType(behind colon: Int, _ source: SourceText) -> Bool {
        ["string", "Array", "readonly", "ReadonlyArray"].contains { source.isWord($0, at: colon + 1) }
    }

    /// A name as JavaScript writes it before a colon: bare, quoted, or computed within brackets.
    static func key(endingAt end: Int, _ code: SourceEvaluator, _ environment: SourceEvaluator.Environment)
        -> SourceItem
    {
        let source = code.source
        if source.isSymbol("]", at: end), let open = source.start(of: end) {
            return code.value(of: source.range(open + 1, end), environment)
        }
        if let token = source[end], token.isIdentifier { return SourceItem(.text(token.text), line: token.line) }
        return code.value(of: source.range(end, end + 1), environment)
    }

    static func unnamed(_ name: SourceItem, line: Int, _ file: inout PinFile) {
        guard let last = file.hosts.indices.last else { return }
        (file.hosts[last].domain, file.hosts[last].reach) = (nil, [])
        // What was said of a name that is none.
        file.notes.removeAll { $0.id == .neverMatches && $0.line == line }
        file.note(.unresolved, line: line, "the host is \(name.shown), and this file does not say what that is")
    }

    static func tellUnknown(_ pins: [SourceItem], _ file: inout PinFile) {
        for pin in pins where pin.text == nil {
            file.note(
                .unresolved, line: pin.line, "a pin is \(pin.shown), and this file does not say what that is")
        }
    }

    /// With options from elsewhere: something is pinned, and this file does not say what.
    private static func calls(_ code: SourceEvaluator, _ file: inout PinFile) {
        for place in code.index.places["initializeSslPinning"] ?? [] {
            guard code.source.isSymbol("(", at: place + 1), !code.source.isWord("function", at: place - 1),
                !DebugGuard.holds(at: place, code),
                let argument = code.arguments(of: place + 1, [:], depth: 0).first?.item
            else { continue }
            switch argument.value {
            case .unknown, .call: unknown(argument, host: nil, line: code.source.line(place), &file)
            case .dictionary(let entries):
                for entry in entries {
                    switch entry.value.value {
                    case .unknown, .call: unknown(entry.value, host: entry.key.text, line: entry.line, &file)
                    default: continue
                    }
                }
            default: continue
            }
        }
    }

    private static func unknown(_ item: SourceItem, host: String?, line: Int, _ file: inout PinFile) {
        let name = host.map { HostName($0)?.text ?? $0.lowercased() }
        file.hosts.append(
            DeclaredHost(
                name, name == nil ? [] : .itself, pins: [], isPinned: true, pinsKnown: false, format: .reactNative,
                line: line))
        file.note(
            .unresolved, host: name, line: line,
            "the pins are \(item.shown), and this file does not say what that is")
    }
}

extension LinedJSON {
    /// What a value of source code is in JSON; nil where it is not known.
    init?(constant item: SourceItem) {
        switch item.value {
        case .text(let text): self.init(value: .string(text), line: item.line)
        case .bool(let flag): self.init(value: .bool(flag), line: item.line)
        case .null: self.init(value: .null, line: item.line)
        case .number(let number): self.init(value: .number(String(number)), line: item.line)
        default: return nil
        }
    }
}
