import Facts
import Testing

@testable import Pins

@Suite("Apple's pinned domains")
struct AppleConfigReaderTests {
    static let a = "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="
    static let b = "i9HaIScvf6T/skE3/A7QOq5n5cTYs8UHNOEFCnkguSI="

    /// `domains` begins in line 7.
    static func plist(_ domains: String, beside: String = "") -> PinFileContent {
        PinFileContent(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>com.example.app</string>
            <key>NSAppTransportSecurity</key>
            <dict>\(beside)<key>NSPinnedDomains</key><dict>
            \(domains)
            </dict></dict>
            </dict></plist>
            """)
    }

    static func identity(_ pin: String) -> String {
        "<dict><key>SPKI-SHA256-BASE64</key><string>\(pin)</string></dict>"
    }

    private func read(_ domains: String) throws -> PinFile {
        let content = Self.plist(domains)
        #expect(AppleConfigReader.recognises(content) && !TrustKitReader.recognises(content))
        return try AppleConfigReader.read(content, path: "Info.plist")
    }

    @Test("the example of Apple's article is read with parts, reach and lines")
    func article() throws {
        let file = try read(
            """
            <key>Example.org</key><dict>
              <key>NSIncludesSubdomains</key><true/>
              <key>NSPinnedCAIdentities</key><array>
                \(Self.identity(Self.a))
              </array></dict>
            <key>example.net</key><dict>
              <key>NSPinnedLeafIdentities</key><array>
                \(Self.identity(Self.b))
                \(Self.identity(Self.b))
              </array></dict>
            """)
        let org = try #require(file.hosts.first)
        #expect(org.domain == "example.org" && org.reach == [.itself, .children] && org.line == 7)
        #expect(org.patterns == ["example.org", "*.example.org"] && org.format == .appleATS && org.isEnforced)
        #expect(org.pins.map(\.part) == [.ca] && org.pins.map(\.line) == [10])
        #expect(org.pins.map(\.name) == ["sha256/\(Self.a)"])
        let net = try #require(file.hosts.last)
        #expect(net.reach == .itself && net.pins.map(\.part) == [.leaf, .leaf] && net.pins.map(\.line) == [14, 15])
        #expect(file.notes.isEmpty && file.settings.isEmpty)
    }

    @Test("a binary one has the same, in line 1")
    func binary() throws {
        let text = try PropertyList.read(
            Self.plist(
                "<key>a.example</key><dict><key>NSPinnedLeafIdentities</key><array>\(Self.identity(Self.a))</array></dict>"
            ))
        let content = PinFileContent(BinaryPlistFixture(text.value).bytes())
        #expect(AppleConfigReader.recognises(content))
        let file = try AppleConfigReader.read(content, path: "Info.plist")
        #expect(file.hosts.map(\.domain) == ["a.example"] && file.hosts[0].pins.map(\.text) == [Self.a])
        #expect(file.hosts[0].line == 1 && file.hosts[0].pins[0].line == 1)
    }

    @Test(
        "subdomains are included by a boolean alone",
        arguments: [
            ("<true/>", [.itself, .children], nil), ("<false/>", .itself, nil),
            ("<integer>1</integer>", .itself, "a number"),
            ("<string>YES</string>", .itself, "a string"),
        ] as [(String, DeclaredHost.Reach, String?)])
    func subdomains(_ value: String, _ reach: DeclaredHost.Reach, _ kind: String?) throws {
        let file = try read(
            """
            <key>a.example</key><dict>
            <key>NSIncludesSubdomains</key>\(value)
            <key>NSPinnedLeafIdentities</key><array>\(Self.identity(Self.a))</array></dict>
            """)
        #expect(file.hosts[0].reach == reach)
        let text = kind.map { "NSIncludesSubdomains of a.example is \($0), and no boolean: subdomains are not pinned" }
        #expect(file.notes == (text.map { [PinNote(.neverMatches, line: 8, $0)] } ?? []))
    }

    @Test(
        "what the platform makes of a pin",
        arguments: [
            // Letters outside of the alphabet are passed over, so white space and line breaks do no harm.
            (" \(a)\n", true, nil),
            // The prefix of other formats consists of letters of base64 itself.
            (
                "sha256/\(a)", false,
                "\"sha256/\(a)\" is 36 bytes to the platform, and no SHA-256 of 32: it matches nothing"
            ),
            ("AAAA", false, "\"AAAA\" is 3 bytes to the platform, and no SHA-256 of 32: it matches nothing"),
            (
                String(a.dropLast()), false,
                "\"\(a.dropLast())\" is 30 bytes to the platform, and no SHA-256 of 32: it matches nothing"
            ),
            ("???", false, "\"???\" is no base64: it is dropped"), ("", false, "\"\" is no base64: it is dropped"),
        ] as [(String, Bool, String?)])
    func pins(_ text: String, _ isSound: Bool, _ note: String?) throws {
        let file = try read(
            """
            <key>a.example</key><dict><key>NSPinnedLeafIdentities</key><array>
            \(Self.identity(Self.b))
            \(Self.identity(text))</array></dict>
            """)
        #expect(file.hosts[0].pins.map { $0.digest != nil } == [true, isSound])
        #expect(file.hosts[0].pins[1].text == text)
        #expect(file.notes == (note.map { [PinNote(.malformedPin, line: 9, $0)] } ?? []))
    }

    @Test("where no pin is left, the entry is pinned and fails closed")
    func allDropped() throws {
        let file = try read(
            """
            <key>a.example</key><dict><key>NSPinnedLeafIdentities</key>
            <array><string>\(Self.a)</string><dict><key>SPKI-SHA1</key><string>x</string></dict></array>
            <key>NSPinnedCAIdentities</key><array>\(Self.identity(Self.a))</array></dict>
            <key>b.example</key><dict><key>NSPinnedCAIdentities</key><array/></dict>
            <key>c.example</key><dict><key>NSPinnedCAIdentities</key><string>\(Self.a)</string></dict>
            """)
        #expect(file.hosts.map(\.isPinned) == [true, true, true])
        #expect(file.hosts.map(\.pins.count) == [1, 0, 0])
        #expect(
            file.notes == [
                PinNote(
                    .malformedPin, line: 8,
                    "an entry of NSPinnedLeafIdentities is a string, and no dictionary: it is dropped"),
                PinNote(.misplaced, line: 8, "SPKI-SHA1 is not read: only SPKI-SHA256-BASE64 is"),
                PinNote(
                    .malformedPin, line: 8,
                    "an entry of NSPinnedLeafIdentities has no SPKI-SHA256-BASE64: it is dropped"),
                PinNote(
                    .malformedPin, line: 7,
                    "NSPinnedLeafIdentities of a.example has no pin that can match: every connection to it fails (fails closed)"
                ),
                PinNote(
                    .malformedPin, line: 10,
                    "NSPinnedCAIdentities of b.example has no pin that can match: every connection to it fails (fails closed)"
                ),
                PinNote(
                    .malformedPin, line: 11,
                    "NSPinnedCAIdentities of c.example has no pin that can match: every connection to it fails (fails closed)"
                ),
            ])
    }

    @Test("names that never match, and keys that are not read, are told")
    func neverMatching() throws {
        let list = "<key>NSPinnedLeafIdentities</key><array>\(Self.identity(Self.a))</array>"
        let file = try read(
            """
            <key>*.a.example</key><dict>\(list)</dict>
            <key>b.example.</key><dict>\(list)</dict>
            <key>https://c.example</key><dict>\(list)</dict>
            <key>d.example</key><dict><key>NSIncludeSubdomains</key><true/>\(list)</dict>
            <key>e.example</key><dict><key>NSIncludesSubdomains</key><true/></dict>
            <key>f.example</key><array/>
            """)
        #expect(file.hosts.map(\.domain) == ["a.example", "b.example", "https://c.example", "d.example", "e.example"])
        #expect(file.hosts.map(\.patterns) == [[], [], [], ["d.example"], ["e.example", "*.e.example"]])
        #expect(file.hosts.map(\.isPinned) == [true, true, true, true, false])
        #expect(
            file.notes.map(\.id) == [.neverMatches, .neverMatches, .neverMatches, .misplaced, .misplaced, .misplaced])
        #expect(file.notes.map(\.line) == [7, 8, 9, 10, 11, 12])
        #expect(
            file.notes[3].text
                == "NSIncludeSubdomains is no key of a pinned domain, and is not read: NSIncludesSubdomains may be meant"
        )
    }

    @Test("entries that match the same host are told to unite, by one label alone")
    func unions() throws {
        let list = "<key>NSPinnedLeafIdentities</key><array>\(Self.identity(Self.a))</array>"
        let file = try read(
            """
            <key>a.example.org</key><dict>\(list)</dict>
            <key>example.org</key><dict><key>NSIncludesSubdomains</key><true/>\(list)</dict>
            <key>b.c.example.org</key><dict>\(list)</dict>
            <key>EXAMPLE.org</key><dict>\(list)</dict>
            <key>example.net</key><dict>\(list)</dict>
            <key>a.example.net</key><dict>\(list)</dict>
            """)
        #expect(
            file.notes == [
                PinNote(
                    .union, line: 7,
                    "a.example.org is matched by this entry and by that of example.org of line 8: their pins are united"
                ),
                PinNote(
                    .union, line: 10,
                    "example.org is matched by this entry and by the one of line 8: their pins are united"),
            ])
    }

    @Test("settings of the build are not known")
    func buildSettings() throws {
        let file = try read(
            """
            <key>$(API_HOST)</key><dict><key>NSPinnedLeafIdentities</key><array>\(Self.identity("$(PIN)"))</array></dict>
            """)
        #expect(file.hosts.map(\.domain) == [nil] && file.hosts[0].isPinned && !file.hosts[0].pinsKnown)
        #expect(file.hosts[0].pins.isEmpty && file.notes.map(\.id) == [.unresolved, .unresolved])
    }
}
