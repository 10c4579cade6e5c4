import Support
import Testing

@testable import Profiles

@Suite struct MutationTests {
    private static let seed = """
        version: 1
        name: &n release
        hosts:
          api.example.com: &r { expect: refuse, pins: ["sha256/+oWY7EmKgBe9D8yQ/ETGiH62Hm0WUlHodB7skGqPhvk="] }
          "*.cdn.example.com": { expect: accept, required: false }
          b.example.com: *r
        others: tunnel
        controls:
          - cdn.example.com
        attacks: [quick, expired]
        cold_starts: 3
        resolve: { api.example.com: "[::1]:8443" }
        same_anchors: false
        lent:
          api.example.com: { backup_key: backup.key, other_host: [o.pem, o.key] }
        upstream: { roots: [root.pem], proxy: null }
        # a comment with *stars* and grün
        """

    private static let pieces: [[UInt8]] =
        [
            "*", "&", "!", "'", "\"", "[", "]", "{", "}", ": ", ":", ",", "- ", "? ", "#", "\n", "\r\n", "\t", " ",
            "|\n", ">", "%", "@", "---\n",
            "...", "<<: *r", "*n", "*r", "&r ", "!!str ", "null", "yes", "true", "1", "1e9", ".", "..", "\\", "\\x",
            "\u{0}", "\u{E000}", "\u{E001}",
            "\u{FEFF}", "\u{2028}", "ü", "😀", "hosts:", "expect: ", "api.example.com: ", "version: 1\n", "sha256/",
            "http://",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80]]

    @Test(
        "no mutation of a profile traps, hangs, or is refused without a place and a message", arguments: UInt64(0)..<4)
    func mutants(_ shard: UInt64) {
        var random = SeededGenerator(seed: shard)
        let lines = Self.seed.utf8.split(separator: UInt8(ascii: "\n")).map(Array.init)
        var (accepted, refused) = (0, 0)
        for _ in 0..<1_500 {
            var bytes = Array(Self.seed.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let at = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: at)
                case 1: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...8, using: &random)))
                case 2: bytes.insert(contentsOf: (lines.randomElement(using: &random) ?? []) + [0x0A], at: at)
                case 3: bytes.removeSubrange(at...)
                default: if at < bytes.count { bytes[at] = UInt8.random(in: 0...255, using: &random) }
                }
            }
            do throws(ProfileErrors) {
                _ = try ProfileLoader.parse(bytes, path: "p.yaml", files: FileState.assumed)
                accepted += 1
            } catch {
                refused += 1
                let lineCount = bytes.count { $0 == 0x0A || $0 == 0x0D } + 20
                if error.errors.isEmpty { Issue.record("no error") }
                for fault in error.errors {
                    if fault.message.isEmpty { Issue.record("no message for \(fault.fault)") }
                    if let place = fault.place, place.line < 1 || place.column < 1 || place.line > lineCount {
                        Issue.record("\(fault) is outside of the file")
                    }
                }
                for line in error.description.split(separator: "\n", omittingEmptySubsequences: false)
                where !line.hasPrefix("error: p.yaml") && !line.hasPrefix("hint: ") {
                    Issue.record("stray line: \(line)")
                }
            }
        }
        // Both kinds are met, or this tests nothing.
        #expect(accepted > 20 && refused > 500)
    }
}
