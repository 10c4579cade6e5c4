import Facts

/// TrustKit's configuration as a dictionary in Swift or Objective-C.
///
/// Its semantics are those of the property list (`TrustKitRules`). Beside it, this file may show that nothing enforces
/// the pins: no delegates are swizzled and no validator is called, or a session has no delegate to swizzle.
package enum TrustKitSourceReader: SourceReader {
    static let words = ["kTSKPinnedDomains", "TSKPinnedDomains"]
    static let validatorWords = ["pinningValidator", "TSKPinningValidator"]
    static let format = PinFormat.trustKit

    static func read(_ code: SourceEvaluator, path: String) throws(PinFileFault) -> PinFile? {
        guard code.source.language == .swift || code.source.language == .objectiveC else { return nil }
        var file = PinFile(path: path, format: .trustKit)
        var lines: [Int] = []
        var objects: [Int] = []
        for place in places("PinnedDomains", in: code) {
            for environment in code.environments(at: place) {
                guard let item = value(ofKey: place, code, environment) else { continue }
                lines.append(code.source.line(place))
                guard let entries = item.dictionary else {
                    file.note(
                        .unresolved, line: item.line,
                        "the pinned domains are \(item.shown), and this file does not say what that is")
                    continue
                }
                if entries.isEmpty {
                    throw PinFileFault(
                        line: item.line, "TrustKit raises an exception: no domain is in its pinned domains",
                        .failsClosed)
                }
                let domains = try self.domains(entries, isSwift: code.source.language == .swift, in: &file)
                let (hosts, notes) = try TrustKitDomain.hosts(domains)
                file.hosts += hosts
                for note in notes { file.note(note.id, line: note.line, note.text) }
                objects += Array(repeating: place, count: file.hosts.count - objects.count)
            }
        }
        file.tellApart(objects)
        // Without domains it is TrustKit's own code, or configured by something else.
        if let line = lines.first, !file.hosts.isEmpty { sessions(code, configuredAt: line, in: &file) }
        return file.isEmpty ? nil : file
    }

    // MARK: keys

    /// Where a key stands, by its constant or as a text.
    private static func places(_ key: String, in code: SourceEvaluator) -> [Int] {
        var places = code.index.places["kTSK" + key] ?? []
        places += code.source.tokens.indices.filter { code.source.constant(at: $0) == "TSK" + key }
        return places.sorted()
    }

    /// `key: value` in a dictionary, or `dictionary[key] = value`; nil where the key is only named.
    private static func value(ofKey place: Int, _ code: SourceEvaluator, _ environment: SourceEvaluator.Environment)
        -> SourceItem?
    {
        let source = code.source
        var at = place + 1
        // `kTSKPinnedDomains as String`, `kTSKPinnedDomains.rawValue`.
        for _ in 0..<4
        where source.isWord("as", at: at) || source.isSymbol(".", at: at) || source[at]?.isIdentifier == true {
            at += 1
        }
        if source.isSymbol(":", at: at) { return code.expression(at: at + 1, environment, depth: 0).item }
        guard source.isSymbol("]", at: at), source.isSymbol("=", at: at + 1) else {
            // `dictionaryWithObjectsAndKeys:` has its values before its keys.
            guard source.language == .objectiveC, let open = source.opener(around: place), source.tokens[open].is("[")
            else { return nil }
            let made = code.message(at: open, environment, depth: 0).item.dictionary
            return made?.first { $0.key.text == "TSKPinnedDomains" }?.value
        }
        return code.expression(at: at + 2, environment, depth: 0).item
    }

    private static func flag(_ key: String, in code: SourceEvaluator) -> (isSaid: Bool, value: Bool?, line: Int)? {
        for place in places(key, in: code) {
            if let item = value(ofKey: place, code, [:]) { return (true, item.bool, code.source.line(place)) }
        }
        return nil
    }

    // MARK: domains

    private static func domains(_ entries: [SourceEntry], isSwift: Bool, in file: inout PinFile) throws(PinFileFault)
        -> [TrustKitDomain]
    {
        var domains: [TrustKitDomain] = []
        var seen: Set<String> = []
        for entry in entries {
            guard let name = entry.key.text else {
                file.note(
                    .unresolved, line: entry.line,
                    "the domain is \(entry.key.shown), and this file does not say what that is")
                file.hosts.append(unnamed(entry))
                continue
            }
            guard !isSwift || seen.insert(name).inserted else {
                throw PinFileFault(
                    line: entry.line,
                    "the domain \"\(Printable.excerpt(name))\" stands twice: Swift ends the app at such a dictionary",
                    .failsClosed)
            }
            guard let policy = entry.value.dictionary else {
                file.note(
                    .unresolved, line: entry.value.line,
                    "the policy of \(name) is \(entry.value.shown), and this file does not say what that is")
                if let host = HostName(name) {
                    file.hosts.append(
                        DeclaredHost(
                            host.text, pins: [], isPinned: true, pinsKnown: false, format: .trustKit, line: entry.line))
                }
                continue
            }
            domains.append(domain(name, line: entry.line, policy, in: &file))
        }
        return domains
    }

    /// A domain that is a constant from elsewhere, with the pins that are said here.
    private static func unnamed(_ entry: SourceEntry) -> DeclaredHost {
        var host = DeclaredHost(nil, [], pins: [], isPinned: true, format: .trustKit, line: entry.line)
        let hashes = entry.value.dictionary?.first { $0.key.text == "TSKPublicKeyHashes" }?.value
        for item in hashes?.flattened ?? [] {
            if let text = item.text {
                host.pins.append(DeclaredPin(base64: text, line: item.line))
            } else {
                host.pinsKnown = false
            }
        }
        if hashes == nil { host.pinsKnown = false }
        return host
    }

    private static func domain(_ name: String, line: Int, _ policy: [SourceEntry], in file: inout PinFile)
        -> TrustKitDomain
    {
        var domain = TrustKitDomain(name: name, line: line)
        let host = HostName(name)?.text
        for entry in policy {
            let item = entry.value
            func bool() -> Bool? {
                if item.bool == nil {
                    file.note(
                        .unresolved, host: host, line: item.line,
                        "\(entry.key.shown) of \(name) is \(item.shown), and this file does not say what that is")
                }
                return item.bool
            }
            if entry.key.text != "TSKExcludeSubdomainFromParentPolicy" { domain.otherKeys += 1 }
            switch entry.key.text {
            case "TSKExcludeSubdomainFromParentPolicy": domain.isExcluded = bool() ?? false
            case "TSKEnforcePinning":
                domain.enforces = bool()
                domain.enforcementKnown = domain.enforces != nil
            case "TSKIncludeSubdomains": domain.includesSubdomains = bool()
            case "TSKExpirationDate":
                domain.expires = item.text
                if item.text == nil {
                    file.note(
                        .unresolved, host: host, line: item.line,
                        "the day on which the pins of \(name) end is not said in this file")
                }
            case "TSKPublicKeyHashes":
                for pin in item.flattened {
                    if let text = pin.text {
                        domain.pins.append(.init(text: text, line: pin.line))
                    } else {
                        domain.pinsKnown = false
                        file.note(
                            .unresolved, host: host, line: pin.line,
                            "a pin of \(name) is \(pin.shown), and this file does not say what that is")
                    }
                }
            default: break
            }
        }
        return domain
    }

    // MARK: around it

    private static func sessions(_ code: SourceEvaluator, configuredAt line: Int, in file: inout PinFile) {
        if let ignored = flag("IgnorePinningForUserDefinedTrustAnchors", in: code), ignored.value == true {
            file.set(.localAnchorExemption, line: ignored.line, "kTSKIgnorePinningForUserDefinedTrustAnchors: true")
        }
        let swizzles = flag("SwizzleNetworkDelegates", in: code)
        if swizzles?.value == true {
            for (line, text) in sessionsWithoutDelegate(code) { file.set(.sessionWithoutDelegate, line: line, text) }
        } else if swizzles == nil || swizzles?.value == false,
            !callsValidator(code)
        {
            let value = swizzles == nil ? "not set" : "false"
            file.set(
                .validatorNotWired, line: swizzles?.line ?? line,
                "kTSKSwizzleNetworkDelegates is \(value), and nothing in this file calls the pinningValidator")
        }
    }

    /// It names the validator, other than to import its header or to declare its class beforehand.
    static func callsValidator(_ code: SourceEvaluator) -> Bool {
        let source = code.source
        return validatorWords.flatMap { code.index.places[$0] ?? [] }.contains { place in
            var start = place
            while start > 0, !source.tokens[start].startsLine { start -= 1 }
            let head = (start..<min(start + 2, place)).map { source.tokens[$0].text }
            return head != ["@", "class"] && !head.contains("import") && !head.contains("include")
        }
    }

    /// `URLSession.shared`, and sessions that are made without a delegate.
    private static func sessionsWithoutDelegate(_ code: SourceEvaluator) -> [(line: Int, text: String)] {
        let source = code.source
        var found: [(Int, String)] = []
        for name in ["URLSession", "NSURLSession"] {
            for place in code.index.places[name] ?? [] {
                let line = source.line(place)
                if source.isSymbol(".", at: place + 1), source.isWord("shared", at: place + 2) {
                    found.append((line, "\(name).shared"))
                } else if source.isSymbol("[", at: place - 1), source.isWord("sharedSession", at: place + 1) {
                    found.append((line, "[\(name) sharedSession]"))
                } else if source.isSymbol("[", at: place - 1), source.isWord("sessionWithConfiguration", at: place + 1)
                {
                    let call = code.message(at: place - 1, [:], depth: 0).item.call
                    if call?.argument("delegate").map(\.isNull) ?? true {
                        found.append((line, "a session without a delegate"))
                    }
                } else if source.isSymbol("(", at: place + 1) {
                    let call = SourceCall(name: "", arguments: code.arguments(of: place + 1, [:], depth: 0))
                    guard call.argument("configuration") != nil else { continue }
                    if call.argument("delegate").map(\.isNull) ?? true {
                        found.append((line, "a session without a delegate"))
                    }
                }
            }
        }
        return found.sorted { $0.0 < $1.0 }
    }
}
