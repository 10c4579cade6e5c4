import Facts

/// Reads the JSON that apps of React Native, and of Capacitor, keep their pins in.
///
/// | shape | library |
/// | --- | --- |
/// | `{"sha256Keys": {HOST: ["sha256/…"]}, "domains": {HOST: {…}}}` | react-native-ssl-manager (`ssl_config.json`) |
/// | `{HOST: {"publicKeyHashes": ["…"], "includeSubdomains": true}}` | react-native-ssl-public-key-pinning |
/// | `{"domains": {"*.HOST": {"pins": ["sha256/…"]}}}` | react-native-cert-pinner (`pinset.json`) |
/// | `"sslPinning": {HOST: ["…"]}` | @bam.tech/react-native-app-security (`app.json`) |
/// | `{"hostname": HOST, "fingerprints": ["AB:CD:…"]}` | plugins of Capacitor, and lists that apps write themselves |
///
/// They may stand anywhere in the file: an `app.json` has them among its plugins' settings.
package enum ReactNativeReader: PinFileReader {
    private static let marks = [
        "\"sha256Keys\"", "\"publicKeyHashes\"", "\"sslPinning\"", "\"SSLPinning\"", "\"fingerprint", "\"pins\"",
    ]

    package static func recognises(_ content: PinFileContent) -> Bool {
        guard content.bytes.count <= LinedJSON.sizeLimit, let text = content.text, !PinsJSONReader.recognises(content),
            let first = text.utf8.first(where: { $0 > 32 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            marks.contains(where: { ByteSearch.contains(Array($0.utf8), in: content.bytes) })
        else { return false }
        do {
            let file = try read(content, path: "")
            return !file.hosts.isEmpty
        } catch {
            // Broken, and of this library all the same: its own names say so.
            return first == UInt8(ascii: "{")
                && marks.prefix(2).contains { ByteSearch.contains(Array($0.utf8), in: content.bytes) }
                && isLikeJSON(text)
        }
    }

    package static func read(_ content: PinFileContent, path: String) throws(PinFileFault) -> PinFile {
        var file = PinFile(path: path, format: .reactNative)
        ReactNativeShapes.walk(try LinedJSON.read(content), into: &file)
        return file
    }

    /// It begins as an object with a quoted name does, and as no program.
    private static func isLikeJSON(_ text: String) -> Bool {
        text.utf8.drop { $0 != UInt8(ascii: "{") }.dropFirst().first { $0 > 32 } == UInt8(ascii: "\"")
    }
}
