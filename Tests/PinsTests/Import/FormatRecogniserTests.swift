import Facts
import Testing

@testable import Pins

@Suite("What a file is")
struct FormatRecogniserTests {
    private enum First: PinFileReader {
        static func recognises(_ content: PinFileContent) -> Bool { content.text?.contains("first") == true }
        static func read(_ content: PinFileContent, path: String) throws(PinFileFault) -> PinFile {
            file(path, .okHttp, [entry("a.com", [pin(1)], .okHttp)])
        }
    }
    private enum Second: PinFileReader {
        static func recognises(_ content: PinFileContent) -> Bool { content.text?.contains("second") == true }
        static func read(_ content: PinFileContent, path: String) throws(PinFileFault) -> PinFile {
            if content.text?.contains("broken") == true { throw PinFileFault(line: 3, "it is broken", .failsClosed) }
            return file(path, .trustKit, [])
        }
    }
    private enum Large: PinFileReader {
        static func recognises(_ content: PinFileContent) -> Bool { content.text == "large" || content.text == "pins" }
        static func read(_ content: PinFileContent, path: String) throws(PinFileFault) -> PinFile {
            content.text == "large"
                ? file(path, .hpkp, (0...2_000).map { _ in entry("a.com", [], .hpkp) })
                : file(path, .hpkp, [entry("a.com", (0...4_000).map { _ in pin(1) }, .hpkp)])
        }
    }
    private let recogniser = FormatRecogniser([First.self, Second.self, Large.self])

    @Test("all formats of a file are read, and what a reader throws is thrown")
    func read() throws {
        #expect(try recogniser.read(PinFileContent("first"), path: "x").map(\.format) == [.okHttp])
        #expect(try recogniser.read(PinFileContent("second first"), path: "x").map(\.format) == [.okHttp, .trustKit])
        #expect(throws: PinFileFault(line: 3, "it is broken", .failsClosed)) {
            try recogniser.read(PinFileContent("first second broken"), path: "x")
        }
    }

    @Test("more than is looked at is refused")
    func bounds() {
        #expect(throws: PinFileFault(line: nil, "it has 2001 entries, and at most 2000 are looked at")) {
            try recogniser.read(PinFileContent("large"), path: "x")
        }
        #expect(throws: PinFileFault(line: nil, "it has 4001 pins, and at most 4000 are looked at")) {
            try recogniser.read(PinFileContent("pins"), path: "x")
        }
    }

    @Test(
        "where nothing is known, it says what the file is",
        arguments: [
            ([UInt8](), "it is empty"),
            (Array("PK\u{3}\u{4}…".utf8), "it is an archive without an app in it"),
            (Array("-----BEGIN CERTIFICATE-----".utf8), "it is a certificate or a key, and declares no pins"),
            ([0x30, 0x82, 1, 2, 3], "it is a certificate or a key, and declares no pins"),
            ([0xff, 0x00, 0x01], "it is no text, and no binary format that pins are read of"),
            (Array("\n <resources/>".utf8), "it declares no pins: its outermost element is <resources>"),
            (
                Array("<a".utf8),
                "nothing in it declares pins, and it is no XML that can be read: the file ends within <a> of line 1"
            ),
            (Array("hello".utf8), "nothing in it declares pins in a way that is known"),
        ])
    func unknown(_ bytes: [UInt8], _ message: String) {
        do {
            _ = try recogniser.read(PinFileContent(bytes), path: "x")
            Issue.record("it was read")
        } catch {
            #expect(error.message == message && error.effect == .unreadable)
        }
    }

    @Test(
        "a profile is known by its version",
        arguments: [
            ("version: 1\nhosts: {}", true), ("# x\n\nname: a\nversion: 1 # the only one\n", true),
            ("\u{feff}version: 1", true), ("version: \"3\"\nservices: {}", false), ("version: 1.1", false),
            ("{\"version\": 1}", false), ("<!--\nversion: 1\n-->", false), ("a:\n  version: 1", false),
        ])
    func profile(_ text: String, _ isProfile: Bool) {
        #expect(FormatRecogniser.isProfile(PinFileContent(text)) == isProfile)
    }

    @Test("a profile's rules are entries: refusing ones are pinned, also where it names no pins")
    func entries() {
        let made = PinFile(
            profile: [
                ProfileEntry(pattern: "a.com", refuses: true, pins: [pin(1).name], line: 4),
                ProfileEntry(pattern: "**.a.com", refuses: true, pins: [], line: 5),
                ProfileEntry(pattern: "*.b.com", refuses: false, pins: [pin(1).name], line: 6),
            ], path: "p.yaml")
        #expect(made.format == .profile && made.hosts.flatMap(\.patterns) == ["a.com", "**.a.com", "*.b.com"])
        #expect(
            made.hosts.map(\.isPinned) == [true, true, false] && made.hosts.map(\.pinsKnown) == [true, false, true])
        #expect(made.hosts[0].pins == [pin(1, line: 4)] && made.hosts[2].pins.isEmpty)
    }
}
