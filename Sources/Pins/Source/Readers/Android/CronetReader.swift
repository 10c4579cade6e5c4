import Facts

/// Cronet's and HttpEngine's `addPublicKeyPins` (CronetEngineBuilderImpl.java).
///
/// The most specific entry counts, as for every name below it where it includes subdomains; a pin is compared with each
/// key of the verified chain. What the builder throws at is a fault: the engine is then never built.
package enum CronetReader: SourceReader {
    static let words = ["addPublicKeyPins"]
    static let format = PinFormat.cronet

    static func read(_ code: SourceEvaluator, path: String) throws(PinFileFault) -> PinFile? {
        let source = code.source
        guard source.language == .kotlin || source.language == .java else { return nil }
        var file = PinFile(path: path, format: .cronet)
        for place in code.index.places["addPublicKeyPins"] ?? [] where isCall(place, in: code) {
            for environment in code.environments(at: place) {
                let call = SourceCall(name: "", arguments: code.arguments(of: place + 1, environment, depth: 0))
                if let host = try host(call, line: source.line(place), in: &file) { file.hosts.append(host) }
            }
        }
        guard !file.hosts.isEmpty else { return nil }
        bypass(code, in: &file)
        return file
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

    private static func host(_ call: SourceCall, line: Int, in file: inout PinFile) throws(PinFileFault)
        -> DeclaredHost?
    {
        guard let name = call.argument("hostName", 0), let pins = call.argument("pinsSha256", 1) else { return nil }
        var host = DeclaredHost(nil, [], pins: [], isPinned: true, format: .cronet, line: line)
        if let text = name.text {
            guard let domain = domain(text) else {
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
            file.note(.unresolved, line: line, "whether subdomains are pinned is not said in this file")
        }
        switch call.argument("expirationDate", 3).map(SourceDate.init) {
        case .day(let day)?: host.expires = day
        case .never?: break
        case .unknown?, nil:
            file.note(.unresolved, line: line, "the day on which the pins end is not said in this file")
        }
        try read(pins, into: &host, &file)
        return host
    }

    /// The builder takes no name of digits and dots alone, and none that IDNA cannot encode.
    private static func domain(_ text: String) -> String? {
        guard !text.utf8.allSatisfy({ SourceTokenizer.isDigit($0) || $0 == UInt8(ascii: ".") }), text.utf8.count <= 253,
            let host = Punycode.host(text).flatMap({ HostName($0) }), !host.isIP
        else { return nil }
        return host.text
    }

    private static func read(_ pins: SourceItem, into host: inout DeclaredHost, _ file: inout PinFile)
        throws(PinFileFault)
    {
        guard let items = pins.list else {
            host.pinsKnown = false
            file.note(
                .unresolved, line: pins.line, "the pins are \(pins.shown), and this file does not say what that is")
            return
        }
        for item in items {
            switch SourceBytes(item) {
            case .bytes(let bytes, let text, let line):
                guard bytes.count == 32 else {
                    throw PinFileFault(
                        line: line, "Cronet refuses a pin of \(bytes.count) bytes: SHA-256 has 32", .failsClosed)
                }
                let pin = DeclaredPin(.spkiSHA256, text: text, digest: bytes, line: line)
                host.pins.append(pin)
            case .malformed(let text, let line):
                throw PinFileFault(
                    line: line, "\"\(Printable.excerpt(text))\" is no base64: decoding it ends the app", .failsClosed)
            case .unknown(let text, let line):
                host.pinsKnown = false
                file.note(.unresolved, line: line, "a pin is \(text), and this file does not say what that is")
            }
        }
    }

    /// Anchors that a user or an administrator has added are exempt, unless the builder is told otherwise.
    private static func bypass(_ code: SourceEvaluator, in file: inout PinFile) {
        let names = [
            "enablePublicKeyPinningBypassForLocalTrustAnchors", "setEnablePublicKeyPinningBypassForLocalTrustAnchors",
        ]
        for name in names {
            for place in code.index.places[name] ?? [] where code.source.isSymbol("(", at: place + 1) {
                let given = code.arguments(of: place + 1, [:], depth: 0).first?.item.bool
                if given == true { file.set(.localAnchorExemption, line: code.source.line(place), "\(name)(true)") }
                if given != nil { return }
                file.note(
                    .unresolved, line: code.source.line(place),
                    "whether added anchors are exempt from pins is not said in this file")
                return
            }
        }
        let line = file.hosts.first?.line ?? 1
        file.set(
            .localAnchorExemption, line: line,
            "enablePublicKeyPinningBypassForLocalTrustAnchors is true where it is not called")
    }
}
