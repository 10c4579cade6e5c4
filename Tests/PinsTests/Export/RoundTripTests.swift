import Facts
import Testing

@testable import Pins

@Suite("Pins written in a format and read again")
struct RoundTripTests {
    /// With the name of a file such as it stands in; a profile is read by a module of its own.
    private static let formats: [(ExportFormat, String)] = [
        (.okHttp, "Pins.kt"), (.nsc, "n.xml"), (.trustKitAndroid, "n.xml"), (.apple, "Info.plist"),
        (.appleLeaf, "Info.plist"), (.appleCA, "Info.plist"), (.trustKit, "Info.plist"), (.cronet, "Pins.kt"),
        (.curl, "c.sh"), (.hpkp, "h.txt"), (.pins, "pins.json"), (.flutter, "m.dart"), (.reactNative, "p.ts"),
        (.alamofire, "Trust.swift"), (.python, "pins.py"), (.node, "pins.js"), (.go, "pins.go"),
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
        let files = try FormatRecogniser.standard.read(PinFileContent(export.text), path: path)
        let found = files.filter { $0.hosts.contains(where: \.isPinned) }
        #expect(found.count == 1, "\(files.map(\.format))")
        guard let read = found.first else { return }
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

    @Test("none is left out here")
    func all() {
        #expect(Set(Self.formats.map(\.0)) == Set(ExportFormat.allCases).subtracting([.profile]))
    }

    @Test("what react-native-ssl-public-key-pinning is given is JSON, and read the same in a file of its own")
    func reactNativeJSON() throws {
        let text = PinExport(Self.list, as: .reactNative).text
        let json = String(text.split(separator: "Pinning(", maxSplits: 1).last?.dropLast(3) ?? "")
        let (source, file) = (
            try FormatRecogniser.standard.read(PinFileContent(text), path: "p.ts")[0],
            try FormatRecogniser.standard.read(PinFileContent(json), path: "p.json")[0]
        )
        #expect(source.hosts.map(\.patterns) == file.hosts.map(\.patterns) && source.notes.isEmpty)
        #expect(source.hosts.map { $0.pins.map(\.digest) } == file.hosts.map { $0.pins.map(\.digest) })
        #expect(source.hosts.map(\.expires) == file.hosts.map(\.expires))
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
