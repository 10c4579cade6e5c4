import Facts

/// A function of an app that is asked about a certificate, and compares its hash.
///
/// Dio's `validateCertificate` is asked about the leaf of a chain that dart:io has accepted; `badCertificateCallback`
/// about what it has not. Pins are made of what is surely compared with SHA-1 or SHA-256 of the whole certificate, in a
/// way that a match lets pass and everything else does not.
struct DartPinCheck {
    let code: SourceEvaluator
    /// Its body, and what it calls its certificate and the other parameters.
    let body: Range<Int>
    let certificate: String
    let parameters: Set<String>
    /// The word by which it is given, and where.
    let name: String
    let place: Int
    let part: DeclaredPin.Part

    private var source: SourceText { code.source }
    private var line: Int { source.line(place) }

    /// Adds hosts, or a note where it cannot be said what is compared.
    func read(in file: inout PinFile, host: String?) {
        let all = fingerprints()
        let places = all.isEmpty ? comparisons : all.map(\.place)
        let found = distinct(all)
        guard let kind = kind(), !places.isEmpty, isPassedByMatch(places) else {
            file.note(.unresolved, line: line, "\(name) decides by what this file does not say")
            return
        }
        var hosts = found.filter { $0.host != nil }.map { ($0.host, $0.items) }
        let items = found.filter { $0.host == nil }.flatMap(\.items)
        if hosts.isEmpty || !items.isEmpty { hosts.append((comparedHost ?? host, items)) }
        for (domain, items) in hosts {
            var entry = DeclaredHost(
                domain, domain == nil ? [] : .itself, pins: items.compactMap { pin($0, kind) }, isPinned: true,
                format: .flutter, line: line)
            if entry.pins.isEmpty {
                entry.pinsKnown = false
                file.note(.unresolved, line: line, "what \(name) compares certificates with is not in this file")
            }
            if domain == nil {
                file.note(.otherHosts, line: line, "\(name) is asked for every host that this client talks to")
            }
            file.hosts.append(entry)
        }
        file.note(.certificatePins, line: line, "whole certificates are compared: each renewal needs a new one")
    }

    // MARK: what is hashed

    /// The kind of its hashes; nil where it is not surely one of the whole certificate.
    private func kind() -> DeclaredPin.Kind? {
        let others = code.index.places.keys.contains { name in
            let name = name.lowercased()
            return name.contains("asn1") || name.contains("spki") || name.contains("publickey")
        }
        guard !others else { return nil }
        let reach = [body] + helpers()
        for (word, kind): (String, DeclaredPin.Kind) in [("sha256", .certificateSHA256), ("sha1", .certificateSHA1)]
        where hasMember(of: ["der"]) && reach.contains(where: { converts(word, in: $0) }) {
            return kind
        }
        if hasMember(of: ["sha1"]) { return .certificateSHA1 }
        return hasMember(of: ["pem", "der"]) ? .certificateSHA256 : nil
    }

    /// `cert.der`, `cert?.der`, `cert!.der`.
    private func hasMember(of names: Set<String>) -> Bool {
        body.contains { at in
            guard source.isWord(certificate, at: at) else { return false }
            let dot = source.isSymbol("!", at: at + 1) || source.isSymbol("?", at: at + 1) ? at + 2 : at + 1
            guard source.isSymbol(".", at: dot) || source.isSymbol("?.", at: dot), let member = source[dot + 1] else {
                return false
            }
            return names.contains(member.text)
        }
    }

    /// `sha256.convert(`.
    private func converts(_ word: String, in range: Range<Int>) -> Bool {
        range.contains {
            source.isWord(word, at: $0) && source.isSymbol(".", at: $0 + 1) && source.isWord("convert", at: $0 + 2)
        }
    }

    /// The bodies of this file's functions that it calls.
    private func helpers() -> [Range<Int>] {
        body.filter { source.tokens[$0].isIdentifier && source.isSymbol("(", at: $0 + 1) }.prefix(16)
            .compactMap { code.index.functions[source.tokens[$0].text]?.first?.range(in: source) }
    }

    // MARK: what it is compared with

    private struct Found {
        var place: Int
        /// Of a dictionary by hosts.
        var host: String?
        var items: [SourceItem]
    }

    private func fingerprints() -> [Found] {
        var found: [Found] = []
        for at in body where source.tokens[at].isString || isFree(at) || isList(at) {
            let operand = code.operand(at: at, [:], depth: 0).item
            var item = operand
            if !isFingerprints(item), operand.dictionary == nil, source.tokens[at].isIdentifier {
                item = code.name(source.tokens[at].text, at: at, [:], depth: 0) ?? item
            }
            if isFingerprints(item) {
                found.append(Found(place: at, items: digest(item) != nil ? [item] : item.list ?? []))
            } else if let entries = item.dictionary, source.isSymbol("[", at: at + 1) {
                for entry in entries where isFingerprints(entry.value) {
                    guard let name = entry.key.text.flatMap({ HostName($0) }) else { continue }
                    let items = digest(entry.value) != nil ? [entry.value] : entry.value.list ?? []
                    found.append(Found(place: at, host: name.text, items: items))
                }
            }
        }
        return found
    }

    /// What is defined in one place and named in another is one.
    private func distinct(_ found: [Found]) -> [Found] {
        var seen: Set<[String]> = []
        return found.filter { seen.insert([$0.host ?? ""] + $0.items.map { "\($0.line) \($0.shown)" }).inserted }
    }

    /// `[1, 2]`, and no place in a list.
    private func isList(_ at: Int) -> Bool {
        source.isSymbol("[", at: at) && source[at - 1].map { ["(", ",", "="].contains($0.text) } == true
    }

    /// Where something is compared, be it known with what or not.
    private var comparisons: [Int] {
        body.filter { at in
            if source.isSymbol("==", at: at) || source.isSymbol("!=", at: at) {
                return !source.isWord("null", at: at + 1)
                    && !parameters.contains(where: { source.isWord($0, at: at - 1) || source.isWord($0, at: at + 1) })
            }
            return source.isWord("contains", at: at) || source.isWord("listEquals", at: at)
        }
    }

    /// A name that is none of the parameters, no member and no function that is called.
    private func isFree(_ at: Int) -> Bool {
        let token = source.tokens[at]
        return token.isIdentifier && token.text != certificate && !parameters.contains(token.text)
            && !["return", "await", "const", "final", "var", "new"].contains(token.text)
            && !source.isSymbol(".", at: at - 1) && !source.isSymbol("?.", at: at - 1)
            && !source.isSymbol("(", at: at + 1)
    }

    private func isFingerprints(_ item: SourceItem) -> Bool {
        if digest(item) != nil { return true }
        guard let items = item.list, !items.isEmpty else { return false }
        return items.allSatisfy { digest($0) != nil }
    }

    private func digest(_ item: SourceItem) -> [UInt8]? {
        var bytes: [UInt8]?
        if let text = item.text {
            bytes = Fingerprint.bytes(text) ?? Base64.decoded(Array(text.utf8)[...])
        } else if item.list != nil, case .bytes(let numbers, _, _) = SourceBytes(item) {
            bytes = numbers
        }
        return bytes?.count == 20 || bytes?.count == 32 ? bytes : nil
    }

    private func pin(_ item: SourceItem, _ kind: DeclaredPin.Kind) -> DeclaredPin? {
        guard let bytes = digest(item) else { return nil }
        let kind: DeclaredPin.Kind = bytes.count == 20 ? .certificateSHA1 : kind
        let text = item.text ?? Hex.encode(bytes)
        return DeclaredPin(
            kind, part: part, text: text, digest: bytes.count == kind.size ? bytes : nil, line: item.line)
    }

    // MARK: what follows

    /// A match lets pass, and nothing else does, as far as the form of it tells.
    private func isPassedByMatch(_ places: [Int]) -> Bool {
        guard !body.contains(where: { source.tokens[$0].is("||") }) else { return false }
        return places.allSatisfy { place in
            guard let condition = condition(around: place) else { return !isNegated(statement(around: place)) }
            let end = source.end(of: condition)
            guard let result = (end + 1..<end + 4).first(where: { source.isWord("return", at: $0) }) else {
                return false
            }
            let passes = source.isWord("true", at: result + 1)
            guard passes || source.isWord("false", at: result + 1) else { return false }
            return passes != isNegated(source.range(condition + 1, end))
        }
    }

    /// The `(` of an `if` around it.
    private func condition(around place: Int) -> Int? {
        var at = source.opener(around: place)
        while let open = at, body.contains(open) {
            if source.isSymbol("(", at: open), source.isWord("if", at: open - 1) { return open }
            at = source.opener(around: open)
        }
        return nil
    }

    private func statement(around place: Int) -> Range<Int> {
        var start = place
        while start > body.lowerBound, !source.isSymbol(";", at: start - 1), !source.isSymbol("{", at: start - 1) {
            start -= 1
        }
        return source.range(start, source.statementEnd(from: place))
    }

    /// `!…` and `!=`, that of null aside; `x!` is no negation.
    private func isNegated(_ range: Range<Int>) -> Bool {
        range.contains { at in
            if source.isSymbol("!=", at: at) { return !source.isWord("null", at: at + 1) }
            guard source.isSymbol("!", at: at) else { return false }
            return at == range.lowerBound || !(source.tokens[at - 1].isIdentifier || source.isSymbol("]", at: at - 1))
                || source.isWord("return", at: at - 1)
        }
    }

    /// The one host that a parameter is compared with.
    private var comparedHost: String? {
        let hosts = body.compactMap { at -> String? in
            guard source.isSymbol("==", at: at) || source.isSymbol("!=", at: at) else { return nil }
            let sides = [at - 1, at + 1]
            guard sides.contains(where: { source[$0].map { parameters.contains($0.text) } == true }) else { return nil }
            return sides.lazy.compactMap { source.constant(at: $0) }.compactMap { HostName($0)?.text }.first
        }.uniqued()
        return hosts.count == 1 ? hosts[0] : nil
    }
}
