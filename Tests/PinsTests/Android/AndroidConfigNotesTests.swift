import Facts
import Testing

@testable import Pins

@Suite("Notes and settings of a network security config")
struct AndroidConfigNotesTests {
    private static let a = AndroidConfigReaderTests.a
    private static let b = AndroidConfigReaderTests.b
    private static let pins = "<pin-set><pin digest='SHA-256'>\(a)</pin><pin digest='SHA-256'>\(b)</pin></pin-set>"

    private func read(_ inside: String) throws -> PinFile { try AndroidConfigReaderTests.read(inside) }

    @Test("pins where the platform does not look are told, and are not there")
    func misplaced() throws {
        let file = try read(
            """
            <pin-set><pin digest="SHA-256">\(Self.a)</pin></pin-set>
            <config><domain-config><domain>a.example</domain>\(Self.pins)</domain-config></config>
            <domain-config><domain>b.example</domain>
              <pin digest="SHA-256">\(Self.a)</pin>
              <pinset/></domain-config>
            """)
        #expect(file.hosts.isEmpty)
        #expect(file.notes.map(\.id) == [.misplaced, .misplaced, .misplaced, .misplaced])
        #expect(file.notes.map(\.line) == [2, 3, 5, 6])
        #expect(
            file.notes[0].text
                == "<pin-set> stands in <network-security-config>, where Android passes over it: its pins are not in "
                + "force"
        )
        #expect(file.notes[3].text == "<pinset> stands in <domain-config>, where Android passes over it")
    }

    @Test("elements of the platform and of TrustKit are where they belong")
    func known() throws {
        let file = try read(
            "<base-config><certificateTransparency enabled='true'/></base-config>"
                + "<domain-config><domain>a.example</domain><certificateTransparency enabled='true'/></domain-config>")
        #expect(file.notes.isEmpty)
    }

    @Test("clear text is told where the file allows it, with whom it reaches")
    func clearText() throws {
        let file = try read(
            """
            <base-config cleartextTrafficPermitted="true"/>
            <domain-config><domain includeSubdomains="true">a.example</domain></domain-config>
            <domain-config cleartextTrafficPermitted="false"><domain>b.example</domain>
              <domain-config><domain>c.b.example</domain></domain-config>
              <domain-config cleartextTrafficPermitted="true"><domain>d.b.example</domain></domain-config>
            </domain-config>
            """)
        #expect(file.settings.map(\.kind) == [.clearText, .clearText, .clearText])
        #expect(file.settings.map(\.host) == [nil, "a.example", "d.b.example"])
        #expect(file.settings.map(\.line) == [2, 2, 6])
        #expect(file.settings.map(\.coversSubdomains) == [false, true, false])
        #expect(file.settings[0].text == "cleartextTrafficPermitted=\"true\"")
        #expect(try read("<base-config cleartextTrafficPermitted='maybe'/>").settings.count == 1)
        #expect(try read("<base-config/>").settings.isEmpty)
    }

    @Test("the user's certificates and overridePins are told for each domain that they reach")
    func anchors() throws {
        let file = try read(
            """
            <domain-config><domain>a.example</domain>\(Self.pins)
              <trust-anchors>
                <certificates src="system" overridePins="true"/>
                <certificates src="user"/>
                <certificates src="@raw/my_ca" overridePins="true"/>
              </trust-anchors>
              <domain-config><domain>b.example</domain></domain-config>
              <domain-config><domain>c.example</domain>
                <trust-anchors><certificates src="system"/></trust-anchors></domain-config>
            </domain-config>
            """)
        #expect(
            file.settings.filter { $0.host == "a.example" }.map(\.kind)
                == [.overridePinsOnSystemAnchors, .userAnchors, .overridePins])
        #expect(file.settings.filter { $0.host == "b.example" }.map(\.line) == [4, 5, 6])
        #expect(!file.settings.contains { $0.host == "c.example" })
        #expect(file.settings[0].text == "<certificates src=\"system\" overridePins=\"true\">")
        #expect(file.notes.map(\.id) == [.overridePins, .overridePins] && file.notes.map(\.line) == [4, 6])
    }

    @Test("anchors of the base-config are told once, for whoever has none of his own")
    func baseAnchors() throws {
        let file = try read(
            """
            <domain-config><domain>a.example</domain></domain-config>
            <base-config><trust-anchors><certificates src="user"/></trust-anchors></base-config>
            """)
        #expect(file.settings == [PinSetting(.userAnchors, line: 3, "<certificates src=\"user\">")])
        #expect(file.notes.map(\.id) == [.privateAnchors])
    }

    @Test("an app that trusts its own roots alone says so")
    func privateAnchors() throws {
        let file = try read(
            """
            <domain-config><domain>a.example</domain>
            <trust-anchors><certificates src="@raw/my_ca"/></trust-anchors></domain-config>
            <domain-config><domain>b.example</domain>
            <trust-anchors><certificates src="@raw/my_ca"/><certificates src="system"/></trust-anchors></domain-config>
            """)
        #expect(file.notes.map(\.id) == [.privateAnchors])
        #expect(file.notes[0].text == "only chains that end in \"@raw/my_ca\" are trusted for a.example")
    }

    @Test("debug-overrides are a note, and nothing in them is a setting or a fault")
    func debugOverrides() throws {
        let file = try read(
            """
            <debug-overrides><trust-anchors>
              <certificates src="user"/><certificates src="nonsense"/>
            </trust-anchors><pin-set/></debug-overrides>
            """)
        #expect(file.settings.isEmpty && file.notes.map(\.id) == [.debugOverrides, .misplaced])
        #expect(
            file.notes[0].text
                == "in debuggable builds the certificates of \"user\" are trusted too, "
                + "and pins are off for chains that end in them"
        )
        let mild = try read(
            "<debug-overrides><trust-anchors><certificates src='user' overridePins='false'/></trust-anchors>"
                + "</debug-overrides>"
        )
        #expect(mild.notes[0].text == "in debuggable builds the certificates of \"user\" are trusted too")
    }

    @Test(
        "TrustKit enforces where it is told to",
        arguments: [
            ("<trustkit-config enforcePinning='true' disableDefaultReportUri='true'/>", true),
            ("<trustkit-config enforcePinning='TRUE'/>", true), ("<trustkit-config enforcePinning='false'/>", false),
            ("<trustkit-config enforcePinning='1'/>", false), ("<trustkit-config/>", false),
        ])
    func trustKit(config: String, isEnforced: Bool) throws {
        let file = try read(
            "<domain-config><domain>a.example</domain>\(Self.pins)\n\(config)"
                + "<domain-config><domain>b.a.example</domain></domain-config></domain-config>"
                + "<domain-config><domain>c.example</domain>\(Self.pins)</domain-config>")
        #expect(file.format == .androidNSC && file.hosts.map(\.format) == [.trustKit, .trustKit, .androidNSC])
        #expect(file.hosts.map(\.isEnforced) == [isEnforced, isEnforced, true])
        #expect(file.notes.map(\.id) == (isEnforced ? [] : [.reportOnly]) && file.notes.allSatisfy { $0.line == 3 })
    }

    @Test("TrustKit wants two pins, and sees the last domain alone")
    func trustKitLimits() throws {
        let one = "<pin-set><pin digest='SHA-256'>\(Self.a)</pin><pin digest='SHA-256'>\(Self.a)</pin></pin-set>"
        do {
            _ = try AndroidConfigReader.read(
                PinFileContent(
                    "<network-security-config><domain-config><domain>a.example</domain>\n\(one)<trustkit-config enforcePinning='true'/>"
                        + "</domain-config></network-security-config>"), path: "")
            Issue.record("it was read")
        } catch {
            #expect(
                error.line == 2 && error.effect == .failsClosed && error.message.hasPrefix("there is one pin alone"))
            #expect(error.host == "a.example")
        }
        // To enforce, or not to pin at all, is up to the file.
        let reported = try read("<domain-config><domain>a.example</domain>\(one)<trustkit-config/></domain-config>")
        #expect(reported.hosts.map(\.isEnforced) == [false])
        for flag in ["true", "false"] {
            let none =
                "<domain-config><domain>a.example</domain><trustkit-config enforcePinning='\(flag)'/></domain-config>"
            #expect(try read(none).hosts.isEmpty)
        }
        let file = try read(
            "<domain-config><domain>a.example</domain><domain>b.example</domain>\(Self.pins)"
                + "<trustkit-config enforcePinning='true'/></domain-config>")
        #expect(file.notes.map(\.id) == [.neverMatches] && file.notes[0].text.hasSuffix("it never validates a.example"))
    }
}
