import Testing

@testable import Pins

@Suite("Dart code that compares certificates itself")
struct DartPinCheckTests {
    private func file(_ source: String) throws -> PinFile? { try SourceFixture.file(source, "net.dart", .flutter) }
    private static let hex = String(repeating: "41", count: 32)

    @Test("Dio's validateCertificate compares fingerprints of the leaf")
    func dio() throws {
        let file = try file(
            """
            import 'package:dio/io.dart';
            class Net {
              static const _prints = ['\(Self.hex)', '{B:}'];
              final dio = Dio(BaseOptions(baseUrl: 'https://api.example.com/v1'));
              void pin() {
                dio.httpClientAdapter = IOHttpClientAdapter(
                  validateCertificate: (X509Certificate? cert, String host, int port) {
                    if (cert == null) return false;
                    return _prints.contains(sha256.convert(cert.der).toString());
                  },
                );
              }
            }
            """)
        #expect(SourceFixture.shown(file) == ["7 api.example.com: cert/A cert/B"])
        #expect(file?.hosts.first?.pins.map(\.line) == [3, 3] && file?.hosts.first?.pins.first?.part == .leaf)
        #expect(SourceFixture.notes(file) == ["7 certificate-pins"])
    }

    @Test("an arrow, a function by name, a helper, numbers, base64, and a host that is compared")
    func forms() throws {
        let numbers = (0..<20).map { _ in "0x41" }.joined(separator: ", ")
        let cases: [(String, [String])] = [
            (
                "validateCertificate: (c, host, p) => sha256.convert(c!.der).toString() == '\(Self.hex)'",
                ["1 ?: cert/A"]
            ),
            (
                "validateCertificate: check);\nbool check(X509Certificate? c, String h, int p) { if (h != 'a.example.com') return true;\n"
                    + "return base64.encode(sha256.convert(c!.der).bytes) == '{A}'; } f(", ["1 a.example.com: cert/A"]
            ),
            ("validateCertificate: (c, h, p) { return listEquals(c!.sha1, [\(numbers)]); }", ["1 ?: cert1/A"]),
            (
                "validateCertificate: (c, h, p) => same(c?.der, pins));\nconst pins = {'\(Self.hex)'};\n"
                    + "bool same(List<int>? der, Set<String> all) { return der != null && all.contains(sha256.convert(der).toString()); } f(",
                ["1 ?: cert/A"]
            ),
            (
                "validateCertificate: (c, host, p) { final print = sha256.convert(c!.der).toString();\n"
                    + "if (pins[host]!.contains(print)) { return true; } return false; });\n"
                    + "const pins = {'a.example.com': ['\(Self.hex)'], 'b.example.com': ['{B:}']}; f(",
                ["1 a.example.com: cert/A", "1 b.example.com: cert/B"]
            ),
            (
                "validateCertificate: (c, h, p) { if (sha256.convert(c!.der).toString() != '\(Self.hex)') return false; return true; }",
                ["1 ?: cert/A"]
            ),
        ]
        for (text, expected) in cases {
            #expect(SourceFixture.shown(try file("final a = IOHttpClientAdapter(\(text));")) == expected, "\(text)")
        }
    }

    @Test(
        "fingerprints from elsewhere are pins that are not known",
        arguments: [
            "(c, h, p) => Env.print == sha256.convert(c!.der).toString()", "(c, h, p) => c!.pem == Assets.pem",
            "(c, h, p) { return prints.contains(sha256.convert(c!.der).toString()); }",
        ])
    func elsewhere(_ text: String) throws {
        let file = try file("final a = IOHttpClientAdapter(validateCertificate: \(text));")
        #expect(SourceFixture.shown(file) == ["1 ?: ?"])
        #expect(SourceFixture.notes(file).contains("1 unresolved"))
    }

    @Test(
        "what may be something else is told, and no pin is made of it",
        arguments: [
            "(c, h, p) => manager.validate(c, h)", "(c, h, p) { if (blocked(c!.subject)) return false; return true; }",
            "(c, h, p) { if (sha256.convert(c!.der).toString() == '\(hex)') return false; return true; }",
            "(c, h, p) => h == 'x.example.com' || sha256.convert(c!.der).toString() == '\(hex)'",
            "(c, h, p) { final f = sha256.convert(c!.der).toString(); if (revoked.contains(f)) return false; return true; }",
            "(c, h, p) => sha256.convert(spkiOf(ASN1Parser(c!.der))).toString() == '\(hex)'",
        ])
    func unsafe(_ text: String) throws {
        let file = try file("final a = IOHttpClientAdapter(validateCertificate: \(text));")
        #expect(SourceFixture.shown(file).isEmpty && SourceFixture.notes(file) == ["1 unresolved"], "\(text)")
    }

    @Test("badCertificateCallback pins where no root is trusted, and else sees bad certificates alone")
    func callback() throws {
        let check =
            "..badCertificateCallback = (cert, host, port) => sha1Hex(cert.sha1) == '\(String(repeating: "41", count: 20))';"
        let own = try file("final c = HttpClient(context: SecurityContext(withTrustedRoots: false))\(check)")
        #expect(SourceFixture.shown(own) == ["1 ?: cert1/A"] && own?.settings == [])
        let system = try file("final c = HttpClient()\(check)")
        #expect(SourceFixture.shown(system).isEmpty && system?.settings.map(\.kind) == [.errorPathOnly])
    }

    @Test("a check that takes everything, and another thing of the same name, are none")
    func nothing() throws {
        #expect(try file("final a = IOHttpClientAdapter(validateCertificate: (c, h, p) => true);") == nil)
        #expect(try file("final api = Api(validateCertificate: (id) => http.post('/x/$id'));") == nil)
        #expect(try file("class A { A({this.validateCertificate}); final V? validateCertificate; }") == nil)
    }

    @Test("a fingerprint that is compared once is one, wherever its name stands")
    func once() throws {
        let hex = String(repeating: "41", count: 32)
        for body in [
            "return '\(hex)' == sha256.convert(c!.der).toString();",
            "final pin = '\(hex)'; return pin == sha256.convert(c!.der).toString();",
        ] {
            let found = try file("final a = IOHttpClientAdapter(validateCertificate: (c, h, p) { \(body) });")
            #expect(SourceFixture.shown(found) == ["1 ?: cert/A"], "\(body)")
        }
    }
}
