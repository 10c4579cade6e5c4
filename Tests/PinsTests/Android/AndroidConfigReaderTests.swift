import Facts
import Testing

@testable import Pins

@Suite("Android's network security config")
struct AndroidConfigReaderTests {
    static let a = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    static let b = "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="

    /// With the root around it; its own first line is 2.
    static func read(_ inside: String) throws -> PinFile {
        try AndroidConfigReader.read(
            PinFileContent("<network-security-config>\n\(inside)\n</network-security-config>\n"), path: "nsc.xml")
    }

    @Test("a pinned domain has its pins, its line, its expiry and what lies below it")
    func domain() throws {
        let file = try Self.read(
            """
            <domain-config>
              <domain includeSubdomains="true">
                 API.Example.com
              </domain>
              <domain>other.example</domain>
              <pin-set expiration="2027-06-01">
                <pin digest="SHA-256">\(Self.a)</pin>
                <pin digest="sha-256">
                  \(Self.b)
                </pin>
              </pin-set>
            </domain-config>
            """)
        #expect(file.format == .androidNSC && file.path == "nsc.xml")
        #expect(file.hosts.map(\.domain) == ["api.example.com", "other.example"])
        #expect(file.hosts.map(\.line) == [3, 6])
        #expect(file.hosts.map(\.patterns) == [["api.example.com", "**.api.example.com"], ["other.example"]])
        #expect(file.hosts[0].pins.map(\.name) == ["sha256/\(Self.a)", "sha256/\(Self.b)"])
        #expect(file.hosts[0].pins.map(\.line) == [8, 10])
        #expect(file.hosts.allSatisfy { $0.expires == CalendarDate("2027-06-01") && $0.isEnforced && $0.isPinned })
        #expect(file.notes.map(\.id) == [.expiration] && file.notes[0].line == 7)
    }

    @Test("a domain-config within another takes its pins, unless it has a set of its own")
    func inheritance() throws {
        let file = try Self.read(
            """
            <domain-config>
              <domain includeSubdomains="true">example.com</domain>
              <pin-set expiration="2030-01-01"><pin digest="SHA-256">\(Self.a)</pin></pin-set>
              <domain-config><domain>inherits.example.com</domain></domain-config>
              <domain-config>
                <domain>own.example.com</domain>
                <pin-set><pin digest="SHA-256">\(Self.b)</pin></pin-set>
              </domain-config>
              <domain-config><domain>none.example.com</domain><pin-set/></domain-config>
            </domain-config>
            """)
        #expect(
            file.hosts.map(\.domain) == ["example.com", "inherits.example.com", "own.example.com", "none.example.com"])
        #expect(file.hosts.map { $0.pins.map(\.text) } == [[Self.a], [Self.a], [Self.b], []])
        #expect(file.hosts.map(\.expires) == [CalendarDate("2030-01-01"), CalendarDate("2030-01-01"), nil, nil])
        #expect(file.notes.filter { $0.id == .shadows }.map(\.line) == [10])
    }

    @Test(
        "an entry without pins takes a host out of its parent's, and is listed then alone",
        arguments: [
            // includeSubdomains of the parent, the other domain, whether it is listed
            ("true", "a.example.com", true), ("true", "deep.a.example.com", true), ("false", "a.example.com", false),
            ("true", "another.com", false), ("true", "notexample.com", false), ("true", "*.example.com", false),
        ])
    func shadows(includes: String, other: String, isListed: Bool) throws {
        let file = try Self.read(
            """
            <domain-config cleartextTrafficPermitted="false"><domain>\(other)</domain></domain-config>
            <domain-config>
              <domain includeSubdomains="\(includes)">example.com</domain>
              <pin-set><pin digest="SHA-256">\(Self.a)</pin></pin-set>
            </domain-config>
            """)
        #expect(file.hosts.map(\.domain) == (isListed ? [other, "example.com"] : ["example.com"]))
        #expect(file.notes.map(\.id) == (isListed ? [.shadows] : []))
        if isListed {
            #expect(file.hosts[0].pins.isEmpty && !file.hosts[0].isPinned && file.hosts[0].patterns == [other])
            #expect(
                file.notes[0].text
                    == "\(other) has an entry of its own without pins: those of example.com in line 4 do not apply to it"
            )
        }
    }

    @Test(
        "a domain that no host is equal to has its pins and a note, and covers nothing",
        arguments: [
            ("*.example.com", "example.com"), ("example.com.", "example.com"),
            ("https://example.com", "https://example.com"),
            ("example.com:443", "example.com:443"), ("example.com/api", "example.com/api"),
            (".example.com", ".example.com"),
            ("bücher.example", "bücher.example"), ("exa mple.com", "exa mple.com"),
        ])
    func neverMatches(domain: String, shown: String) throws {
        let file = try Self.read(
            """
            <domain-config><domain includeSubdomains="true">\(domain)</domain>
            <pin-set><pin digest="SHA-256">\(Self.a)</pin></pin-set></domain-config>
            """)
        #expect(file.hosts.count == 1 && file.hosts[0].domain == shown && file.hosts[0].pins.count == 1)
        #expect(file.hosts[0].patterns.isEmpty)
        #expect(file.notes.map(\.id) == [.neverMatches] && file.notes[0].line == 2)
    }

    @Test(
        "booleans are the compiler's: three spellings, numbers, and else the default",
        arguments: [
            ("true", true), ("TRUE", true), ("True", true), (" true ", true), ("1", true), ("2", true), ("0x1", true),
            ("-1", true), ("false", false), ("0", false), ("0x0", false), ("tRUE", false), ("yes", false), ("", false),
            ("+1", false), ("0x", false), ("99999999999", false),
        ])
    func booleans(value: String, includes: Bool) throws {
        let file = try Self.read(
            """
            <domain-config><domain includeSubdomains="\(value)">example.com</domain>
            <pin-set><pin digest="SHA-256">\(Self.a)</pin></pin-set></domain-config>
            """)
        #expect(file.hosts[0].reach.contains(.descendants) == includes)
    }

    @Test("an attribute with a prefix is another one")
    func prefixes() throws {
        let file = try Self.read(
            """
            <domain-config><domain android:includeSubdomains="true">example.com</domain>
            <pin-set tools:expiration="soon"><pin digest="SHA-256">\(Self.a)</pin></pin-set></domain-config>
            """)
        #expect(file.hosts[0].reach == .itself && file.hosts[0].expires == nil)
    }

    @Test(
        "it is recognised by its outermost element",
        arguments: [
            ("<network-security-config/>", true),
            ("\u{feff}<?xml version=\"1.0\"?>\n<!-- a > b -->\n<network-security-config xmlns:a='b'>", true),
            ("<plist><network-security-config/></plist>", false), ("val x = \"<network-security-config>\"", false),
            ("<!-- <network-security-config>", false), ("", false), ("<", false),
        ])
    func recognised(text: String, isOne: Bool) {
        #expect(AndroidConfigReader.recognises(PinFileContent(text)) == isOne)
    }

    @Test("thousands of entries are read in linear time, and what multiplies is bounded")
    func bounds() throws {
        let entries = (0..<20_000).map { "<domain-config><domain>a\($0).b.example.com</domain></domain-config>" }
        let file = try Self.read(
            """
            <domain-config><domain includeSubdomains="true">example.com</domain>
            <pin-set><pin digest="SHA-256">\(Self.a)</pin></pin-set></domain-config>
            """ + entries.joined())
        #expect(file.hosts.count == 20_001)
        let domains = (0..<1000).map { "<domain>a\($0).example</domain>" }.joined()
        let pins = String(repeating: "<pin digest=\"SHA-256\">\(Self.a)</pin>", count: 1000)
        #expect(throws: PinFileFault.self) {
            try Self.read("<domain-config>\(domains)<pin-set>\(pins)</pin-set></domain-config>")
        }
    }
}
