import Testing

@testable import Pins

@Suite("Expo's app.json")
struct ExpoConfigReaderTests {
    private static let a = AppleConfigReaderTests.a
    private static let b = AppleConfigReaderTests.b

    private static func json(_ info: String, beside: String = "") -> PinFileContent {
        PinFileContent("{\"expo\": {\(beside)\"ios\": {\"infoPlist\": {\n\(info)\n}}}}")
    }

    private static let pinned = """
        "NSAppTransportSecurity": {"NSPinnedDomains": {
        "Example.com": {"NSIncludesSubdomains": true, "NSPinnedLeafIdentities": [
        {"SPKI-SHA256-BASE64": "\(a)"},
        {"SPKI-SHA256-BASE64": "\(b)"}]}}}
        """

    @Test("its Info.plist is read by Apple's rules, with its lines")
    func read() throws {
        let files = try FormatRecogniser.standard.read(Self.json(Self.pinned), path: "app.json")
        #expect(files.map(\.format) == [.appleATS])
        #expect(files[0].hosts.map(\.patterns) == [["example.com", "*.example.com"]] && files[0].hosts[0].line == 3)
        #expect(files[0].hosts[0].pins.map(\.text) == [Self.a, Self.b])
        #expect(files[0].hosts[0].pins.map(\.line) == [4, 5] && files[0].hosts[0].pins.allSatisfy { $0.part == .leaf })
    }

    @Test("pins of a plugin in the same file are another format's")
    func both() throws {
        let plugin = "\"plugins\": [[\"x\", {\"sslPinning\": {\"b.example\": [\"\(Self.a)\", \"\(Self.b)\"]}}]], "
        let files = try FormatRecogniser.standard.read(Self.json(Self.pinned, beside: plugin), path: "app.json")
        #expect(files.map(\.format) == [.appleATS, .reactNative])
        #expect(files.map { $0.hosts.map(\.domain) } == [["example.com"], ["b.example"]])
    }

    @Test("others are not recognised, and a broken one is told of with its line")
    func others() {
        #expect(!ExpoConfigReader.recognises(Self.json("\"NSCameraUsageDescription\": \"NSPinnedDomains\"")))
        #expect(!ExpoConfigReader.recognises(PinFileContent("{\"NSAppTransportSecurity\": {}}")))
        let broken = PinFileContent("{\"expo\": {\"ios\": {\"infoPlist\": {\n\"NSAppTransportSecurity\": {,}}}}}")
        #expect(ExpoConfigReader.recognises(broken))
        #expect(throws: PinFileFault.self) { try ExpoConfigReader.read(broken, path: "app.json") }
    }

    @Test("what TrustKit raises at is a fault")
    func trustKit() {
        #expect(throws: PinFileFault.self) {
            try ExpoConfigReader.read(Self.json("\"TSKConfiguration\": {\"TSKPinnedDomains\": {}}"), path: "app.json")
        }
    }
}
