import Facts

/// Alamofire's `ServerTrustManager`, and version 4's `ServerTrustPolicyManager`.
///
/// Its dictionary is keyed by exact hosts. The certificates and keys are the app's resources: they are not at hand, so
/// that an entry is pinned and its pins are not known.
package enum AlamofireReader: SourceReader {
    static let words = [
        "ServerTrustManager", "ServerTrustPolicyManager", "serverTrustManager", "serverTrustPolicyManager",
    ]
    static let format = PinFormat.alamofire

    static func read(_ code: SourceEvaluator, path: String) throws(PinFileFault) -> PinFile? {
        guard code.source.language == .swift else { return nil }
        var file = PinFile(path: path, format: .alamofire)
        var objects: [Int] = []
        for manager in managers(in: code) {
            let settings = file.settings.count
            for environment in code.environments(at: manager.place) {
                let call = SourceCall(name: "", arguments: code.arguments(of: manager.open, environment, depth: 0))
                try read(call, manager, in: &file)
                objects += Array(repeating: manager.place, count: file.hosts.count - objects.count)
            }
            if DebugGuard.holds(at: manager.place, code) {
                // What a debug build leaves out of its checks is nobody's risk.
                file.settings.removeLast(file.settings.count - settings)
                let line = code.source.line(manager.place)
                file.note(
                    .debugOverrides, line: line,
                    "it stands under a condition of debug builds: a release build may not have it")
            }
        }
        if let line = unwired(code) {
            file.set(.validatorNotWired, line: line, "a session is made without the ServerTrustManager of this file")
        }
        file.tellApart(objects)
        return file.isEmpty ? nil : file
    }

    /// The line of a session, where each manager is given a name, and none of the names stands anywhere else.
    private static func unwired(_ code: SourceEvaluator) -> Int? {
        let source = code.source
        let managers = managers(in: code)
        let isIdle = managers.allSatisfy { manager in
            guard source.isSymbol("=", at: manager.place - 1) else { return false }
            var at = manager.place - 2
            // `let trust: ServerTrustManager = …`.
            if source.isSymbol(":", at: at - 1) { at -= 2 }
            guard let name = source[at], name.isIdentifier else { return false }
            return code.index.places[name.text]?.count == 1
        }
        guard !managers.isEmpty, isIdle else { return nil }
        return ["Session", "SessionManager"].flatMap { code.index.places[$0] ?? [] }.sorted()
            .first { source.isSymbol("(", at: $0 + 1) }.map { source.line($0) }
    }

    private struct Manager {
        var place: Int
        var open: Int
        var isOld: Bool
        /// A subclass that decides by itself which evaluator a host gets; its name.
        var ownRule: String?
    }

    private static func managers(in code: SourceEvaluator) -> [Manager] {
        let source = code.source
        var names = ["ServerTrustManager": nil, "ServerTrustPolicyManager": nil] as [String: String?]
        for type in code.index.types.values
        where type.parents.contains("ServerTrustManager") || type.parents.contains("ServerTrustPolicyManager") {
            let body = source.range(type.body, source.end(of: type.body))
            let overrides =
                (code.index.places["serverTrustEvaluator"] ?? []) + (code.index.places["serverTrustPolicy"] ?? [])
            names[type.name] = .some(
                overrides.contains { body.contains($0) && source.isWord("func", at: $0 - 1) } ? type.name : nil)
        }
        var out: [Manager] = []
        for (name, rule) in names {
            for place in code.index.places[name] ?? [] {
                var open = place + 1
                if source.isSymbol(".", at: open), source.isWord("init", at: open + 1) { open += 2 }
                guard source.isSymbol("(", at: open), !source.isWord("class", at: place - 1) else { continue }
                let isOld =
                    name == "ServerTrustPolicyManager"
                    || code.index.types[name]?.parents.contains("ServerTrustPolicyManager") == true
                out.append(Manager(place: place, open: open, isOld: isOld, ownRule: rule))
            }
        }
        // A subclass that has its hosts built in: `super.init(evaluators: […])`.
        for place in code.index.places["super"] ?? []
        where source.isWord("init", at: place + 2) && source.isSymbol("(", at: place + 3) {
            guard let owner = code.index.owner(of: place), let rule = names[owner] else { continue }
            out.append(
                Manager(
                    place: place, open: place + 3,
                    isOld: code.index.types[owner]?.parents.contains("ServerTrustPolicyManager") == true, ownRule: rule)
            )
        }
        return (out + unnamed(in: code)).sorted { $0.place < $1.place }
    }

    /// `.init(evaluators: […])`, where Swift knows the type: the label tells which one it is.
    private static func unnamed(in code: SourceEvaluator) -> [Manager] {
        let source = code.source
        return (code.index.places["init"] ?? []).compactMap { place in
            guard source.isSymbol(".", at: place - 1), source.isSymbol("(", at: place + 1),
                source[place - 2].map({ source[place - 1]?.startsLine != true && $0.endsOperand }) != true
            else { return nil }
            let labels = source.parts(of: place + 1).filter { source.isSymbol(":", at: $0.lowerBound + 1) }
            func has(_ label: String) -> Bool {
                labels.contains { part in
                    // A list of evaluators, or what has one behind it, is of a CompositeTrustEvaluator.
                    source.isWord(label, at: part.lowerBound)
                        && code.value(of: source.range(part.lowerBound + 2, part.upperBound)).list?.isEmpty != false
                }
            }
            let isOld = has("policies")
            guard isOld || has("evaluators") else { return nil }
            return Manager(place: place - 1, open: place + 1, isOld: isOld)
        }
    }

    private static func read(_ call: SourceCall, _ manager: Manager, in file: inout PinFile) throws(PinFileFault) {
        guard let evaluators = call.argument(manager.isOld ? "policies" : "evaluators") else { return }
        let line = evaluators.line
        guard let entries = evaluators.dictionary ?? (evaluators.list?.isEmpty == true ? [] : nil) else {
            file.note(
                .unresolved, line: line, "the hosts are \(evaluators.shown), and this file does not say what that is")
            return
        }
        if let rule = manager.ownRule {
            file.note(.unresolved, line: line, "\(rule) decides by itself which entry a host gets")
        }
        let all = manager.isOld ? false : call.argument("allHostsMustBeEvaluated").map(\.bool) ?? true
        if all == false {
            file.note(
                .otherHosts, line: line,
                manager.isOld
                    ? "hosts that are not named are checked as usual, without pins"
                    : "allHostsMustBeEvaluated is false: hosts that are not named are checked as usual, without pins")
        } else if all == nil {
            file.note(.unresolved, line: line, "whether hosts that are not named are refused is not said in this file")
        }
        if entries.isEmpty {
            file.note(.unresolved, line: line, "no host is named here: whether any is added stands elsewhere")
        }
        var seen: [String: Int] = [:]
        for entry in entries {
            if let text = entry.key.text, let first = seen.updateValue(entry.line, forKey: text) {
                let key = "the key \"\(Printable.excerpt(text))\" stands twice, at first in line \(first)"
                throw PinFileFault(line: entry.line, key + ": Swift ends the app at such a dictionary", .failsClosed)
            }
            var host = Self.host(entry.key, line: entry.line, hasOwnRule: manager.ownRule != nil, in: &file)
            AlamofireEvaluator(file: file, host: host.domain).read(entry.value, into: &host, &file)
            file.hosts.append(host)
        }
    }

    private static func host(_ key: SourceItem, line: Int, hasOwnRule: Bool, in file: inout PinFile) -> DeclaredHost {
        var host = DeclaredHost(nil, [], pins: [], isPinned: false, format: .alamofire, line: line)
        guard let text = key.text else {
            file.note(.unresolved, line: line, "the host is \(key.shown), and this file does not say what that is")
            return host
        }
        if let name = HostName(text) {
            host.domain = name.text
            host.reach = .itself
            return host
        }
        if hasOwnRule, text.hasPrefix("*."), let name = HostName(text.dropFirst(2)) {
            host.domain = name.text
            host.reach = .children
            return host
        }
        let bare = URLHost.host(of: text) ?? (text.hasPrefix("*.") ? String(text.dropFirst(2)) : text)
        host.domain = HostName(String(bare.prefix { $0 != "/" && $0 != ":" }))?.text
        let key = "\"\(Printable.excerpt(text))\" is compared with the host as it is, and matches none"
        file.note(.neverMatches, line: line, key + ": name each host, without scheme, port and asterisk")
        return host
    }
}

extension SourceToken {
    /// A dot behind it asks for a member of it.
    fileprivate var endsOperand: Bool {
        isIdentifier && !["return", "in", "else"].contains(text) || isString
            || [")", "]", "}", ">", "?", "!"].contains(text) && kind == .symbol
    }
}
