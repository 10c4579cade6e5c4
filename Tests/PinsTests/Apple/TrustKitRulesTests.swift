import Facts
import Testing

@testable import Pins

@Suite("TrustKit's rules, wherever its configuration stands")
struct TrustKitRulesTests {
    private static let pins = [SourceFixture.text("{A}"), SourceFixture.text("{B}")]

    /// Of one domain: hosts and days, or that TrustKit raises an exception.
    private func inPropertyList(_ domain: String, _ settings: [(String, String)], _ pins: [String]) -> [DeclaredHost]? {
        let values = settings.map { name, value in
            "<key>TSK\(name)</key>"
                + (value == "true" || value == "false" ? "<\(value)/>" : "<string>\(value)</string>")
        }
        let text =
            "<plist><dict><key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict><key>\(domain)</key><dict>"
            + values.joined() + "<key>TSKPublicKeyHashes</key><array>"
            + pins.map { "<string>\($0)</string>" }.joined() + "</array></dict></dict></dict></dict></plist>"
        return try? TrustKitReader.read(PinFileContent(text), path: "Info.plist").hosts
    }

    private func inCode(_ domain: String, _ settings: [(String, String)], _ pins: [String]) -> [DeclaredHost]? {
        let values = settings.map { name, value in
            "kTSK\(name): " + (value == "true" || value == "false" ? value : "\"\(value)\"") + ", "
        }
        let list = pins.map { "\"\($0)\"" }.joined(separator: ", ")
        let text =
            "let c = [kTSKPinnedDomains: [\"\(domain)\": [\(values.joined())kTSKPublicKeyHashes: [\(list)]]]] as [String: Any]"
        return try? SourceFile.read(PinFileContent(text), path: "App.swift").first { $0.format == .trustKit }?.hosts
    }

    @Test(
        "a property list and code come to the same",
        arguments: [
            ("a.example.com", [("IncludeSubdomains", "true")], pins), ("a.example.com", [], [pins[0]]),
            ("a.example.com", [("EnforcePinning", "false")], [pins[0]]), ("a.example.com", [], [pins[0], pins[0]]),
            ("a.example.com", [("ExpirationDate", "2027-6-1")], pins),
            ("a.example.com", [("ExpirationDate", "June")], pins),
            ("a.example.com", [], [pins[0], String(pins[1].dropLast())]),
            ("co.il", [("IncludeSubdomains", "true")], pins), ("github.io", [("IncludeSubdomains", "true")], pins),
            ("example.com", [("IncludeSubdomains", "true")], pins), ("localhost", [], pins),
        ] as [(String, [(String, String)], [String])])
    func same(_ domain: String, _ settings: [(String, String)], _ pins: [String]) {
        let (list, code) = (inPropertyList(domain, settings, pins), inCode(domain, settings, pins))
        #expect(list?.map(\.patterns) == code?.map(\.patterns))
        #expect(list?.map { $0.pins.map(\.digest) } == code?.map { $0.pins.map(\.digest) })
        #expect(list?.map(\.expires) == code?.map(\.expires) && list?.map(\.isEnforced) == code?.map(\.isEnforced))
    }

    @Test("days, pins, parents and last labels")
    func rules() {
        #expect(TrustKitRules.day("2027-6-1") == CalendarDate("2027-06-01") && TrustKitRules.day("2027-06") == nil)
        #expect(TrustKitRules.pin(Self.pins[0], line: 1).digest != nil)
        #expect(TrustKitRules.pin(Self.pins[0] + "\n", line: 1).digest == nil)
        let covering = ["a.com": 1, "b.a.com": 2]
        #expect(TrustKitRules.parent(of: "c.b.a.com", among: covering) == 2)
        #expect(TrustKitRules.parent(of: "a.com", among: covering) == nil)
        #expect(TrustKitRules.unknownSuffix(of: "db.intranet") == "intranet")
        #expect(TrustKitRules.unknownSuffix(of: "a.com") == nil)
    }
}
