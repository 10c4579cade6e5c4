import Facts
import Testing

@testable import Pins

@Suite("rules of a pin's text")
struct PinTextRuleTests {
    typealias S = LintSamples

    @Test(
        "L1: a pin that is no digest is an error at its line, and says what the platform does",
        arguments: [
            (PinFormat.androidNSC, "has 31 bytes, not 32", "throws"),
            (.okHttp, "has 31 bytes, not 32", "never matches"),
            (.appleATS, "has 31 bytes, not 32", "drops it"), (.trustKit, "has 31 bytes, not 32", "throws"),
        ])
    func malformed(_ format: PinFormat, _ fault: String, _ effect: String) throws {
        let short = S.pin(Base64.encode(S.digest(3, size: 31)), line: 9)
        let file = S.file([S.host("api.example.com", [S.pin(1), S.pin(2), short], format)], [], format)
        let found = try #require(S.found("L1", file))
        #expect(found.severity == .error && found.line == 9 && found.host == "api.example.com")
        #expect(found.text.contains(fault) && found.text.contains(effect) && found.text.contains(short.text))
        #expect(S.found("L1", S.file([S.good(format)], [], format)) == nil)
    }

    @Test(
        "L1: of Apple's pins it says what their reader says",
        arguments: [
            ("zzz", "is no base64: "), ("sha256/" + Base64.encode(LintSamples.digest(3)), "has 36 bytes, not 32"),
        ])
    func malformedForApple(_ text: String, _ fault: String) {
        let file = S.file([S.host("api.example.com", [S.pin(text, .leaf)], .appleATS)], [], .appleATS)
        #expect(S.found("L1", file)?.text.contains(" \(fault)") == true)
    }

    @Test("L1: a pin of one set that covers two domains is told once, with both")
    func malformedOnce() {
        let broken = S.pin("no pin at all", line: 7)
        let hosts = ["a.example.com", "b.example.com"].map { S.host($0, [S.pin(1), S.pin(2), broken], .androidNSC) }
        let found = S.findings([S.file(hosts)]).filter { $0.rule.id == "L1" }
        #expect(found.count == 1 && found.first?.host == nil)
        #expect(found.first?.text.contains("a.example.com and b.example.com") == true)
    }

    @Test("L1: a reader's note of a pin that it could not keep is an error too")
    func malformedNote() {
        let file = S.file([S.good()], notes: [PinNote(.malformedPin, line: 12, "a pin is no string")])
        #expect(S.found("L1", file)?.line == 12)
    }

    @Test(
        "L19: placeholders are found by their looks",
        arguments: [
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA=",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB=", "YOUR_PIN_HERE", "replace-me", "sha256/TODO",
            "<insert pin>", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopq=",
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx=",
            "0000000000000000000000000000000000000000000000000000000000000000",
            "abcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcd", "00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF",
        ])
    func placeholder(_ text: String) {
        #expect(PlaceholderPin.isPlaceholder(text))
    }

    @Test("L19: no real root's pin, and no digest, looks like a placeholder")
    func noPlaceholder() {
        for root in KnownRoot.all {
            #expect(!PlaceholderPin.isPlaceholder(Base64.encode(root.key)), "\(root.name)")
            #expect(!PlaceholderPin.isPlaceholder(Hex.encode(root.key)), "\(root.name)")
        }
        #expect(!PlaceholderPin.isPlaceholder(""))
    }

    @Test("L19: it is an error, and the twin with a real key is none")
    func placeholderPair() {
        let zeros = S.pin("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", line: 8)
        let found = S.found("L19", S.file([S.host([S.pin(1), zeros])]))
        #expect(found?.severity == .error && found?.line == 8)
        #expect(S.found("L1", S.file([S.host([S.pin(1), zeros])])) == nil)
        #expect(S.found("L19", S.file([S.good()])) == nil)
    }

    @Test(
        "L19: the hash of nothing, and of an empty line, is nobody's key",
        arguments: [
            ("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", DeclaredPin.Kind.spkiSHA256, "nothing"),
            ("2jmj7l5rSw0yVb/vlWAYkK/YBwk=", .spkiSHA1, "nothing"),
            ("1B2M2Y8AsgTpgAmy7PhCfg==", .certificateMD5, "nothing"),
            ("AbpHGcgLb+kRsJGnwFEktk7uzpZOCcBY74+YBdrKVGs=", .spkiSHA256, "an empty line"),
            ("rcg7GeeTSRscbqD9i0bNnzLlkvw=", .certificateSHA1, "an empty line"),
        ])
    func nothing(_ text: String, _ kind: DeclaredPin.Kind, _ what: String) {
        let pin = DeclaredPin(base64: text, kind, line: 8)
        let found = S.found("L19", S.file([S.host([S.pin(1), pin])]))
        #expect(found?.severity == .error && found?.line == 8 && found?.text.contains("the hash of \(what)") == true)
        // A fingerprint in hexadecimal digits is the same one.
        let hex = DeclaredPin(kind, text: Hex.encode(pin.digest ?? []), digest: pin.digest, line: 8)
        #expect(S.found("L19", S.file([S.host([S.pin(1), hex])])) != nil)
    }

    @Test("L19: OkHttp's sample is the key of one server, and of no other")
    func sample() {
        let sample = "afwiKY3RxoMmLkuRW1l7QsPZTJPwDS2pdDROQjXw8ig="
        func found(_ host: String?) -> LintFinding? {
            S.found("L19", S.file([S.host(host, .itself, [S.pin(1), S.pin(sample)], .okHttp)], [], .okHttp))
        }
        #expect(found("api.shop.com")?.text.contains("publicobject.com") == true)
        for host in ["publicobject.com", "www.publicobject.com", "api.example.com", "a.test", nil] {
            #expect(found(host) == nil, "\(host ?? "")")
        }
    }

    @Test("L3: the same key twice is told with both lines; the same in the leaf's and the CA's list is another matter")
    func duplicate() {
        let again = S.pin(1, line: 11)
        let found = S.found("L3", S.file([S.host([S.pin(1), S.pin(2), again])]))
        #expect(found?.severity == .note && found?.line == 11 && found?.text.contains("line 1 already") == true)
        #expect(S.found("L3", S.file([S.good()])) == nil)
        let lists = S.host([S.pin(1, .spkiSHA256, .leaf), S.pin(1, .spkiSHA256, .ca, line: 11)], .appleATS)
        #expect(S.found("L3", S.file([lists], [], .appleATS)) == nil)
    }

    @Test("L20: SHA-1 is a warning, with the SHA-256 to write where the chain is at hand")
    func sha1() {
        let old = DeclaredPin(
            .spkiSHA1, text: "x", digest: Array(S.digest(1).prefix(20)), line: 4)
        let file = S.file([S.host("api.example.com", [old, S.pin(2)], .okHttp)], [], .okHttp)
        #expect(S.found("L20", file)?.severity == .warning)
        #expect(S.found("L20", file)?.fix.contains("pinproof pins api.example.com") == true)
        let live = S.found("L20", file, S.situation(S.privateChain(leaf: 1)))
        #expect(live?.fix.contains("sha256/" + Base64.encode(S.digest(1))) == true)
        #expect(S.found("L20", S.file([S.good(.okHttp)], [], .okHttp)) == nil)
    }
}

extension LintSamples {
    static func host(_ pins: [DeclaredPin], _ format: PinFormat = .androidNSC) -> DeclaredHost {
        host("api.example.com", pins, format)
    }
}
