import Facts
import Flows

extension FilterNode {
    func matches(_ flow: Flow, _ content: some FilterContent) -> Bool {
        switch self {
        case .all(let nodes):
            for node in nodes where !node.matches(flow, content) { return false }
            return true
        case .any(let nodes):
            for node in nodes where node.matches(flow, content) { return true }
            return false
        case .not(let node): return !node.matches(flow, content)
        case .term(let term): return term.matches(flow, content)
        }
    }
}

extension FilterTerm {
    package func matches(_ flow: Flow, _ content: some FilterContent) -> Bool {
        switch self {
        case .anywhere(let text):
            if let url = flow.urlText, text.isPart(ofUTF8: url.utf8) { return true }
            return FilterSide.either.directions.contains { flow.hasField($0, with: text) }
                || Self.isInBody(.either, text, content)
        case .value(let field, let patterns):
            for pattern in patterns where flow.fits(field, pattern) { return true }
            return false
        case .part(.url, let text): return flow.urlText.map { text.isPart(ofUTF8: $0.utf8) } ?? false
        case .part(.comment, let text): return flow.comment.map { text.isPart(ofUTF8: $0.utf8) } ?? false
        case .header(let side, let name, let value):
            return side.directions.contains { flow.hasField($0, named: name, value) }
        case .body(let side, let text): return Self.isInBody(side, text, content)
        case .number(let number, let ranges):
            guard let value = flow.value(of: number) else { return false }
            for range in ranges where range.contains(value) { return true }
            return false
        case .kind(let kinds): return kinds.contains(flow.kind)
        case .failure(let ids): return flow.failure.map { ids.contains($0.id) } ?? false
        case .tls(let versions): return flow.tlsVersion.map(versions.contains) ?? false
        case .after(let moment): return flow.started >= moment
        case .before(let moment): return flow.started < moment
        case .trait(let trait): return flow.has(trait)
        }
    }

    private static func isInBody(_ side: FilterSide, _ text: FilterText, _ content: some FilterContent) -> Bool {
        for direction in side.directions {
            if let body = content.text(direction), text.isPart(of: body) { return true }
        }
        return side.directions.contains { content.hasMessage($0, where: text.isPart(of:)) }
    }
}

extension Flow {
    fileprivate func value(of number: FilterNumber) -> Int64? {
        switch number {
        case .status: status.map(Int64.init)
        case .port: server.port.map(Int64.init)
        case .requestSize: requestSize
        case .responseSize: responseSize
        case .duration: durationMicroseconds
        case .messages: Int64(messages)
        case .connection: connection.flatMap(Int64.init(exactly:))
        case .id: id
        }
    }

    fileprivate func fits(_ field: FilterField, _ pattern: FilterPattern) -> Bool {
        switch field {
        case .host:
            guard let host = server.host else { return false }
            return pattern.isAll(of: host)
        case .path:
            guard let path = pathAndQuery else { return false }
            return pattern.isAll(of: path) || pattern.isAll(ofUTF8: path.utf8.prefix { $0 != UInt8(ascii: "?") })
        case .method:
            guard let method else { return false }
            return pattern.isAll(of: method)
        case .scheme: return scheme.map(pattern.isAll(of:)) ?? false
        case .port: return server.port.map { pattern.isAll(of: String($0)) } ?? false
        case .type: return responseType.map { Self.isType($0, pattern) } ?? false
        case .tag: return tags.contains { pattern.isAll(of: $0) }
        case .client:
            return client.name.map(pattern.isAll(of:)) ?? false || client.address.map(pattern.isAll(of:)) ?? false
                || clientHost.map(pattern.isAll(of:)) ?? false
        case .alpn: return tls?.alpn.map(pattern.isAll(of:)) ?? false
        case .ja4: return tls?.ja4.map(pattern.isAll(of:)) ?? false
        case .mark: return mark.map(pattern.isAll(of:)) ?? false
        }
    }

    /// `application/problem+json` is also `problem+json` and `json` (RFC 6838 §4.2.8).
    package static func isType(_ type: String, _ pattern: FilterPattern) -> Bool {
        if pattern.isAll(of: type) { return true }
        guard let slash = type.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
        let subtype = type[type.utf8.index(after: slash)...]
        if pattern.isAll(of: subtype) { return true }
        guard let plus = subtype.utf8.lastIndex(of: UInt8(ascii: "+")) else { return false }
        return pattern.isAll(of: subtype[subtype.utf8.index(after: plus)...])
    }

    /// A line `name: value` that has it.
    fileprivate func hasField(_ direction: ExchangeDirection, with text: FilterText) -> Bool {
        side(direction)?.hasField { field in
            if text.isPart(ofUTF8: field.value.utf8) || text.isPart(ofUTF8: field.name.utf8) { return true }
            // Only what spans both is left, and that has a colon.
            if case .pattern(let pattern) = text, !pattern.hasStar, !pattern.segments[0].utf8.contains(0x3a) {
                return false
            }
            return text.isPart(of: Array("\(field.name): \(field.value)".utf8))
        } ?? false
    }

    fileprivate func hasField(
        _ direction: ExchangeDirection, named name: FilterPattern, _ value: FilterText?
    ) -> Bool {
        side(direction)?.hasField { field in
            name.isAll(of: field.name) && value?.isPart(ofUTF8: field.value.utf8) ?? true
        } ?? false
    }
}

extension FlowSide {
    fileprivate func hasField(where test: (HeaderField) -> Bool) -> Bool {
        headers.contains(where: test) || trailers.contains(where: test)
            || informational.contains { $0.headers.contains(where: test) }
    }
}
