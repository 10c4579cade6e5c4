import Facts

/// Cronet's and HttpEngine's `addPublicKeyPins` (CronetEngineBuilderImpl.java; Cronet.mm).
///
/// The most specific entry counts, as for every name below it where it includes subdomains; a pin is compared with each
/// key of the verified chain. What the builder throws at is a fault: the engine is then never built. On Apple's systems it
/// is an error that the caller may pass over: the pins are then not there.
package enum CronetReader: SourceReader {
    static let words = ["addPublicKeyPins", "addPublicKeyPinsForHost"] + CronetNative.words
    static let format = PinFormat.cronet

    static func read(_ code: SourceEvaluator, path: String) throws(PinFileFault) -> PinFile? {
        let source = code.source
        if code.index.has(anyOf: "Cronet_PublicKeyPins_Create") {
            if let file = try CronetNative.read(code, path: path) { return file }
        }
        var file = PinFile(path: path, format: .cronet)
        switch source.language {
        case .kotlin, .java: break
        case .objectiveC, .swift: try apple(code, in: &file)
        default: return nil
        }
        guard source.language != .objectiveC, source.language != .swift else {
            return file.hosts.isEmpty ? nil : file
        }
        for place in code.index.places["addPublicKeyPins"] ?? [] where isCall(place, in: code) {
            for environment in code.environments(at: place) {
                let call = SourceCall(name: "", arguments: code.arguments(of: place + 1, environment, depth: 0))
                let line = source.line(place)
                if let host = try host(call, isJava: true, line: line, in: &file) { file.hosts.append(host) }
            }
        }
        guard !file.hosts.isEmpty else { return nil }
        bypass(code, in: &file)
        return file
    }

    // MARK: Objective-C and Swift

    private static func apple(_ code: SourceEvaluator, in file: inout PinFile) throws(PinFileFault) {
        let source = code.source
        let isSwift = source.language == .swift
        for place in code.index.places[isSwift ? "addPublicKeyPins" : "addPublicKeyPinsForHost"] ?? [] {
            let open = isSwift ? place + 1 : source.opener(around: place) ?? -1
            guard isSwift ? source.isSymbol("(", at: open) && isCall(place, in: code) : source.isSymbol("[", at: open)
            else { continue }
            for environment in code.environments(at: place) {
                let call =
                    isSwift
                    ? SourceCall(name: "", arguments: code.arguments(of: open, environment, depth: 0))
                    : code.message(at: open, environment, depth: 0).item.call
                guard let call, let name = call.argument("forHost", 0), let pins = call.argument("pinHashes") else {
                    continue
                }
                let arguments = [name, pins].map { SourceCall.Argument(label: nil, item: $0) }
                let rest = call.arguments.filter { $0.label == "includeSubdomains" || $0.label == "expirationDate" }
                let same = SourceCall(name: "", arguments: arguments + rest)
                if let host = try host(same, line: source.line(place), in: &file) { file.hosts.append(host) }
            }
        }
        guard let line = file.hosts.first?.line, !bypass(code, in: &file) else { return }
        file.note(
            .versionsDiffer, line: line,
            "newer versions take no pins while the bypass for local trust anchors is on: the app goes on without them")
    }

    /// No declaration, and no wrapper of the same name that hands its parameters on.
    private static func isCall(_ place: Int, in code: SourceEvaluator) -> Bool {
        guard code.source.isSymbol("(", at: place + 1) else { return false }
        if let before = code.source[place - 1], before.isIdentifier, before.text != "return",
            !code.source.tokens[place].startsLine
        {
            return false
        }
        if code.expressionFunction(around: place)?.name == "addPublicKeyPins" { return false }
        var block = code.source.block(around: place)
        while let open = block {
            if code.index.functionBodies[open]?.name == "addPublicKeyPins" { return false }
            block = code.source.block(around: open)
        }
        return true
    }

    private static func host(_ call: SourceCall, isJava: Bool = false, line: Int, in file: inout PinFile)
        throws(PinFileFault) -> DeclaredHost?
    {
        guard let name = call.argument("hostName", 0), let pins = call.argument("pinsSha256", 1) else { return nil }
        var host = DeclaredHost(nil, [], pins: [], isPinned: true, format: .cronet, line: line)
        if let text = name.text {
            guard let domain = domain(text) else {
                guard isJava else {
                    host.domain = text.lowercased()
                    host.reach = .itself
                    file.note(.neverMatches, line: name.line, "no host is called \(Printable.excerpt(text))")
                    return host
                }
                throw PinFileFault(
                    line: name.line,
                    "Cronet refuses the host \"\(Printable.excerpt(text))\": it takes names alone, no addresses",
                    .failsClosed)
            }
            host.domain = domain
            host.reach = .itself
        } else {
            file.note(.unresolved, line: line, "the host is \(name.shown), and this file does not say what that is")
        }
        if let include = call.argument("includeSubdomains", 2)?.bool {
            if include, host.domain != nil { host.reach = [.itself, .descendants] }
        } else {
            file.note(
                .unresolved, host: host.domain, line: line, "whether subdomains are pinned is not said in this file")
        }
        switch call.argument("expirationDate", 3).map(SourceDate.init) {
        case .day(let day)?: host.expires = day
        case .never?: break
        case .unknown?, nil:
            file.note(
                .unresolved, host: host.domain, line: line, "the day on which the pins end is not said in this file")
        }
        try read(pins, isJava: isJava, into: &host, &file)
        return host
    }

    /// The builder takes no name of digits and dots alone, and none that IDNA cannot encode.
    static func domain(_ text: String) -> String? {
        guard !text.utf8.allSatisfy({ SourceTokenizer.isDigit($0) || $0 == UInt8(ascii: ".") }), text.utf8.count <= 253,
            let host = Punycode.host(text).flatMap({ HostName($0) }), !host.isIP
        else { return nil }
        return host.text
    }

    private static func read(_ pins: SourceItem, isJava: Bool, into host: inout DeclaredHost, _ file: inout PinFile)
        throws(PinFileFault)
    {
        guard let items = pins.list else {
            host.pinsKnown = false
            file.note(
                .unresolved, host: host.domain, line: pins.line,
                "the pins are \(pins.shown), and this file does not say what that is")
            return
        }
        for item in items {
            switch SourceBytes(item) {
            case .bytes(let bytes, let text, let line):
                guard bytes.count == 32 else {
                    // Java throws; elsewhere it is an error that is handed back.
                    throw PinFileFault(
                        line: line, "Cronet refuses a pin of \(bytes.count) bytes: SHA-256 has 32",
                        isJava ? .failsClosed : .failsOpen, host: host.domain)
                }
                let pin = DeclaredPin(.spkiSHA256, text: text, digest: bytes, line: line)
                host.pins.append(pin)
            case .malformed(let text, let line):
                guard isJava else {
                    host.pins.append(DeclaredPin(.spkiSHA256, text: text, digest: nil, line: line))
                    file.note(
                        .malformedPin, line: line, "\"\(Printable.excerpt(text))\" is no base64: it is decoded to nil")
                    continue
                }
                throw PinFileFault(
                    line: line, "\"\(Printable.excerpt(text))\" is no base64: decoding it ends the app", .failsClosed,
                    host: host.domain)
            case .unknown(let text, let line):
                host.pinsKnown = false
                file.note(
                    .unresolved, host: host.domain, line: line,
                    "a pin is \(text), and this file does not say what that is")
            }
        }
    }

    /// Anchors that a user or an administrator has added are exempt, unless it is told otherwise.
    ///
    /// - Returns: false where they surely are.
    @discardableResult private static func bypass(_ code: SourceEvaluator, in file: inout PinFile) -> Bool {
        let names = [
            "enablePublicKeyPinningBypassForLocalTrustAnchors", "setEnablePublicKeyPinningBypassForLocalTrustAnchors",
        ]
        for name in names {
            for place in code.index.places[name] ?? [] {
                let isMessage = code.source.isSymbol(":", at: place + 1)
                guard isMessage || code.source.isSymbol("(", at: place + 1) else { continue }
                let given =
                    isMessage
                    ? code.expression(at: place + 2, [:], depth: 0).item.bool
                    : code.arguments(of: place + 1, [:], depth: 0).first?.item.bool
                if given == true { file.set(.localAnchorExemption, line: code.source.line(place), "\(name)(true)") }
                if let given { return !given }
                file.note(
                    .unresolved, line: code.source.line(place),
                    "whether added anchors are exempt from pins is not said in this file")
                return true
            }
        }
        let line = file.hosts.first?.line ?? 1
        file.set(
            .localAnchorExemption, line: line,
            "enablePublicKeyPinningBypassForLocalTrustAnchors is true where it is not called")
        return false
    }
}
