/// What a media type says of a body, in words that formats decide by.
enum MediaType {
    /// `Application/JSON; charset=utf-8` is `application/json`.
    static func essence(_ value: String?) -> String? {
        guard let value else { return nil }
        let essence = value.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
        let text = String(decoding: Array(essence)[...].trimmed, as: UTF8.self).lowercased()
        return text.isEmpty ? nil : text
    }

    /// `name` of `form-data; name="a \"b\""`, without its quotes.
    static func parameter(_ name: String, of value: String) -> String? {
        let bytes = Array(value.utf8)
        var at = bytes.firstIndex(of: UInt8(ascii: ";")) ?? bytes.endIndex
        while at < bytes.endIndex {
            at += 1
            let rest = bytes[at...].drop(while: \.isSpace)
            let key = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            at = key.endIndex
            guard at < bytes.endIndex, bytes[at] == UInt8(ascii: "=") else { continue }
            at += 1
            var text: [UInt8] = []
            if at < bytes.endIndex, bytes[at] == UInt8(ascii: "\"") {
                at += 1
                while at < bytes.endIndex, bytes[at] != UInt8(ascii: "\"") {
                    if bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.endIndex { at += 1 }
                    text.append(bytes[at])
                    at += 1
                }
            } else {
                text = Array(bytes[at...].prefix { $0 != UInt8(ascii: ";") }.trimmed)
            }
            if String(decoding: key.trimmed, as: UTF8.self).lowercased() == name {
                return String(decoding: text, as: UTF8.self)
            }
            at = bytes[min(at, bytes.endIndex)...].firstIndex(of: UInt8(ascii: ";")) ?? bytes.endIndex
        }
        return nil
    }

    static func isJSON(_ essence: String) -> Bool {
        essence.hasSuffix("/json") || essence.hasSuffix("+json") || essence.hasSuffix("/x-ndjson")
            || essence.hasSuffix("/jsonl") || essence.hasSuffix("json-seq")
            || essence.hasSuffix("/graphql-response+json")
    }

    static func isXML(_ essence: String) -> Bool {
        essence.hasSuffix("/xml") || essence.hasSuffix("+xml") || essence == "text/html"
    }

    /// JavaScript or a style sheet: what looks like a name and a value there is code.
    static func isCode(_ essence: String) -> Bool {
        essence.hasSuffix("javascript") || essence.hasSuffix("ecmascript") || essence == "text/css"
            || essence == "application/wasm"
    }

    static func isText(_ essence: String) -> Bool {
        essence.hasPrefix("text/") || isJSON(essence) || isXML(essence) || isCode(essence)
            || essence == "application/x-www-form-urlencoded" || essence == "application/graphql"
            || essence.hasSuffix("yaml") || essence.hasSuffix("/x-sh")
    }
}
