import Facts
import Policy

/// Everything that is keyed by hosts.
extension ProfileReader {
    mutating func rules(_ tree: Tree) -> [HostRule] {
        var rules: [HostRule] = []
        for (text, key, value) in hostEntries(tree, of: "hosts") {
            let pattern = pattern(text, at: key.place)
            // `host:{ expect: refuse }` lacks a space and is all key: its value means nothing.
            if pattern == nil, text.contains("{") {
                hostsInDoubt = true
                continue
            }
            let rule = rule(value, of: text)
            guard let pattern else {
                hostsInDoubt = true
                continue
            }
            if let first = places.rules[pattern] {
                report(
                    .repeatedHost(text, in: "hosts", canonical: pattern.description, firstLine: first.line),
                    at: key.place)
                continue
            }
            places.rules[pattern] = key.place
            if rule.expect == nil { rulesInDoubt.insert(pattern) }
            var complete = HostRule(
                pattern: pattern, expect: rule.expect ?? .refuse, required: rule.required ?? true, pins: rule.pins,
                anchors: rule.anchors)
            complete.reportsTo = rule.reportsTo
            complete.tellsUpdates = rule.tellsUpdates ?? false
            rules.append(complete)
        }
        return rules
    }

    /// A rule as far as it could be read.
    private struct PartialRule {
        var expect: HostExpectation?
        var required: Bool?
        var pins: [Pin] = []
        var anchors: [String] = []
        var reportsTo: HostName?
        var tellsUpdates: Bool?
    }

    private mutating func rule(_ tree: Tree, of host: String) -> PartialRule {
        let section = ProfileError.Section.rule(host)
        guard let fields = fields(tree, of: .host(host, in: "hosts"), as: .rule, in: section) else {
            return PartialRule()
        }
        var expect: HostExpectation?
        if let tree = fields["expect"] {
            expect = word(tree, of: .key("expect", section), among: HostExpectation.allCases.map(\.rawValue))
                .flatMap(HostExpectation.init(rawValue:))
        } else if !fields.mistyped.contains("expect") {
            report(.missingKey("expect", section), at: tree.place)
        }
        let required = fields["required"].flatMap { boolean($0, of: .key("required", section)) }
        let pins = fields["pins"].map { entries($0, of: .key("pins", section)).compactMap { pin($0, section) } }
        let anchors = fields["anchors"].map { tree in
            entries(tree, of: .key("anchors", section)).compactMap { file($0, of: .entry(of: "anchors", section)) }
        }
        if let anchors, !anchors.isEmpty, let expect, expect != .refuse, let place = fields["anchors"]?.place {
            report(.anchorsWithoutRefusal(host: host, expect: expect), at: place)
        }
        var rule = PartialRule(expect: expect, required: required, pins: pins ?? [], anchors: anchors ?? [])
        rule.reportsTo = fields["reports_to"].flatMap { exactHost($0, of: .key("reports_to", section)) }
        rule.tellsUpdates = fields["update"].flatMap { boolean($0, of: .key("update", section)) }
        return rule
    }

    /// One host by its name, no pattern.
    private mutating func exactHost(_ tree: Tree, of subject: ProfileError.Subject) -> HostName? {
        guard let text = text(tree, of: subject, as: .host), let pattern = pattern(text, at: tree.place) else {
            return nil
        }
        if pattern.scope == .exact { return pattern.base }
        report(.pattern(text, .notExact), at: tree.place)
        return nil
    }

    private mutating func pin(_ tree: Tree, _ section: ProfileError.Section) -> Pin? {
        guard let text = text(tree, of: .entry(of: "pins", section)) else { return nil }
        if let pin = Pin(text) { return pin }
        report(.pin(text, .init(of: text)), at: tree.place)
        return nil
    }

    mutating func controls(_ tree: Tree) -> [HostPattern] {
        var controls: [HostPattern] = []
        for entry in entries(tree, of: .key("controls", .top)) {
            guard let text = text(entry, of: .entry(of: "controls", .top), as: .host),
                let pattern = pattern(text, at: entry.place)
            else { continue }
            if let first = places.controls[pattern] {
                report(
                    .repeatedHost(text, in: "controls", canonical: pattern.description, firstLine: first.line),
                    at: entry.place)
                continue
            }
            places.controls[pattern] = entry.place
            controls.append(pattern)
        }
        return controls
    }

    mutating func resolve(_ tree: Tree) -> [HostName: Destination] {
        var resolve: [HostName: Destination] = [:]
        for (host, text, value) in exactHosts(tree, of: "resolve") {
            guard let written = self.text(value, of: .host(text, in: "resolve"), as: .endpoint) else { continue }
            guard let destination = Destination(written), destination.port != 0 else {
                report(.destination(written, of: text), at: value.place)
                continue
            }
            resolve[host] = destination
        }
        return resolve
    }

    mutating func lent(_ tree: Tree) -> [HostName: LentMaterial] {
        var lent: [HostName: LentMaterial] = [:]
        for (host, text, value) in exactHosts(tree, of: "lent") {
            let section = ProfileError.Section.lent(text)
            guard let fields = fields(value, of: .host(text, in: "lent"), as: .map, in: section) else { continue }
            var material = LentMaterial()
            if let tree = fields["backup_key"] { material.backupKey = file(tree, of: .key("backup_key", section)) }
            if let tree = fields["same_ca_chain"] {
                material.sameCAChain = file(tree, of: .key("same_ca_chain", section))
            }
            if let tree = fields["other_host"] {
                let pair = entries(tree, of: .key("other_host", section))
                material.otherHost = pair.compactMap { file($0, of: .entry(of: "other_host", section)) }
                if tree.list != nil, pair.count != 2 {
                    report(.notAPair(host: text, count: pair.count), at: tree.place)
                }
            }
            if fields.values.isEmpty, fields.mistyped.isEmpty { report(.nothingLent(host: text), at: value.place) }
            lent[host] = material
        }
        return lent
    }

    /// The entries of a map that exact hosts are the keys of, each host once.
    private mutating func exactHosts(_ tree: Tree, of list: String) -> [(host: HostName, text: String, value: Tree)] {
        var first: [HostName: Place] = [:]
        var hosts: [(host: HostName, text: String, value: Tree)] = []
        for (text, key, value) in hostEntries(tree, of: list) {
            guard let pattern = pattern(text, at: key.place) else { continue }
            guard pattern.scope == .exact else {
                report(.pattern(text, .notExact), at: key.place)
                continue
            }
            if let first = first[pattern.base] {
                report(
                    .repeatedHost(text, in: list, canonical: pattern.base.text, firstLine: first.line), at: key.place)
                continue
            }
            first[pattern.base] = key.place
            hosts.append((pattern.base, text, value))
        }
        if list == "lent" { places.lent = first }
        return hosts
    }

    private mutating func hostEntries(_ tree: Tree, of list: String) -> [(text: String, key: Tree, value: Tree)] {
        guard case .map(let entries) = tree.content else {
            wrongType(tree, .key(list, .top), list == "hosts" ? .hosts : .map)
            if list == "hosts" { hostsInDoubt = true }
            return []
        }
        if entries.count > Self.maxEntries {
            report(.tooMany(list, count: entries.count, limit: Self.maxEntries), at: tree.place)
        }
        let known = entries.prefix(Self.maxEntries).compactMap { entry in
            text(entry.key, of: .aKey(of: list), as: .host).map { ($0, entry.key, entry.value) }
        }
        if list == "hosts", known.count < entries.count { hostsInDoubt = true }
        return known
    }

    mutating func pattern(_ text: String, at place: Place) -> HostPattern? {
        if let pattern = HostPattern(text) { return pattern }
        report(.pattern(text, .init(of: text)), at: place)
        return nil
    }
}

extension ProfileError.PatternFault {
    /// Why a text is no pattern, for one that is none.
    init(of text: String) {
        let isWildcard = text.hasPrefix("*.") || text.hasPrefix("**.")
        let name = isWildcard ? text.drop { $0 == "*" }.dropFirst() : text[...]
        self =
            if text.contains("{") {
                .missingSpace
            } else if text.contains("/") {
                .url
            } else if !text.utf8.allSatisfy({ $0 < 0x80 }) {
                .notASCII
            } else if text.allSatisfy({ $0 == "*" }) || (isWildcard && name.isEmpty) {
                .bareStar
            } else if name.contains("*") {
                .starInside
            } else if isWildcard, HostName(name)?.isIP == true {
                .starOverIP
            } else if Endpoint(name) != nil {
                .port
            } else if text.hasPrefix("."), HostName(text.dropFirst()) != nil {
                .leadingDot
            } else {
                .notAName
            }
    }
}

extension ProfileError.PinFault {
    /// Why a text is no pin, for one that is none.
    init(of text: String) {
        let bare = text.filter { $0 != ":" }
        let isHexadecimal =
            bare.hasPrefix("sha256/") ? Self.isHexadecimal(bare.dropFirst(7)) : Self.isHexadecimal(bare[...])
        if text.lowercased().hasPrefix("sha1") {
            self = .sha1
        } else if isHexadecimal {
            self = .hexadecimal
        } else if !text.hasPrefix("sha256/") {
            self = .noPrefix
        } else {
            let body = text.dropFirst(7)
            let data = body.prefix { $0 != "=" }
            if Pin(text + "=") != nil {
                self = .noPadding
            } else if Pin(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : String($0) }.joined()) != nil {
                self = .base64URL
            } else if let odd = body.unicodeScalars.first(where: { !Self.isBase64($0) }) {
                self = .notBase64(odd)
            } else {
                let bytes = data.utf8.count * 6 / 8
                self = bytes == 32 && body.utf8.count == 44 ? .notCanonical : .wrongLength(bytes: bytes)
            }
        }
    }

    private static func isHexadecimal(_ text: Substring) -> Bool {
        text.utf8.count == 64 && text.unicodeScalars.allSatisfy { $0.properties.isASCIIHexDigit }
    }

    private static func isBase64(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "A"..."Z", "a"..."z", "0"..."9", "+", "/", "=": true
        default: false
        }
    }
}
