import Facts

/// The first operation of a GraphQL document (GraphQL §2.3), as far as its name goes.
struct GraphQLOperation: Hashable {
    /// `query`, `mutation` or `subscription`.
    var kind: String
    /// nil: it is anonymous.
    var name: String?

    /// nil for what is no document; it may lack its end.
    init?(document: ArraySlice<UInt8>) {
        var reader = Document(rest: document)
        while true {
            reader.skipIgnored()
            if reader.next == UInt8(ascii: "{") {
                // JSON goes on with a quote here.
                reader.skip()
                guard reader.readName() != nil || reader.next == UInt8(ascii: ".") else { return nil }
                kind = "query"
                return
            }
            guard let word = reader.readName() else { return nil }
            switch word {
            case "query", "mutation", "subscription":
                kind = word
                name = reader.readName()
                reader.skipIgnored()
                guard let next = reader.next, "({@".utf8.contains(next) else { return nil }
                return
            case "fragment": guard reader.skipDefinition() else { return nil }
            default: return nil
            }
        }
    }

    /// Of a request's body: one operation, or a batch of them.
    ///
    /// - Parameter isGraphQLPath: the URL says that it is GraphQL, where the body names an operation without a document.
    static func names(json: ArraySlice<UInt8>, isGraphQLPath: Bool) -> [String] {
        JSONOutline.objects(in: json).compactMap { members in
            name(
                document: members["query"].flatMap { $0.isString ? $0.text[...] : nil },
                operation: members["operationName"].flatMap { $0.isString ? $0.text[...] : nil },
                isPersisted: isPersisted(members["extensions"]?.bytes), isGraphQLPath: isGraphQLPath)
        }
    }

    /// Of a URL's query, without its question mark.
    static func name(query: ArraySlice<UInt8>) -> String? {
        var values: [String: [UInt8]] = [:]
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(decoding: parts[0], as: UTF8.self)
            guard parts.count == 2, ["query", "operationName", "extensions"].contains(name) else { continue }
            values[name] = unescaped(parts[1])
        }
        return name(
            document: values["query"]?[...], operation: values["operationName"]?[...],
            isPersisted: isPersisted(values["extensions"]?[...]), isGraphQLPath: false)
    }

    /// The `operations` of a multipart request with files (graphql-multipart-request-spec).
    static func upload(_ body: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let mark = Array("name=\"operations\"".utf8)
        var rest = body
        while let start = rest.firstIndex(of: UInt8(ascii: "n")) {
            rest = rest[start...]
            if rest.starts(with: mark) {
                let value = rest.firstIndex { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }
                return value.map { rest[$0...] }
            }
            rest = rest.dropFirst()
        }
        return nil
    }

    private static func name(
        document: ArraySlice<UInt8>?, operation: ArraySlice<UInt8>?, isPersisted: Bool, isGraphQLPath: Bool
    ) -> String? {
        let read = document.flatMap { GraphQLOperation(document: $0) }
        let named = operation.flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
        guard read != nil || isPersisted || isGraphQLPath && named != nil else { return nil }
        return named ?? read?.name ?? read?.kind ?? "persisted"
    }

    private static func isPersisted(_ extensions: ArraySlice<UInt8>?) -> Bool {
        extensions.map { JSONOutline.objects(in: $0).first?["persistedQuery"] != nil } ?? false
    }

    /// Of a form (`application/x-www-form-urlencoded`).
    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(text.count)
        var at = text.startIndex
        while at < text.endIndex {
            if text[at] == UInt8(ascii: "%"), at + 2 < text.endIndex,
                let byte = UInt8(String(decoding: text[(at + 1)...(at + 2)], as: UTF8.self), radix: 16)
            {
                out.append(byte)
                at += 3
            } else {
                out.append(text[at] == UInt8(ascii: "+") ? UInt8(ascii: " ") : text[at])
                at += 1
            }
        }
        return out
    }
}

/// A GraphQL document, read from its beginning.
private struct Document {
    var rest: ArraySlice<UInt8>

    var next: UInt8? { rest.first }

    mutating func skip() { rest = rest.dropFirst() }

    /// White space, commas, comments, a byte order mark (GraphQL §2.1.7).
    mutating func skipIgnored() {
        while let byte = rest.first {
            switch byte {
            case 0x20, 0x09, 0x0a, 0x0d, UInt8(ascii: ","), 0xef, 0xbb, 0xbf: skip()
            case UInt8(ascii: "#"): rest = rest.drop { $0 != 0x0a && $0 != 0x0d }
            default: return
            }
        }
    }

    mutating func readName() -> String? {
        skipIgnored()
        let name = rest.prefix { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        rest = rest[name.endIndex...]
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    /// To behind the braces that come next; false where they do not end.
    mutating func skipDefinition() -> Bool {
        var depth = 0
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "#"):
                skipIgnored()
                continue
            case UInt8(ascii: "\""):
                skipString()
                continue
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth -= 1
            default: break
            }
            skip()
            if byte == UInt8(ascii: "}"), depth <= 0 { return depth == 0 }
        }
        return false
    }

    private mutating func skipString() {
        let block = Array("\"\"\"".utf8)
        let isBlock = rest.starts(with: block)
        rest = rest.dropFirst(isBlock ? block.count : 1)
        while let byte = rest.first {
            if isBlock, rest.starts(with: block) {
                rest = rest.dropFirst(block.count)
                return
            }
            rest = rest.dropFirst(byte == UInt8(ascii: "\\") ? 2 : 1)
            if !isBlock, byte == UInt8(ascii: "\"") { return }
        }
    }
}
