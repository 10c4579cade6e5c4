import Facts
import Testing

@testable import Pins

@Suite("TrustKit's property list")
struct TrustKitReaderTests {
    private static let hashes = """
        <key>TSKPublicKeyHashes</key><array>
        <string>\(AppleConfigReaderTests.a)</string>
        <string>\(AppleConfigReaderTests.b)</string></array>
        """

    /// `domains` begins in line 4.
    private static func plist(_ domains: String, beside: String = "") -> PinFileContent {
        PinFileContent(
            """
            <plist><dict>
            <key>TSKConfiguration</key><dict>\(beside)
            <key>TSKPinnedDomains</key><dict>
            \(domains)
            </dict></dict></dict></plist>
            """)
    }

    private func read(_ domains: String, beside: String = "") throws -> PinFile {
        let content = Self.plist(domains, beside: beside)
        #expect(TrustKitReader.recognises(content) && !AppleConfigReader.recognises(content))
        return try TrustKitReader.read(content, path: "Info.plist")
    }

    @Test("a domain has its pins, reach and date")
    func domain() throws {
        let file = try read(
            """
            <key>Example.com</key><dict>
            <key>TSKIncludeSubdomains</key><true/>
            <key>TSKExpirationDate</key><string>2027-6-1</string>
            \(Self.hashes)</dict>
            <key>a.example.org</key><dict>\(Self.hashes)</dict>
            """, beside: "<key>TSKSwizzleNetworkDelegates</key><true/>")
        let first = file.hosts[0]
        #expect(first.domain == "example.com" && first.reach == [.itself, .descendants] && first.line == 4)
        #expect(first.pins.map(\.line) == [8, 9] && first.pins.allSatisfy { $0.part == .any && $0.digest != nil })
        #expect(first.expires == CalendarDate("2027-06-01") && first.isEnforced && first.format == .trustKit)
        #expect(file.hosts[1].reach == .itself && file.hosts[1].expires == nil)
        #expect(file.settings.isEmpty)
        #expect(file.notes.map(\.id) == [.neverMatches, .localAnchors])
    }

    @Test("report only is no enforcement, and needs one pin")
    func reportOnly() throws {
        let file = try read(
            """
            <key>a.example.org</key><dict><key>TSKEnforcePinning</key><false/>
            <key>TSKPublicKeyHashes</key><array><string>\(AppleConfigReaderTests.a)</string></array></dict>
            """)
        #expect(file.hosts.map(\.isEnforced) == [false] && file.hosts[0].isPinned)
        #expect(file.notes.map(\.id) == [.reportOnly, .localAnchors])
    }

    @Test("the nearest place is told where nothing is wired, or local anchors are exempt")
    func settings() throws {
        let domain = "<key>a.example.org</key><dict>\(Self.hashes)</dict>"
        #expect(
            try read(domain).settings == [
                PinSetting(.validatorNotWired, line: 2, "TSKSwizzleNetworkDelegates is not set, and so off")
            ])
        let off = "<key>TSKSwizzleNetworkDelegates</key><false/>"
        let exempt = "<key>TSKIgnorePinningForUserDefinedTrustAnchors</key>"
        #expect(
            try read(domain, beside: off + exempt + "<true/>").settings == [
                PinSetting(.validatorNotWired, line: 2, "TSKSwizzleNetworkDelegates is off"),
                PinSetting(.localAnchorExemption, line: 2, "TSKIgnorePinningForUserDefinedTrustAnchors is on"),
            ])
        let safe = try read(domain, beside: "<key>TSKSwizzleNetworkDelegates</key><true/>\(exempt)<false/>")
        #expect(safe.settings.isEmpty && safe.notes.isEmpty)
        // The default is on, on the Mac alone.
        let mac = PinFileContent(
            "<plist><dict><key>LSMinimumSystemVersion</key><string>13.0</string>\(body(domain))</dict></plist>")
        #expect(
            try TrustKitReader.read(mac, path: "").settings.map(\.kind) == [.validatorNotWired, .localAnchorExemption])
    }

    private func body(_ domains: String) -> String {
        "<key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict>\(domains)</dict></dict>"
    }

    @Test("a domain can be taken out of its parent's policy")
    func exclusion() throws {
        let parent = "<key>example.org</key><dict><key>TSKIncludeSubdomains</key><true/>\(Self.hashes)</dict>\n"
        let file = try read(
            parent + "<key>free.example.org</key><dict><key>kSKExcludeSubdomainFromParentPolicy</key><true/></dict>")
        #expect(file.hosts[1].domain == "free.example.org" && !file.hosts[1].isPinned && file.hosts[1].pins.isEmpty)
        #expect(
            file.notes.first
                == PinNote(
                    .shadows, line: 7,
                    "free.example.org is taken out of the policy of example.org (line 4): it is not pinned"))
        let documented = try read(
            parent + "<key>free.example.org</key><dict><key>TSKExcludeSubdomainFromParentPolicy</key><true/></dict>")
        #expect(documented.notes.map(\.id) == [.versionsDiffer, .shadows, .localAnchors])
    }

    @Test(
        "what TrustKit raises at start is a fault that fails closed, with its line",
        arguments: [
            ("", 3, "TSKPinnedDomains has no domain in it"),
            ("<key>a.example.org</key><dict/>", 4, "a.example.org has no pin, and needs 2"),
            (
                "<key>a.example.org</key><dict>\n<key>TSKPublicKeyHashes</key><array><string>\(AppleConfigReaderTests.a)</string><string>\(AppleConfigReaderTests.a)</string></array></dict>",
                5, "a.example.org has 1 different pin, and needs 2"
            ),
            (
                "<key>a.example.org</key><dict><key>TSKEnforcePinning</key><false/>\n<key>TSKPublicKeyHashes</key><array/></dict>",
                5, "a.example.org has no pin, and needs 1"
            ),
            (
                "<key>a.example.org</key><dict><key>TSKPublicKeyHashes</key><array>\n<string>AAAA</string></array></dict>",
                5,
                "\"AAAA\" is no pin of a.example.org: 32 bytes in base64, 44 letters, are needed"
            ),
            (
                "<key>a.example.org</key><dict><key>TSKPublicKeyHashes</key><array>\n<string>\(AppleConfigReaderTests.a.dropLast())</string></array></dict>",
                5,
                "\"\(AppleConfigReaderTests.a.dropLast())\" is no pin of a.example.org: 32 bytes in base64, 44 letters, are needed"
            ),
            (
                "<key>a.example.org</key><dict>\n<key>TSKPublicKeyHashes</key><string>x</string></dict>", 5,
                "TSKPublicKeyHashes of a.example.org is no list"
            ),
            (
                "<key>co.uk</key><dict>\n<key>TSKIncludeSubdomains</key><true/>\(hashes)</dict>", 5,
                "co.uk is a suffix that many share, and subdomains are included"
            ),
            (
                "<key>a.example.org</key><dict>\n<key>TSKExpirationDate</key><date>2027-01-01T00:00:00Z</date>\(hashes)</dict>",
                5,
                "TSKExpirationDate of a.example.org is a date, and no string"
            ),
            (
                "<key>a.example.org</key><dict>\n<key>TSKEnforcePinning</key><array/>\(hashes)</dict>", 5,
                "TSKEnforcePinning of a.example.org is an array, and no boolean"
            ),
            (
                "<key>a.example.org</key><dict>\n<key>TSKReportUris</key><string>https://r.example</string>\(hashes)</dict>",
                5,
                "TSKReportUris of a.example.org is no list of addresses"
            ),
            ("\n<key>localhost</key><dict>\(hashes)</dict>", 5, "localhost is no domain"),
            (
                "<key>a.example.org</key><dict>\n<key>kSKExcludeSubdomainFromParentPolicy</key><true/></dict>", 4,
                "a.example.org is excluded from its parent's policy, and no parent has one"
            ),
            (
                "<key>a.example.org</key><dict>\n<key>kSKExcludeSubdomainFromParentPolicy</key><true/>\(hashes)</dict>",
                5,
                "a.example.org is excluded from its parent's policy, and has other settings too"
            ),
        ])
    func raised(_ domains: String, _ line: Int, _ message: String) {
        let fault = #expect(throws: PinFileFault.self) {
            try TrustKitReader.read(Self.plist(domains), path: "Info.plist")
        }
        #expect(fault?.line == line && fault?.effect == .failsClosed)
        #expect(fault?.message == "TrustKit raises an exception: " + message)
    }

    @Test(
        "a date that cannot be read is passed over, and the pins never expire",
        arguments: ["soon", "2027-02-30", "2027/01/01", "01.06.2027"])
    func unreadableDate(_ date: String) throws {
        let file = try read(
            "<key>a.example.org</key><dict><key>TSKExpirationDate</key><string>\(date)</string>\(Self.hashes)</dict>")
        #expect(file.hosts[0].expires == nil && file.notes.map(\.id) == [.expiryNotTaken, .localAnchors])
    }

    @Test("a file that is the configuration itself is read, by the constants' names too")
    func bare() throws {
        let bare = PinFileContent(
            "<plist><dict><key>TSKPinnedDomains</key><dict><key>a.example.org</key><dict>\(Self.hashes)</dict></dict></dict></plist>"
        )
        #expect(try TrustKitReader.read(bare, path: "").hosts.map(\.domain) == ["a.example.org"])
        let named = PinFileContent(
            "<plist><dict><key>kTSKPinnedDomains</key><dict><key>a.example.org</key><dict>\(Self.hashes.replacing("TSKP", with: "kTSKP"))</dict></dict></dict></plist>"
        )
        #expect(TrustKitReader.recognises(named))
        let file = try TrustKitReader.read(named, path: "")
        #expect(file.hosts.map(\.pins.count) == [2] && file.notes.map(\.id) == [.versionsDiffer, .localAnchors])
    }

    @Test("an Info.plist with both has the hosts of both")
    func both() throws {
        let content = PinFileContent(
            """
            <plist><dict>\(body("<key>a.example.org</key><dict>\(Self.hashes)</dict>"))
            <key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict><key>b.example.org</key><dict>
            <key>NSPinnedCAIdentities</key><array>\(AppleConfigReaderTests.identity(AppleConfigReaderTests.a))</array></dict></dict></dict>
            </dict></plist>
            """)
        #expect(AppleConfigReader.recognises(content) && !TrustKitReader.recognises(content))
        let file = try AppleConfigReader.read(content, path: "Info.plist")
        #expect(
            file.hosts.map(\.format) == [.appleATS, .trustKit]
                && file.hosts.map(\.domain) == ["b.example.org", "a.example.org"])
    }

    @Test("a linter gets all of it, and all that is raised")
    func lenient() throws {
        let root = try PropertyList.read(
            Self.plist(
                """
                <key>a.example.org</key><dict><key>TSKPublicKeyHashes</key><array><string>AAAA</string>
                <string>\(AppleConfigReaderTests.a)</string></array></dict>
                <key>b.example.org</key><dict><key>TSKEnforcePinning</key><false/></dict>
                """))
        let configuration = try #require(TrustKitReader.configuration(in: root))
        let reading = TrustKitReader.reading(of: configuration, in: root, path: "Info.plist")
        #expect(reading.file.hosts.map(\.pins.count) == [2, 0] && reading.file.hosts[0].pins[0].digest == nil)
        #expect(reading.faults.map(\.line) == [4, 4, 6] && reading.faults.allSatisfy { $0.effect == .failsClosed })
    }

    @Test("settings of the build are not known, and no fault")
    func buildSettings() throws {
        let file = try read(
            """
            <key>$(API_HOST)</key><dict><key>TSKPublicKeyHashes</key><array>
            <string>${PIN}</string><string>\(AppleConfigReaderTests.a)</string></array></dict>
            """)
        #expect(file.hosts.map(\.domain) == [nil] && !file.hosts[0].pinsKnown && file.hosts[0].pins.count == 1)
        #expect(file.notes.map(\.id) == [.unresolved, .unresolved, .localAnchors])
    }

    @Test("constants in code have no misspelt key")
    func code() {
        func string(_ text: String) -> PropertyList { PropertyList(.string(text)) }
        let pins = PropertyList(.array([string(AppleConfigReaderTests.a), string(AppleConfigReaderTests.b)]))
        let parent = PropertyList(
            .dictionary([.init("kTSKIncludeSubdomains", string("YES")), .init("kTSKPublicKeyHashes", pins)]))
        let free = PropertyList(.dictionary([.init("kTSKExcludeSubdomainFromParentPolicy", string("1"))]))
        let domains = PropertyList(.dictionary([.init("example.org", parent), .init("free.example.org", free)]))
        let configuration = PropertyList(.dictionary([.init("kTSKPinnedDomains", domains)]))
        let reading = TrustKitReader.reading(of: .init("config", configuration), path: "A.swift", isCode: true)
        #expect(reading.faults.isEmpty && reading.file.notes.map(\.id) == [.shadows, .localAnchors])
        #expect(reading.file.hosts.map(\.isPinned) == [true, false])
    }
}
