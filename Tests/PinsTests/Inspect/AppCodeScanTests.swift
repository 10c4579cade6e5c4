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

    private static let hex = "0123456789abcdef0123456789ABCDEF0123456789abcdef0123456789abcdef"
    private static let colons = stride(from: 0, to: 64, by: 2).map { place in
        String(hex.uppercased().dropFirst(place).prefix(2))
    }.joined(separator: ":")

    @Test(
        "other writings of a pin are known: SHA-1, HPKP, and what stands near a word of pinning",
        arguments: [
            ("x sha1/\(digits.prefix(26))A=", ["sha1/\(digits.prefix(26))A="]), ("sha1/\(digits)=", []),
            ("pin-sha256=\"\(digits)=\"; max-age", ["sha256/\(digits)="]),
            ("pin-sha256=\\\"\(digits)=\\\"", ["sha256/\(digits)="]),
            ("\"pins\": [\"\(digits)=\"]", ["sha256/\(digits)="]), ("certPin:\(digits)=", ["sha256/\(digits)="]),
            ("\"keys\": [\"\(digits)=\"]", []), ("\"pins\": [\"\(digits)A=\"]", []),
            ("\"pins\": [\"A\(digits)=\"]", []),
            ("fingerprint = \"\(colons)\"", [hex.lowercased()]), ("\(hex)\0sslPins", [hex.lowercased()]),
            ("digest = \"\(colons)\"", []), ("fingerprint = \"\(colons):AA\"", []),
            ("spki \(String(repeating: "0", count: 64))", []), ("fingerprint \(hex)0", []),
            ("pinned" + String(repeating: " ", count: 300) + hex, []),
            (hex + String(repeating: " ", count: 300) + "pinned", []),
        ] as [(String, [String])])
    func forms(text: String, expected: [String]) { #expect(strings(text) == expected) }

    @Test("base64 alone is a pin where it is a whole string and a library takes it so")
    func bare() {
        let code = "\0,\(Self.digits)=\0"
        #expect(strings(code).isEmpty)
        #expect(strings("\(code)Lcom/datatheorem/android/trustkit/TrustKit;") == ["sha256/\(Self.digits)="])
        #expect(strings("x\(code.dropFirst(2).dropLast())y\0Lcom/datatheorem/android/trustkit/T;").isEmpty)
        // The library is in another file of the app's.
        var scan = AppCodeScan(KnownLibrary.android)
        scan.add(Array(code.utf8), of: "classes.dex")
        scan.add(Array("Lio/approov/A;".utf8), of: "classes2.dex")
        #expect(scan.strings == [.init(value: "sha256/\(Self.digits)=", path: "classes.dex")])
    }

    @Test("what stands across the border of two pieces is found, wherever it is cut")
    func pieces() {
        let text =
            "x sha256/\(Self.digits)= Lokhttp3/a; \"pins\":\"\(String(Self.digits.reversed()))=\" "
            + "\(Self.colons) pinned"
        let bytes = Array(text.utf8)
        func find(_ pieces: [ArraySlice<UInt8>]) -> ([String], [String]) {
            var scan = AppCodeScan(KnownLibrary.android)
            scan.begin("a")
            for piece in pieces { scan.add(Array(piece)) }
            scan.end()
            return (scan.strings.map(\.value), scan.libraries)
        }
        let whole = find([bytes[...]])
        #expect(whole.0.count == 3 && whole.1 == ["okhttp"])
        for cut in bytes.indices { #expect(find([bytes[..<cut], bytes[cut...]]) == whole) }
        #expect(find(bytes.indices.map { bytes[$0...$0] }) == whole)
        // Far into a file, around the border of what is looked at in one go.
        for shift in -200...20 {
            let space = [UInt8](repeating: 32, count: PieceWindow.step + shift)
            #expect(find([(space + bytes)[...]]) == whole)
        }
    }

    @Test("rows without an end, and files full of rows, are gone through once")
    func rows() {
        #expect(strings("spki " + String(repeating: "ab", count: 100_000)).isEmpty)
        #expect(strings(String(repeating: "\(Self.hex) spki ", count: 2000)) == [Self.hex.lowercased()])
        #expect(strings(String(repeating: "pinned", count: 20_000) + " " + Self.hex).count == 1)
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
        func find(_ markers: [String], _ text: String, _ starts: Range<Int> = 0..<100) -> [[Int]] {
            var found: [[Int]] = []
            ByteMarkers(markers).scan(Array(text.utf8), starts: starts) { found.append([$0, $1]) }
            return found
        }
        #expect(find(["abab", "ba", "x"], "ababab") == [[0, 4], [1, 3], [0, 6], [1, 5]])
        #expect(find(["abab", "ba", "x"], "ababab", 1..<2) == [[1, 3]])
        #expect(find(["abab"], "aba").isEmpty && find(["abab"], "").isEmpty && find(["ab"], "ab", 2..<3).isEmpty)
    }
}
