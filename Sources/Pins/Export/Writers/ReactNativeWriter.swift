/// TypeScript for `react-native-ssl-public-key-pinning`.
enum ReactNativeWriter {
    static func text(_ hosts: [DeclaredHost], _ notes: [String]) -> String {
        var out = "import { initializeSslPinning } from 'react-native-ssl-public-key-pinning';\n\n"
        out += ExportComment.lines(notes, "//")
        out += "// Before the first request: it goes to TrustKit on iOS, and to OkHttp on Android.\n"
        out += "await initializeSslPinning({\n"
        for host in hosts where host.isPinned {
            out += "  '\(host.domain ?? "")': {\n    includeSubdomains: \(host.coversBelow),\n    publicKeyHashes: [\n"
            for pin in host.base64Pins { out += "      '\(pin)',\n" }
            out += "    ],\n"
            if let day = host.expires { out += "    expirationDate: '\(day)',\n" }
            out += "  },\n"
        }
        return out + "});\n"
    }
}
