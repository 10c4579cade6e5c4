import Facts
import Testing

@testable import Pins

@Suite("Pins written in a format and read again")
struct RoundTripTests {
    /// Those that a reader here knows, with the name of a file such as it stands in.
    private static let formats: [(ExportFormat, String)] = [
        (.okHttp, "Pins.kt"), (.nsc, "n.xml"), (.trustKitAndroid, "n.xml"), (.apple, "Info.plist"),
        (.appleLeaf, "Info.plist"), (.appleCA, "Info.plist"), (.trustKit, "Info.plist"), (.cronet, "Pins.kt"),
        (.curl, "c.sh"), (.hpkp, "h.txt"), (.pins, "pins.json"), (.flutter, "m.dart"), (.reactNative, "p.json"),
        (.alamofire, "Trust.swift"),
    ]
    private static let names = ["a.com", "x.a.com", "x.y.a.com", "cdn.a.com", "b.org", "x.b.org", "f.io"]

    private static let list = file(
        "pins.json", .neutral,
        [
            entry(".a.com", [pin(1), pin(2)], .neutral, expires: "2027-06-01"), entry("cdn.a.com", [], .neutral),
            entry("b.org", [pin(3), pin(4), pin(5)], .neutral),
            entry("f.io", [pin(6, .leaf, .certificateSHA256), pin(7, .leaf, .certificateSHA256)], .neutral),
        ])

    @Test("what counts is the same", arguments: formats)
    func same(_ format: ExportFormat, _ path: String) throws {
        let export = PinExport(Self.list, as: format)
        var text = export.text
        if format == .reactNative {
            // What its call passes on is what such a file has in it.
            text = String(text.split(separator: "Pinning(", maxSplits: 1).last?.dropLast(3) ?? "")
        }
        let files = try FormatRecogniser.standard.read(PinFileContent(text), path: path)
        let found = files.filter { $0.hosts.contains(where: \.isPinned) }
        #expect(found.count == 1, "\(files.map(\.format))")
        guard let read = found.first else { return }
        guard format != .hpkp else {
            // No header says which host it is of.
            #expect(read.hosts.map(\.pins).map { Set($0.map(\.name)) } == export.hosts.map { Set($0.pins.map(\.name)) })
            return
        }
        let (before, after) = (PlatformRules(export.hosts, format.platform), PlatformRules.of(read)[0])
        for name in Self.names {
            let (asked, has) = (before.effective(for: name), after.effective(for: name))
            #expect(asked.isPinned == has.isPinned && asked.isEnforced == has.isEnforced, "\(name)")
            guard format != .alamofire else { continue }
            #expect(Set(asked.pins.map(\.name)) == Set(has.pins.map(\.name)), "\(name)")
            #expect(Set(asked.pins.map(\.part)) == Set(has.pins.map(\.part)), "\(name)")
            #expect(!asked.isPinned || asked.expires == has.expires, "\(name) \(read.hosts)")
        }
    }

    @Test("nothing is read of what was left out", arguments: formats)
    func empty(_ format: ExportFormat, _ path: String) {
        let export = PinExport(file("x", .neutral, []), as: format)
        let files = (try? FormatRecogniser.standard.read(PinFileContent(export.text), path: path)) ?? []
        #expect(files.allSatisfy { !$0.hosts.contains(where: \.isPinned) })
    }

    @Test("of a file that declares nothing it is said so, and a word alone is no declaration")
    func nothing() {
        for text in ["fun main() { println(\"CertificatePinner\") }", "<resources/>", "{\"a\": 1}", "x: y\n"] {
            #expect(throws: PinFileFault.self) {
                try FormatRecogniser.standard.read(PinFileContent(text), path: "Main.kt")
            }
        }
    }
}
