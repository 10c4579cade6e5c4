import Facts
import Testing

@testable import Pins

@Suite("Constants in another file of the call")
struct SourceNeighboursTests {
    private static let user = """
        val pinner = CertificatePinner.Builder()
            .add(Pins.HOST, Pins.LEAF)
            .add("b.com", *MORE.toTypedArray())
            .build()
        """
    private static let constants = """
        object Pins {
            const val HOST = "a.com"
            const val LEAF = "sha256/{A}"
        }

        val MORE = listOf("sha256/{B}", "sha256/{C}")
        """

    private func read(_ files: [(path: String, text: String)], _ wanted: String) throws -> (
        file: PinFile?, neighbours: SourceNeighbours
    ) {
        let contents = files.map { (path: $0.path, content: PinFileContent(SourceFixture.text($0.text))) }
        let neighbours = SourceNeighbours(contents)
        let content = try #require(contents.first { $0.path == wanted }?.content)
        let found = try FormatRecogniser.standard(beside: neighbours).read(content, path: wanted)
        return (found.first { $0.format == .okHttp }, neighbours)
    }

    @Test("they are known, and the entry keeps its own file and line")
    func known() throws {
        let found = try read([("Net.kt", Self.user), ("Pins.kt", Self.constants), ("X.kt", "val Y = 1")], "Net.kt")
        #expect(SourceFixture.shown(found.file) == ["2 a.com: A", "3 b.com: B C"])
        #expect(found.file?.path == "Net.kt" && found.file?.notes.isEmpty == true)
        #expect(found.file?.hosts.flatMap(\.pins).map(\.line) == [2, 3, 3])
        #expect(found.neighbours.areUsed("Pins.kt") && !found.neighbours.areUsed("X.kt"))
    }

    @Test("by themselves they stay unknown, and a file of constants alone is told as one without pins")
    func alone() throws {
        let found = try read([("Net.kt", Self.user)], "Net.kt")
        #expect(SourceFixture.shown(found.file) == ["2 ?: ?", "3 b.com: ?"])
        let fault = #expect(throws: PinFileFault.self) { try read([("Pins.kt", Self.constants)], "Pins.kt") }
        #expect(fault.map(FormatRecogniser.isOfNothing) == true)
        #expect(!FormatRecogniser.isOfNothing(PinFileFault(line: 3, "broken")))
    }

    @Test("what two files say in different ways is not known")
    func ambiguous() throws {
        let other = Self.constants.split(separator: "a.com").joined(separator: "z.com")
        let found = try read([("Net.kt", Self.user), ("a/Pins.kt", Self.constants), ("b/Pins.kt", other)], "Net.kt")
        #expect(SourceFixture.shown(found.file) == ["2 ?: A", "3 b.com: ?"])
        #expect(
            found.file?.notes.first?.text
                == "the host is Pins.HOST, which a/Pins.kt and b/Pins.kt define differently, "
                + "and this file does not say what that is")
        #expect(found.neighbours.areUsed("a/Pins.kt") && found.neighbours.areUsed("b/Pins.kt"))
        let same = try read([("Net.kt", Self.user), ("a/P.kt", Self.constants), ("b/P.kt", Self.constants)], "Net.kt")
        #expect(SourceFixture.shown(same.file).first == "2 a.com: A")
    }

    @Test("a file's own name goes before those of others, and files that need each other end")
    func own() throws {
        let own = "object Pins { const val HOST = \"own.com\"; const val LEAF = Other.LEAF }\n" + Self.user
        let other = "object Other { const val LEAF = Pins.LEAF }"
        let found = try read([("Net.kt", own), ("Other.kt", other)], "Net.kt")
        #expect(SourceFixture.shown(found.file).first == "3 own.com: ?")
    }
}
