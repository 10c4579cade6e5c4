import Facts
import Testing

@testable import Pins

@Suite("Derived pins")
struct DerivedPinsTests {
    private let leaf = PinnableItem(
        role: .leaf, subject: "CN=api\u{1b}[31m", dnsNames: (1...8).map { "n\($0).test" }, key: "EC-P256",
        spkiSHA256: Array(repeating: 1, count: 32), spkiSHA1: Array(repeating: 2, count: 20),
        certificate: .init(
            issuer: "CN=CA", notBefore: UTCTime(unix: 0.0), notAfter: UTCTime(unix: 86_400.0),
            sha256: Array(repeating: 3, count: 32), sha1: Array(repeating: 4, count: 20)))
    private let key = PinnableItem(
        role: .key, subject: nil, key: "RSA-2048", spkiSHA256: Array(repeating: 5, count: 32),
        spkiSHA1: Array(repeating: 6, count: 20))

    @Test("JSON has every field of every item, null where there is nothing")
    func json() throws {
        let pins = DerivedPins(
            source: "a", isVerified: false, whyNot: "because", isPublicRoot: false, items: [leaf, key],
            warnings: [.init(.expired, "old")])
        var writer = JSONWriter()
        pins.write(to: &writer)
        let json = try JSONValue.parse(writer.bytes)
        #expect(json["schema"] == .string("pinproof.pins/1") && json["verified"] == .bool(false))
        guard case .array(let items) = json["certificates"], items.count == 2 else {
            Issue.record("\(String(decoding: writer.bytes, as: UTF8.self))")
            return
        }
        let names = [
            "role", "subject", "issuer", "not_before", "not_after", "key", "dns_names", "spki_sha256",
            "spki_sha256_hex", "spki_sha1", "certificate_sha256_hex", "certificate_sha1_hex",
        ]
        for item in items { #expect(names.allSatisfy { item[$0] != nil }) }
        #expect(items[0]["not_after"] == .string("1970-01-02T00:00:00Z"))
        #expect(items[0]["spki_sha256"] == .string("AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="))
        #expect(items[0]["certificate_sha1_hex"] == .string(String(repeating: "04", count: 20)))
        #expect(items[1]["subject"] == .null && items[1]["certificate_sha256_hex"] == .null)
    }

    @Test("a snippet is for a name or an address of the certificate, or says that its host is made up")
    func hosts() {
        func snippet(_ item: PinnableItem, _ format: ExportFormat) -> Snippet {
            Snippet(
                DerivedPins(source: "a.pem", isVerified: false, whyNot: nil, isPublicRoot: false, items: [item]),
                as: format)
        }
        let placeholder = "no host is known of it: put yours in the place of api.example.com"
        for format in ExportFormat.snippets where format != .flutter && format != .appleCA {
            let snippet = snippet(key, format)
            #expect(snippet.warnings.contains(placeholder) && snippet.text.contains(placeholder), "\(format)")
        }
        var addressed = leaf
        addressed.dnsNames = []
        addressed.addresses = ["192.0.2.1"]
        #expect(snippet(addressed, .nsc).text.contains("\">192.0.2.1</domain>"))
        #expect(!snippet(addressed, .nsc).warnings.contains(placeholder))
        #expect(snippet(addressed, .trustKit).warnings.contains(placeholder))
        #expect(snippet(leaf, .nsc).text.contains("\">n1.test</domain>"))
        #expect(!snippet(leaf, .nsc).warnings.contains(placeholder))
    }

    @Test("text has each pin on a line of its own, and no control character of a name")
    func text() {
        let pins = DerivedPins(
            source: "a", isVerified: true, whyNot: nil, isPublicRoot: true, items: [leaf], anchor: key)
        #expect(pins.text.contains("\n     sha256/AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=\n"))
        #expect(!pins.text.contains("\u{1b}") && pins.text.contains("n6.test and 2 more"))
        #expect(pins.text.contains("the chain verifies, and ends in a public root"))
        #expect(pins.text.contains("not sent; from this system's roots"))
    }
}
