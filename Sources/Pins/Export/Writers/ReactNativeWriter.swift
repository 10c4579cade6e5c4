import Facts

/// TypeScript for `react-native-ssl-public-key-pinning`.
///
/// What it passes on is JSON, and may stand in a file of its own.
enum ReactNativeWriter {
    static func text(_ hosts: [DeclaredHost], _ notes: [String]) -> String {
        var json = JSONWriter(layout: .indented)
        json.beginObject()
        for host in hosts where host.isPinned {
            json.key(host.domain ?? "")
            json.beginObject()
            json.field("includeSubdomains", host.coversBelow)
            json.field("publicKeyHashes", host.base64Pins, inline: false)
            if let day = host.expires { json.field("expirationDate", day.description) }
            json.endObject()
        }
        json.endObject()
        return "import { initializeSslPinning } from 'react-native-ssl-public-key-pinning';\n\n"
            + ExportComment.lines(notes, "//")
            + "// Before the first request: it goes to TrustKit on iOS, and to OkHttp on Android.\n"
            + "await initializeSslPinning(" + String(decoding: json.bytes, as: UTF8.self) + ");\n"
    }
}
