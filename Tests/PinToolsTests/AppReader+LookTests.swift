import Facts
import Support
import Testing

@testable import PinTools

@Suite("What the gate has to know of an artefact")
struct AppLookTests {
    private typealias App = RunHeader.Artefact.App

    /// `<manifest package="…" split="…"><application android:debuggable="true"/></manifest>`, compiled.
    private static func manifest(_ package: String, split: Bool = false, debuggable: Bool) -> [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 255) } }
        func chunk(_ type: Int, header: [UInt8], _ body: [UInt8]) -> [UInt8] {
            little(type, 2) + little(8 + header.count, 2) + little(8 + header.count + body.count, 4) + header + body
        }
        let none = little(-1, 4)
        let strings = ["debuggable", "package", "split", "manifest", "application", package]
        var (offsets, texts): ([UInt8], [UInt8]) = ([], [])
        for text in strings {
            offsets += little(texts.count, 4)
            texts += [UInt8(text.utf8.count), UInt8(text.utf8.count)] + Array(text.utf8) + [0]
        }
        let pool =
            little(strings.count, 4) + little(0, 4) + little(0x100, 4) + little(28 + offsets.count, 4) + little(0, 4)
        func attribute(_ name: Int, _ type: UInt8, _ value: Int) -> [UInt8] {
            none + little(name, 4) + (type == 3 ? little(value, 4) : none) + little(8, 2) + [0, type] + little(value, 4)
        }
        func begin(_ name: Int, _ attributes: [[UInt8]]) -> [UInt8] {
            let head =
                none + little(name, 4) + little(20, 2) + little(20, 2) + little(attributes.count, 2) + little(0, 6)
            return chunk(0x0102, header: little(1, 4) + none, head + attributes.flatMap(\.self))
        }
        func end(_ name: Int) -> [UInt8] { chunk(0x0103, header: little(1, 4) + none, none + little(name, 4)) }
        let names = [attribute(1, 3, 5)] + (split ? [attribute(2, 3, 5)] : [])
        let application = begin(4, [attribute(0, 0x12, debuggable ? -1 : 0)]) + end(4)
        return chunk(
            3, header: [],
            chunk(1, header: pool, offsets + texts) + chunk(0x0180, header: [], little(0x0101_000f, 4))
                + begin(3, names) + application + end(3))
    }

    private static func apk(_ package: String = "com.example.shop", split: Bool = false, debuggable: Bool) -> [UInt8] {
        AppReaderTests.zip(
            [("AndroidManifest.xml", manifest(package, split: split, debuggable: debuggable))], deflated: true)
    }

    private func look(_ name: String, _ bytes: [UInt8]) throws -> RunHeader.Artefact.App? {
        let folder = try TemporaryFolder()
        return try AppReader.look(try folder.write(name, bytes))
    }

    @Test("an APK says itself whether it can be debugged", arguments: [true, false])
    func apk(debuggable: Bool) throws {
        #expect(
            try look("shop.apk", Self.apk(debuggable: debuggable))
                == App(id: "com.example.shop", version: nil, debuggable: debuggable))
    }

    @Test(
        "of an archive of APKs the base APK has the name, and one that can be debugged is enough",
        arguments: ["shop.apks", "shop.xapk", "build.zip"], [true, false])
    func parts(name: String, deflated: Bool) throws {
        for debuggable in [true, false] {
            let bytes = AppReaderTests.zip(
                [
                    ("toc.pb", [1]), ("splits/a-de.apk", Self.apk("de", split: true, debuggable: false)),
                    ("splits/base-master.apk", Self.apk(debuggable: debuggable)),
                ], deflated: deflated)
            #expect(try look(name, bytes) == App(id: "com.example.shop", version: nil, debuggable: debuggable))
        }
    }

    @Test("an archive of apps within an archive is not taken for nothing", arguments: ["shop.apks", "a/shop.xapk"])
    func within(name: String) throws {
        let inner = AppReaderTests.zip([("base.apk", Self.apk(debuggable: true))])
        let error = #expect(throws: PinsError.self) { try look("build.zip", AppReaderTests.zip([(name, inner)])) }
        #expect(error?.explanations.first?.message.contains("name it itself") == true)
    }

    @Test("a part that cannot be read may be the one that can be debugged")
    func brokenPart() throws {
        let bytes = AppReaderTests.zip([("base.apk", Self.apk(debuggable: false)), ("splits/x.apk", [1, 2, 3])])
        let error = #expect(throws: PinsError.self) { try look("shop.apks", bytes) }
        let told = try #require(error?.explanations.first)
        #expect(told.message.hasSuffix("shop.apks: splits/x.apk: this is no ZIP archive, or its end is missing"))
    }

    @Test(
        "an app that cannot be read is no file without an app: it is told, and where to go from there",
        arguments: ["shop.apk", "shop.APKS", "shop.aab", "shop.ipa", "shop.zip"])
    func broken(name: String) throws {
        let whole = Self.apk(debuggable: true)
        let twice = AppReaderTests.zip(
            ["a", "b"].map { _ in ("AndroidManifest.xml", Self.manifest("a", debuggable: true)) })
        // The directory says that there are more files than a number of two bytes has.
        var large = whole
        large.replaceSubrange((large.count - 14)..<(large.count - 10), with: [0xff, 0xff, 0xff, 0xff])
        for bytes in [whole + [1, 2, 3], twice, large, Array(whole.dropLast(30))] {
            let error = #expect(throws: PinsError.self) { try look(name, bytes) }
            #expect(error?.cause == .data)
            let told = try #require(error?.explanations.first)
            #expect(told.message.hasPrefix("--artefact /") && told.message.contains("\(name): "))
            #expect(told.hints.contains { $0.contains("whether the app can be debugged is not known") })
        }
        // In front of it nothing says that it is an archive, but its name.
        let front = Array("#!".utf8) + whole
        if name == "shop.zip" {
            #expect(try look(name, front) == nil)
        } else {
            #expect(throws: PinsError.self) { try look(name, front) }
            #expect(throws: PinsError.self) { try look(name, []) }
            #expect(throws: PinsError.self) { try look(name, AppReaderTests.zip([("classes.dex", [1])])) }
        }
    }

    @Test("a name beyond the piece of the file that is read at a time is found")
    func farName() throws {
        let bytes = AppReaderTests.zip([("a", [UInt8](repeating: 0x50, count: 300_000)), ("lib/a.apk", [1])])
        for cut in [1, 22, 60, 80] { #expect(throws: PinsError.self) { try look("a.zip", Array(bytes.dropLast(cut))) } }
    }

    @Test("what is no app is none, whether it can be read or not")
    func none() throws {
        let plain = AppReaderTests.zip([("a.txt", [1, 2]), ("classes.dex", [3])])
        #expect(try look("a.zip", plain) == nil)
        #expect(try look("server.jar", AppReaderTests.zip([("a", [1]), ("a", [1])])) == nil)
        #expect(try look("a.zip", Array(plain.dropLast(9))) == nil)
        #expect(try look("notes.txt", Array("AndroidManifest.xml".utf8)) == nil)
        #expect(try look("shop.AppImage", [0x7f, 0x45, 0x4c, 0x46]) == nil)
        #expect(try look("empty", []) == nil)
        // Alpine Linux' packages, and what macOS writes beside a file.
        #expect(try look("tool-1.0-r0.apk", [0x1f, 0x8b, 8, 0]) == nil)
        let beside = AppReaderTests.zip([
            ("a.txt", [1]), ("__MACOSX/._shop.apk", [0, 5, 22, 7]), ("x/._shop.apk", [0]),
        ])
        #expect(try look("a.zip", beside) == nil)
    }
}
