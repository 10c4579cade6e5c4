import Testing

@testable import Pins

@Suite("Searching an app's code")
struct AppCodeScanTests {
    private static let digits = String(repeating: "B", count: 42) + "A"

    private func strings(_ text: String) -> [String] {
        var scan = AppCodeScan(KnownLibrary.android)
        scan.add(Array(text.utf8), of: "classes.dex")
        return scan.strings.map(\.value)
    }

    @Test(
        "a pin is 32 bytes of base64 behind its mark, padded or not, and nothing longer",
        arguments: [
            ("sha256/\(digits)=", true), ("\u{0}sha256/\(digits)\u{0}", true), ("pin: sha256//\(digits)=;", true),
            ("sha256/\(digits)", true), ("sha256/\(digits)A", false), ("sha256/\(digits.dropLast())=", false),
            ("sha256/\(digits)/x", false), ("SHA256/\(digits)=", false), ("sha256/", false), ("sha256", false),
            ("sha256/\(digits.dropLast())-=", false),
        ])
    func pins(text: String, isOne: Bool) {
        #expect(strings(text) == (isOne ? ["sha256/\(Self.digits)="] : []))
    }

    @Test("a pin is told once, and there are no more than can be shown")
    func bounded() {
        let pin = "sha256/\(Self.digits)="
        #expect(strings(pin + " " + pin).count == 1)
        var scan = AppCodeScan(KnownLibrary.android)
        for number in 0..<600 {
            let text = String(number)
            let digits = String(repeating: "A", count: 42 - text.utf8.count) + text + "A"
            scan.add(Array("sha256/\(digits)=".utf8), of: "a")
        }
        #expect(scan.strings.count == AppCodeScan.stringLimit && scan.isCut)
    }

    @Test(
        "libraries are known by code and by names",
        arguments: [
            ("lib/arm64-v8a/libflutter.so", "", ["flutter"]),
            ("assets/flutter_assets/kernel_blob.bin", "", ["flutter"]),
            ("assets/index.android.bundle", "", ["react-native"]),
            ("okhttp3/internal/publicsuffix/x.gz", "", ["okhttp"]),
            ("a", "Lokhttp3/a;", ["okhttp"]), ("a", "okhttp/4.12.0", ["okhttp"]), ("a", "Lokhttp/", []),
            ("a", "Lcom/datatheorem/android/trustkit/TrustKit;Lretrofit2/Call;", ["retrofit", "trustkit"]),
            ("lib/x86/libmyflutter.so", "", []),
        ])
    func libraries(name: String, code: String, expected: [String]) {
        var scan = AppCodeScan(KnownLibrary.android)
        scan.add(name: name)
        scan.add(Array(code.utf8), of: name)
        #expect(scan.libraries == expected)
    }

    @Test("markers are found where they overlap, at both ends, and not beyond")
    func markers() {
        var found: [(Int, Int)] = []
        ByteMarkers(["abab", "ba", "x"]).scan(Array("ababab".utf8)) { found.append(($0, $1)) }
        #expect(found.map(\.0) == [0, 1, 0, 1] && found.map(\.1) == [4, 3, 6, 5])
        ByteMarkers(["abab"]).scan(Array("aba".utf8)) { _, _ in Issue.record("there is none") }
        ByteMarkers(["abab"]).scan([]) { _, _ in Issue.record("there is none") }
    }
}
