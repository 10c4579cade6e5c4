import Facts
import Testing

@testable import Pins

@Suite("Whether files agree: who takes part")
struct PinSyncPartiesTests {
    private let plist = file("i.plist", .appleATS, [entry("a.com", [pin(1, .leaf)], .appleATS, line: 5)])
    private let nsc = file("n.xml", .androidNSC, [entry("a.com", [pin(1)], .androidNSC, line: 7)])

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

    @Test(
        "a file that pins no host disagrees with one that pins",
        arguments: [
            "<domain-config><domain>a.com</domain></domain-config>", "<base-config cleartextTrafficPermitted='false'/>",
        ])
    func unpinned(inner: String) throws {
        #expect(told(try config(inner), plist) == ["error not-pinned n.xml:- does not pin a.com, and i.plist:5 does"])
        #expect(told(plist, try config(inner)).count == 1)
    }

    @Test("an Info.plist with settings alone, or with pins at the wrong place, is a party too")
    func emptyPlist() {
        let empty = file("i.plist", .appleATS, [])
        #expect(told(nsc, empty) == ["error not-pinned i.plist:- does not pin a.com, and n.xml:7 does"])
        // TrustKit's entries stand in the same file.
        let trustKit = file("i.plist", .trustKit, [entry("a.com", [pin(1)], .trustKit, line: 3)])
        #expect(told(nsc, empty, trustKit) == ["agree"])
        let appExtension = file("a.ipa/Payload/A.app/PlugIns/B.appex/Info.plist", .appleATS, [])
        let manifest = file("AndroidManifest.xml", .androidManifest, [])
        #expect(told(nsc, plist, appExtension, manifest, file("Net.kt", .source, [])) == ["agree"])
    }

    @Test("where nothing could be compared, nothing agrees")
    func nothing() throws {
        func last(_ files: PinFile...) -> String? {
            PinSync(files).agrees || !PinSync(files).isUnclear
                ? nil : PinSync(files).text.split(separator: "\n").last.map(String.init)
        }
        let unnamed = file("o.kt", .okHttp, [entry(nil, [pin(1)], .okHttp, line: 2)])
        #expect(last() == "nothing could be compared: no host is named in any of the files")
        #expect(last(unnamed, unnamed) == "it cannot be said whether the files agree: 2 entries without a host")
        #expect(last(nsc) == "nothing could be compared: one file alone says for which hosts it has pins")
        #expect(last(nsc, unnamed) == "it cannot be said whether the files agree: 1 entry without a host")
        #expect(last(nsc, plist, unnamed) == "it cannot be said whether the files agree: 1 entry without a host")
        let open = file("p.yaml", .profile, [entry("a.com", [], .profile)])
        #expect(last(open, open) == "nothing could be compared: no host is pinned in any of the files")
        #expect(String(decoding: PinSync([nsc]).json, as: UTF8.self).contains(#""unclear": true"#))
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
