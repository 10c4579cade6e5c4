import Facts
import Testing

@testable import Pins

@Suite("Whether files agree: who takes part")
struct PinSyncPartiesTests {
    private let plist = file("i.plist", .appleATS, [entry("a.com", [pin(1, .leaf)], .appleATS, line: 5)])

    private func config(_ inner: String) throws -> PinFile {
        let text = "<network-security-config>\(inner)</network-security-config>"
        return try AndroidConfigReader.read(PinFileContent(text), path: "n.xml")
    }

    private func told(_ files: PinFile...) -> [String] {
        let sync = PinSync(files)
        return sync.disagreements.map {
            "\($0.severity.rawValue) \($0.kind.rawValue) \($0.file):\($0.line.map(String.init) ?? "-") \($0.text)"
        } + (sync.agrees ? ["agree"] : [])
    }

    @Test("pins that overridePins on the system's roots switches off do not count")
    func overridden() throws {
        let pinned = """
            <domain-config><domain>a.com</domain>%
            <pin-set><pin digest="SHA-256">\(pin(1).text)</pin></pin-set></domain-config>
            """
        func domain(_ anchors: String) -> String { pinned.split(separator: "%").joined(separator: anchors) }
        func anchors(_ attributes: String) -> String {
            "<trust-anchors><certificates \(attributes)/></trust-anchors>"
        }
        let off = anchors(#"src="system" overridePins="true""#)
        let words =
            #"has pins for a.com that overridePins="true" on the system's roots switches off, and i.plist:5 does"#
        let base = "<base-config>\(off)</base-config>"
        #expect(told(try config(base + domain("")), plist) == ["error not-pinned n.xml:1 \(words) pin it"])
        #expect(told(try config(domain(off)), plist).count == 1)
        // The domain's own anchors replace those of the base-config.
        #expect(told(try config(base + domain(anchors(#"src="system""#))), plist) == ["agree"])
        #expect(told(try config(domain(anchors(#"src="user" overridePins="true""#))), plist) == ["agree"])
    }
}
