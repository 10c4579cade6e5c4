import Testing

@testable import Pins

@Suite("hostile text")
struct HostileTextTests {
    private static var readers: [any PinFileReader.Type] {
        [
            AppleConfigReader.self, TrustKitReader.self, CurlReader.self, HPKPReader.self, ReactNativeReader.self,
            PinsJSONReader.self,
        ]
    }
    private static let a = CurlReaderTests.a

    private static let texts = [
        "<plist><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict><key>a.b</key><dict><key>NSPinnedLeafIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>\(a)</string></dict></array></dict></dict></dict></dict></plist>",
        "<plist><dict><key>TSKPinnedDomains</key><dict><key>a.b</key><dict><key>TSKPublicKeyHashes</key><array><string>\(a)</string></array><key>TSKExpirationDate</key><string>2027-01-01</string></dict></dict></dict></plist>",
        "A='x'\ncurl -sk \\\n --pinnedpubkey \"sha256//\(a);sha256//${B:-c}$(d \"e\")`f`\" 'https://u@[::1]:1/' >x 2>&1 --next",
        "[\"curl\", \"--pinnedpubkey\", f\"sha256//\(a)\", x]\npinnedpubkey = \"sha256//\\\"\"\n",
        "add_header Public-Key-Pins 'pin-sha256=\\\"\(a)\\\"; \\\n max-age=1; includeSubDomains';\nPublic-Key-Pins-Report-Only: pin-sha256=\"\(a)\"",
        "{\"sha256Keys\": {\"a.b\": [\"sha256/\(a)\", \"\\u00fc\"]}, \"domains\": {\"a.b\": {\"expirationDate\": \"2027-01-01\"}}}",
        "{\"schema\": \"pinproof.pin-list/1\", \"hosts\": [{\"host\": \"a.b\", \"pins\": [\"sha256/\(a)\", {\"pin\": \"certificate-md5/0a\"}]}]}",
    ]

    @Test("what is cut or changed anywhere never traps, for any reader", arguments: texts)
    func changed(_ text: String) {
        let bytes = Array(text.utf8)
        func feed(_ bytes: [UInt8]) {
            let content = PinFileContent(bytes)
            for reader in Self.readers where reader.recognises(content) { _ = try? reader.read(content, path: "") }
        }
        for place in stride(from: 0, to: bytes.count, by: 3) {
            feed(Array(bytes[..<place]))
            feed(Array(bytes[place...]))
            for value in [0x22, 0x0a] as [UInt8] {
                var other = bytes
                other[place] = value
                feed(other)
            }
        }
    }

    @Test("no two readers take the same file", arguments: texts)
    func onlyOne(_ text: String) {
        #expect(Self.readers.count { $0.recognises(PinFileContent(text)) } == 1)
    }
}
