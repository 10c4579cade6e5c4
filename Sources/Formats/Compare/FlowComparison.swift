import Facts
import Flows

/// What is different between two recorded flows, place by place.
///
/// In the order in which people read a flow.
///
///     let comparison = FlowComparison(before, after)
///     comparison.differences.first   // status: 200, 500
///
/// Times of day and numbers of connections always differ, and are left out; how long it took is not.
package struct FlowComparison: Hashable, Sendable {
    package struct Difference: Hashable, Sendable {
        /// `status`, `request header accept`, `response body $.user.name`, `response body line 7`.
        package var place: String
        /// Cut after `valueLimit` characters; nil where that flow has nothing there.
        package var first: String?
        package var second: String?

        init(_ place: String, _ first: String?, _ second: String?) {
            self.place = place
            self.first = first
            self.second = second
        }
    }

    package private(set) var differences: [Difference] = []
    /// So many more are not listed.
    package private(set) var more = 0

    /// Differences that are listed: more nobody reads, and an answer has to end.
    package static let limit = 500
    /// Characters of a value.
    package static let valueLimit = 300

    package init(_ first: RecordedFlow, _ second: RecordedFlow) {
        let (a, b) = (first.flow, second.flow)
        note("kind", a.kind.rawValue, b.kind.rawValue)
        note("state", a.state.rawValue, b.state.rawValue)
        note("method", a.method, b.method)
        compareURLs(a, b)
        note("status", a.status.map(String.init), b.status.map(String.init))
        note("version", a.version, b.version)
        note("failure", a.failure?.text, b.failure?.text)
        note("not decodable", a.undecodable?.why, b.undecodable?.why)
        note("client", a.client.name, b.client.name)
        note("TLS version", a.tls?.version, b.tls?.version)
        note("TLS cipher", a.tls?.cipher, b.tls?.cipher)
        note("ALPN", a.tls?.alpn, b.tls?.alpn)
        note("JA4", a.tls?.ja4, b.tls?.ja4)
        note("origin's leaf", a.tls?.upstream?.chain.first?.sha256, b.tls?.upstream?.chain.first?.sha256)
        for (name, direction) in [("request", ExchangeDirection.up), ("response", .down)] {
            compare(name, a.side(direction), b.side(direction))
            compare(name, first, second, direction)
        }
        compareMessages(first.messages, second.messages)
        note("duration", a.durationMS.map(Self.milliseconds), b.durationMS.map(Self.milliseconds))
    }

    /// Fields that are the same where secrets are hidden, and are not where nothing is.
    ///
    /// Only of heads: a place within a body could name what is hidden.
    package mutating func noteHidden(_ whole: FlowComparison) {
        let known = Set(differences.map(\.place))
        for one in whole.differences where one.place.contains(" header ") && !known.contains(one.place) {
            note(one.place, "[redacted]", "[redacted], and another value")
        }
    }

    private static func milliseconds(_ value: Double) -> String { "\((value * 10).rounded() / 10) ms" }

    mutating func note(_ place: String, _ first: String?, _ second: String?) {
        // By bytes: letters may look alike, and be written in two ways.
        guard first.map({ Array($0.utf8) }) != second.map({ Array($0.utf8) }) else { return }
        guard differences.count < Self.limit else {
            more += 1
            return
        }
        func cut(_ text: String?) -> String? {
            text.map { $0.count > Self.valueLimit ? String($0.prefix(Self.valueLimit)) + "…" : $0 }
        }
        differences.append(Difference(place, cut(first), cut(second)))
    }

    // MARK: Heads

    private mutating func compareURLs(_ a: Flow, _ b: Flow) {
        guard a.url != b.url else { return }
        let (first, second) = (Address(a.url), Address(b.url))
        note("address", first.base, second.base)
        compare("query", first.query, second.query)
        note("fragment", first.fragment, second.fragment)
    }

    private mutating func compare(_ name: String, _ a: FlowSide?, _ b: FlowSide?) {
        note("\(name) target", a?.target?.text, b?.target?.text)
        note("\(name) version", a?.version, b?.version)
        note("\(name) reason", a?.reason, b?.reason)
        for (kind, first, second) in [
            ("header", a?.headers, b?.headers), ("trailer", a?.trailers, b?.trailers),
        ] {
            func pairs(_ fields: [HeaderField]?) -> [(String, String)] {
                (fields ?? []).map { ($0.name.lowercased(), $0.value) }
            }
            compare("\(name) \(kind)", pairs(first), pairs(second))
        }
    }

    /// By name, in the order of the first that has it; what stands several times is compared in its order.
    private mutating func compare(_ place: String, _ first: [(String, String)], _ second: [(String, String)]) {
        var names: [String] = []
        var known: Set<String> = []
        var values: (first: [String: [String]], second: [String: [String]]) = ([:], [:])
        for (name, value) in first {
            if known.insert(name).inserted { names.append(name) }
            values.first[name, default: []].append(value)
        }
        for (name, value) in second {
            if known.insert(name).inserted { names.append(name) }
            values.second[name, default: []].append(value)
        }
        for name in names {
            note(
                "\(place) \(name)", values.first[name]?.joined(separator: ", "),
                values.second[name]?.joined(separator: ", "))
        }
    }

    // MARK: Bodies

    private mutating func compare(
        _ name: String, _ a: RecordedFlow, _ b: RecordedFlow, _ direction: ExchangeDirection
    ) {
        let place = "\(name) body"
        let (first, second) = (a.body(direction).shown ?? [], b.body(direction).shown ?? [])
        guard first != second else { return }
        if let one = try? JSONValue.parse(first), let other = try? JSONValue.parse(second) {
            compare(place, "$", one, other)
        } else if let one = String(validating: first, as: UTF8.self),
            let other = String(validating: second, as: UTF8.self),
            BodyLines.areComparable(one, other)
        {
            for change in BodyLines.changes(one, other) {
                note("\(place) line \(change.line)", change.removed, change.inserted)
            }
        } else {
            let at = zip(first, second).prefix { $0 == $1 }.count
            note(
                "\(place) from byte \(at)", "\(English.bytes(first.count)): \(Self.hex(first, at))",
                "\(English.bytes(second.count)): \(Self.hex(second, at))")
        }
    }

    private static func hex(_ bytes: [UInt8], _ at: Int) -> String {
        at < bytes.count ? Hex.encode(Array(bytes[at...].prefix(32))) : "it has ended"
    }

    private mutating func compare(_ place: String, _ path: String, _ a: JSONValue, _ b: JSONValue) {
        guard a != b else { return }
        if let first = a.members, let second = b.members {
            let (one, other) = (Self.byName(first), Self.byName(second))
            var seen: Set<String> = []
            for name in (first + second).map(\.name) where seen.insert(name).inserted {
                let inner = path + Self.step(name)
                if let one = one[name], let other = other[name] {
                    compare(place, inner, one, other)
                } else {
                    note("\(place) \(inner)", one[name]?.text, other[name]?.text)
                }
            }
        } else if let first = a.array, let second = b.array {
            for index in 0..<max(first.count, second.count) {
                let inner = "\(path)[\(index)]"
                if index < first.count, index < second.count {
                    compare(place, inner, first[index], second[index])
                } else {
                    note(
                        "\(place) \(inner)", index < first.count ? first[index].text : nil,
                        index < second.count ? second[index].text : nil)
                }
            }
        } else {
            note("\(place) \(path)", a.text, b.text)
        }
    }

    /// Of a name that stands twice, the first value.
    private static func byName(_ members: [JSONValue.Member]) -> [String: JSONValue] {
        Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// A member's name as JSONPath has it (RFC 9535 §2.5.1).
    private static func step(_ name: String) -> String {
        let isPlain = !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        return isPlain && name.first?.isNumber != true ? ".\(name)" : "[\(JSONValue.string(name).text)]"
    }

    // MARK: Messages

    private mutating func compareMessages(_ a: [FlowMessage], _ b: [FlowMessage]) {
        note("messages", a.isEmpty ? nil : String(a.count), b.isEmpty ? nil : String(b.count))
        for index in 0..<max(a.count, b.count) {
            func text(_ messages: [FlowMessage]) -> String? {
                guard index < messages.count else { return nil }
                let one = messages[index].message
                let data = String(validating: one.data, as: UTF8.self) ?? Hex.encode(Array(one.data.prefix(64)))
                return "\(one.from == .up ? "client" : "server") \(one.label) \(data)"
            }
            note("message \(index)", text(a), text(b))
        }
    }
}

/// An address, taken apart where it can differ.
private struct Address {
    /// Scheme, authority and path.
    var base: String?
    /// As typed, in its order.
    var query: [(String, String)] = []
    var fragment: String?

    init(_ url: String?) {
        guard let url else { return }
        let halves = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        if halves.count > 1 { fragment = String(halves[1]) }
        let parts = halves[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        base = String(parts[0])
        for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            query.append((String(sides[0]), sides.count > 1 ? String(sides[1]) : ""))
        }
    }
}
