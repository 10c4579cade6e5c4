import Testing

@testable import Pins

@Suite("Flutter in source code")
struct FlutterReaderTests {
    @Test("fingerprints of a check and of an interceptor")
    func fingerprints() throws {
        let source = """
            import 'package:http_certificate_pinning/http_certificate_pinning.dart';
            class SslPinning {
              static const List<String> _allowed = [
                '{A:}', // leaf
                "{B:}",
              ];
              static Future<bool> check() async {
                final result = await HttpCertificatePinning.check(
                  serverURL: 'https://api.example.com/path',
                  headerHttp: {},
                  sha: SHA.SHA256,
                  allowedSHAFingerprints: _allowed,
                  timeout: 60,
                );
                return result.contains('CONNECTION_SECURE');
              }
              Future<Dio> dio() async {
                return Dio(BaseOptions(baseUrl: "https://cdn.example.com/3/"))
                  ..interceptors.add(CertificatePinningInterceptor(allowedSHAFingerprints: [
                    'your_sha256_hash_here', Env.fingerprint, '{C:}'
                  ]));
              }
            }
            """
        let file = try SourceFixture.file(source, "pins.dart", .flutter)
        #expect(
            SourceFixture.shown(file) == ["8 api.example.com: cert/A cert/B", "19 cdn.example.com: cert/bad cert/C ?"])
        #expect(
            SourceFixture.notes(file) == [
                "8 certificate-pins", "20 malformed-pin", "20 unresolved", "19 certificate-pins",
            ])
        #expect(file?.hosts.first?.pins.first?.part == .leaf)
    }

    @Test("SHA-1, spaces, the secure client, and a URL from elsewhere")
    func others() throws {
        let source = """
            final a = HttpCertificatePinning.check(serverURL: url, sha: SHA.SHA1, allowedSHAFingerprints: ['\(String(repeating: "41 ", count: 20))']);
            final b = SecureHttpClient.build(['{B:}']);
            """
        let file = try SourceFixture.file(source, "a.dart", .flutter)
        #expect(SourceFixture.shown(file) == ["1 ?: cert1/A", "2 ?: cert/B"])
        #expect(
            SourceFixture.notes(file) == ["1 unresolved", "1 certificate-pins", "2 other-hosts", "2 certificate-pins"])
    }

    @Test("a form's empty fields are no URL and no fingerprint; the same one twice in a line stands there twice")
    func form() throws {
        let source = """
            class Data { String url = ''; String pin = ''; }
            final data = Data();
            void f() { HttpCertificatePinning.check(serverURL: data.url, sha: SHA.SHA256, allowedSHAFingerprints: [data.pin]); }
            """
        let file = try SourceFixture.file(source, "a.dart", .flutter)
        #expect(SourceFixture.shown(file) == ["3 ?: ?"])
        #expect(Set(SourceFixture.notes(file).map { $0.dropFirst(2) }) == ["unresolved"])
        let twice = "final b = SecureHttpClient.build(['{B:}', '{B:}']);"
        #expect(SourceFixture.shown(try SourceFixture.file(twice, "a.dart", .flutter)) == ["1 ?: cert/B cert/B"])
    }

    @Test("the package's own source, and a commented-out check, declare nothing")
    func nothing() throws {
        let source = """
            class CertificatePinningInterceptor extends Interceptor {
              CertificatePinningInterceptor({List<String>? allowedSHAFingerprints, int timeout = 0}) : _t = timeout;
              // HttpCertificatePinning.check(serverURL: 'https://a.example.com', allowedSHAFingerprints: ['{A:}'])
            }
            """
        #expect(try SourceFixture.read(source, "a.dart").isEmpty)
    }

    @Test("only the app's own roots are trusted")
    func context() throws {
        let own = "final c = SecurityContext(withTrustedRoots: false)..setTrustedCertificatesBytes(bytes);"
        let file = try SourceFixture.file(own, "a.dart", .flutter)
        #expect(SourceFixture.shown(file) == ["1 ?: ?"] && SourceFixture.notes(file) == ["1 private-anchors"])
        let both = "final c = SecurityContext(withTrustedRoots: true)..setTrustedCertificatesBytes(bytes);"
        #expect(try SourceFixture.read(both, "a.dart").isEmpty)
        #expect(try SourceFixture.read("HttpClient f(SecurityContext? c) => HttpClient(context: c);", "a.dart").isEmpty)
    }

    @Test(
        "what badCertificateCallback comes to",
        arguments: [
            ("= (X509Certificate cert, String host, int port) => true;", ["1 trustsEverything"]),
            ("= ((cert, host, port) => true);", ["1 trustsEverything"]),
            ("= (cert, host, port) { log(host); return true; };", ["1 trustsEverything"]),
            ("= check;\nbool check(X509Certificate cert, String host, int port) => true;", ["1 trustsEverything"]),
            ("= (cert, host, port) => host == 'dev.example.com';", ["1 trustsEverything dev.example.com"]),
            ("= (cert, host, port) { return sha256(cert.der) == pin; };", ["1 errorPathOnly"]),
            (
                "= check;\nbool check(X509Certificate cert, String host, int port) { return a(cert) && b; }",
                ["1 errorPathOnly"]
            ),
            ("= (cert, host, port) => false;", []), ("= (cert, host, port) { return false; };", []), ("= null;", []),
            ("= (cert, host, port) => kDebugMode;", []),
        ])
    func callback(_ text: String, _ expected: [String]) throws {
        let files = try SourceFixture.read("void f(HttpClient c) { c.badCertificateCallback \(text)\n}", "a.dart")
        #expect(SourceFixture.settings(files) == expected)
        #expect(files.allSatisfy { $0.format == .flutter })
    }

    @Test("a cascade sets it too, a debug build's is left out")
    func around() throws {
        let cascade =
            "final c = HttpClient()\n  ..connectionTimeout = t\n  ..badCertificateCallback = (a, b, c) => true;"
        #expect(SourceFixture.settings(try SourceFixture.read(cascade, "a.dart")) == ["3 trustsEverything"])
        let debug = "void f() { if (kDebugMode) { c.badCertificateCallback = (a, b, d) => true; } }"
        #expect(try SourceFixture.read(debug, "a.dart").isEmpty)
    }
}
