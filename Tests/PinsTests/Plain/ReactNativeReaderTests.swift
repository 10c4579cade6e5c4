import Facts
import Testing

@testable import Pins

@Suite("React Native's pins")
struct ReactNativeReaderTests {
    private static let a = CurlReaderTests.a
    private static let b = CurlReaderTests.b

    private func read(_ text: String) throws -> PinFile {
        let content = PinFileContent(text)
        #expect(ReactNativeReader.recognises(content), "\(text)")
        return try ReactNativeReader.read(content, path: "ssl_config.json")
    }

    @Test("ssl_config.json of react-native-ssl-manager, with its options")
    func manager() throws {
        let file = try read(
            """
            {
              "sha256Keys": {
                "API.example.com": [
                  "sha256/\(Self.a)",
                  "sha256/\(Self.b)"
                ],
                "b.example": ["sha256/\(Self.a)", "sha256/short", "\(Self.b)"]
              },
              "domains": {
                "API.example.com": {"enforcePinning": false, "expirationDate": "2027-12-31", "includeSubdomains": true},
                "development": "dev.example"
              }
            }
            """)
        let first = file.hosts[0]
        #expect(first.domain == "api.example.com" && first.reach == [.itself, .descendants] && first.line == 3)
        #expect(
            first.pins.map(\.line) == [4, 5] && first.pins.map(\.name) == ["sha256/\(Self.a)", "sha256/\(Self.b)"])
        #expect(first.expires == CalendarDate("2027-12-31") && !first.isEnforced && first.format == .reactNative)
        #expect(file.hosts[1].pins.map { $0.digest != nil } == [true, false, false])
        #expect(
            file.hosts[1].reach == [.itself, .descendants] && file.hosts[1].isEnforced && file.hosts[1].expires == nil)
        #expect(file.notes.map(\.id) == [.reportOnly, .malformedPin, .malformedPin, .versionsDiffer])
        #expect(file.notes.map(\.line) == [10, 7, 7, 2])
    }

    @Test("the options of react-native-ssl-public-key-pinning")
    func publicKeyPinning() throws {
        let file = try read(
            """
            {"a.example": {"includeSubdomains": true, "publicKeyHashes": ["\(Self.a)", "\(Self.b)"], "expirationDate": "2027-01-31"},
             "b.example": {"publicKeyHashes": ["sha256/\(Self.a)"]}}
            """)
        #expect(file.hosts.map(\.reach) == [[.itself, .descendants], .itself] && file.hosts.map(\.line) == [1, 2])
        #expect(
            file.hosts[0].expires == CalendarDate("2027-01-31")
                && file.hosts[1].pins.map(\.digest) == [nil] && file.hosts[1].isPinned)
        #expect(file.notes.map(\.id) == [.malformedPin, .versionsDiffer])
        let none = try read("{\"a.example\": {\"publicKeyHashes\": []}}")
        #expect(none.hosts.map(\.isPinned) == [false] && none.notes.map(\.id) == [.versionsDiffer])
        #expect(none.notes[0].text.hasPrefix("nothing is pinned on Android"))
    }

    @Test("a name with an asterisk never matches: no pattern is its")
    func asterisk() throws {
        let file = try read("{\"sha256Keys\": {\"*.a.example\": [\"sha256/\(Self.a)\"]}}")
        #expect(file.hosts.map(\.patterns) == [[]] && file.hosts.map(\.domain) == ["a.example"])
        #expect(file.notes.map(\.id) == [.neverMatches, .versionsDiffer])
        #expect(file.notes[0].text == "no host is called *.a.example: it never matches")
        #expect(PinImport([file]).hosts.map(\.pattern) == [nil])
    }

    @Test("many hosts with options of their own are read in time that grows with their number")
    func many() throws {
        let hosts = (0..<20_000).map { "\"h\($0).example\"" }
        let keys = hosts.map { "\($0): []" }.joined(separator: ",")
        let options = hosts.map { "\($0): {\"includeSubdomains\": false}" }.joined(separator: ",")
        let file = try read("{\"sha256Keys\": {\(keys)}, \"domains\": {\(options)}}")
        let pins = (0..<20_000).map { "\"\(String(repeating: "0", count: 64 - String($0).utf8.count))\($0)\"" }
        let list = try read("{\"hostname\": \"a.example\", \"fingerprints\": [\(pins.joined(separator: ","))]}")
        #expect(list.hosts.map(\.pins.count) == [20_000])
        #expect(file.hosts.count == 20_000 && file.hosts.allSatisfy { $0.reach == .itself } && file.notes.isEmpty)
    }

    @Test("pinset.json, and a plugin's settings in app.json, with their wildcards")
    func wildcards() throws {
        let pinset = try read("{\"domains\": {\"*.a.example\": {\"pins\": [\"sha256/\(Self.a)\", \"sha256/0\"]}}}")
        #expect(pinset.hosts.map(\.patterns) == [["*.a.example"]] && pinset.hosts[0].pins.count == 2)
        #expect(pinset.notes.map(\.id) == [.versionsDiffer, .malformedPin])
        let app = try read(
            """
            {"expo": {"plugins": ["x", ["@bam.tech/react-native-app-security", {"sslPinning": {
              "a.example": ["\(Self.a)", "\(Self.b)"],
              "*.b.example": ["\(Self.b)"]}}]]}}
            """)
        #expect(app.hosts.map(\.patterns) == [["a.example"], ["b.example", "*.b.example"]])
        #expect(app.hosts.map(\.line) == [2, 3] && app.notes.map(\.id) == [.versionsDiffer])
    }

    @Test("fingerprints of certificates are told as such, for a host or for all")
    func fingerprints() throws {
        let hex = "50:4B:A1:B5:48:96:71:F3:9F:87:7E:0A:09:FD:3E:1B:C0:4F:AA:9F:FC:83:3E:A9:3A:00:78:88:F8:BA:60:26"
        let plugin = try read(
            "{\"plugins\": {\"SSLPinning\": {\n\"fingerprint\": \"\(hex)\", \"fingerprints\": [\"\(hex)\"]}}}")
        #expect(plugin.hosts.map(\.domain) == [nil] && plugin.hosts[0].pins.map(\.kind) == [.certificateSHA256])
        #expect(plugin.notes.map(\.id) == [.certificatePins])
        let list = try read(
            "[{\"hostname\": \"a.example\", \"fingerprints\": [\"\(hex)\"]}, {\"host\": \"b.example\", \"pins\": [\"sha256/\(Self.a)\"]}]"
        )
        #expect(list.hosts.map(\.domain) == ["a.example", "b.example"])
        #expect(list.hosts.map { $0.pins[0].kind } == [.certificateSHA256, .spkiSHA256])
    }

    @Test("a host that stands there twice counts once, and is told")
    func duplicates() throws {
        let file = try read(
            "{\"sha256Keys\": {\"a.example\": [\"sha256/\(Self.a)\"],\n\"a.example\": [\"sha256/\(Self.b)\"]}}")
        #expect(
            file.hosts.map { $0.pins[0].text } == [Self.b] && file.notes.map(\.id) == [.neverMatches, .versionsDiffer])
    }

    @Test(
        "other files are not recognised",
        arguments: [
            "{\"dependencies\": {\"react-native-ssl-pinning\": \"1\"}}", "{\"host\": \"a.example\", \"pins\": [1, 2]}",
            "{\"pins\": [\"GPIO1\"]}", "{\"sslPinning\": {\"enabled\": true}}",
            "const c = {\"sha256Keys\": {\"a.example\": []}}",
            "{ sha256Keys: { 'a.example': ['sha256/x'] } }", "[]", "{\"sha256Keys\": {}}",
            "{\"lockfileVersion\": 3, \"packages\": {\"a\": {\"integrity\": \"sha512-x\"}}}",
        ])
    func others(_ text: String) {
        #expect(!ReactNativeReader.recognises(PinFileContent(text)))
    }

    @Test("a broken one is recognised by its names, and told with its line")
    func broken() {
        let content = PinFileContent("{\n\"sha256Keys\": {\n\"a.example\": [\"sha256/\(Self.a)\",]}}")
        #expect(ReactNativeReader.recognises(content))
        #expect(throws: PinFileFault(line: 3, "this is no JSON: a value was expected")) {
            try ReactNativeReader.read(content, path: "")
        }
    }
}
