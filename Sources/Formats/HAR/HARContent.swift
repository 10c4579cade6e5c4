import Facts
import Flows

/// The bytes of `content` or `postData`, from whomever they come.
enum HARContent {
    /// - Parameter encode: the bytes of a text, which HAR has in Unicode whatever it was.
    static func bytes(_ json: JSONValue?, _ encode: (String) -> [UInt8] = { Array($0.utf8) }) -> [UInt8]? {
        guard let json else { return nil }
        guard let text = json["text"]?.string else {
            // Some write parameters alone.
            guard let params = json["params"]?.array, !params.isEmpty else { return nil }
            guard MediaType.essence(json["mimeType"]?.string) == "application/x-www-form-urlencoded" else { return nil }
            return Array(params.map(pair).joined(separator: [UInt8(ascii: "&")]))
        }
        let encoding = json["encoding"]?.string ?? json["_encoding"]?.string
        guard encoding?.lowercased() == "base64" else { return encode(text) }
        // What says that it is base64, and is none, is shown as it stands.
        let bytes = Array(text.utf8)
        return Base64Text.decoded(bytes) ?? bytes
    }

    private static func pair(_ json: JSONValue) -> [UInt8] {
        FormFields.encoded((json["name"]?.string ?? "").utf8) + [UInt8(ascii: "=")]
            + FormFields.encoded((json["value"]?.string ?? "").utf8)
    }
}
