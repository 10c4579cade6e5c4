import Facts
import Testing

@testable import Pins

@Suite("Snippets for one host")
struct SnippetTests {
    private static func certificate(_ role: SnippetCertificate.Role, _ byte: UInt8) -> SnippetCertificate {
        SnippetCertificate(
            role: role, spkiSHA256: Base64.encode([UInt8](repeating: byte, count: 32)),
            certificateSHA256Hex: role == .key ? nil : Hex.encode([UInt8](repeating: byte, count: 32)),
            subject: "CN=\(role.rawValue)", notAfter: "2027-01-31T12:00:00Z")
    }
    private let chain = [certificate(.leaf, 1), certificate(.intermediate, 2), certificate(.root, 3)]
    private func pins(_ text: String) -> [Int] {
        let bare = text.split(separator: "\n").filter { line in
            let start = line.drop { $0 == " " }
            return !start.hasPrefix("#") && !start.hasPrefix("//") && !start.hasPrefix("<!--")
        }.joined(separator: "\n")
        return [1, 2, 3, 4].filter { byte in
            let digest = [UInt8](repeating: UInt8(byte), count: 32)
            return bare.contains(Base64.encode(digest)) || bare.contains(Hex.encode(digest).uppercased())
        }
    }

    @Test(
        "the leaf is pinned, its issuers where the format has them, and all others stand in comments",
        arguments: ExportFormat.snippets)
    func chosen(_ format: ExportFormat) {
        let text = Snippet(host: "API.Example.com.", chain, as: format).text
        switch format {
        case .appleCA: #expect(pins(text) == [2, 3])
        case .trustKit: #expect(pins(text) == [1, 2])
        // Its keys are in certificates of the bundle, and their hashes in comments.
        case .alamofire: #expect(pins(text) == [])
        default: #expect(pins(text) == [1])
        }
        #expect(text.contains("api.example.com") && !text.contains("API"))
        for certificate in chain { #expect(text.contains(certificate.remark)) }
    }

    @Test("a backup key beside the leaf is a second pin, and without one it is said what is missing")
    func backup() {
        let keys = [chain[0], Self.certificate(.key, 4)]
        #expect(pins(Snippet(host: "a.com", keys, as: .trustKit).text) == [1, 4])
        #expect(Snippet(host: "a.com", keys, as: .okHttp).warnings == [])
        #expect(
            Snippet(host: "a.com", chain, as: .okHttp).warnings == [
                "one pin: once the key changes, the app is locked out; make a backup with: pinproof pins backup a.com"
            ])
        #expect(pins(Snippet(host: "a.com", [Self.certificate(.request, 4)], as: .curl).text) == [4])
    }

    @Test("issuers alone are pinned where they can be matched")
    func issuers() {
        let issuers = Array(chain.dropFirst())
        #expect(pins(Snippet(host: "a.com", issuers, as: .nsc).text) == [2, 3])
        #expect(pins(Snippet(host: "a.com", issuers, as: .curl).text) == [])
        #expect(
            Snippet(host: "a.com", [chain[0]], as: .appleCA).warnings.contains(
                "there is no issuer at hand whose key could be pinned"))
    }

    @Test("a snippet that pins nothing says so first, and has nothing that a library would fall over")
    func nothing() throws {
        let cases: [(String, [SnippetCertificate], ExportFormat)] = [
            ("*.a.com", [chain[0]], .trustKit), ("*.a.com", chain, .curl), ("a.com", [chain[1]], .curl),
            ("a.com", [Self.certificate(.key, 4)], .flutter), ("::1", chain, .trustKit),
        ]
        for (host, certificates, format) in cases {
            let snippet = Snippet(host: host, certificates, as: format)
            #expect(snippet.pinsNothing && pins(snippet.text).isEmpty)
            #expect(snippet.warnings.first == "this pins nothing: \(format.name) cannot pin \(host) by what is at hand")
            #expect(snippet.text.contains("this pins nothing") && !snippet.text.contains("TSKPinnedDomains"))
        }
        #expect(ExportFormat.snippets.allSatisfy { !Snippet(host: "a.com", chain, as: $0).pinsNothing })
        let wildcard = Snippet(host: "*.a.com", chain, as: .profile)
        #expect(!wildcard.pinsNothing && wildcard.text.contains("\n  \"*.a.com\":\n"))
    }

    @Test("a profile that loads")
    func profile() {
        #expect(
            Snippet(host: "a.com", [chain[0]], as: .profile).text == """
                # pinned: \(chain[0].remark)
                # one pin: once the key changes, the app is locked out; make a backup with: pinproof pins backup a.com
                version: 1
                hosts:
                  a.com:
                    expect: refuse
                    pins:
                      - \(pin(1).name)

                """)
        #expect(Snippet(host: "[::1]", [chain[0]], as: .profile).text.contains("\n  \"::1\":\n"))
    }

    @Test("a subject of the server's own making ends no comment", arguments: ExportFormat.snippets)
    func hostile(_ format: ExportFormat) {
        var leaf = chain[0]
        leaf.subject = "CN=x\n*/ \u{1b}[2J --><a>"
        let text = Snippet(host: "a\nb.com", [leaf], as: format).text
        #expect(!text.contains("\n*/") && !text.contains("\u{1b}") && !text.contains("\nb.com"))
        if text.hasPrefix("<?xml") { #expect(!text.contains("--><a>") && (try? XMLReader.read(text)) != nil) }
    }
}
