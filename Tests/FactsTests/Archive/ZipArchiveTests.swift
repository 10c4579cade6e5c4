import Testing

@testable import Facts

@Suite("ZIP archives")
struct ZipArchiveTests {
    private struct File {
        var name: String
        var bytes: [UInt8]
        var method = 0
        var flags = 0
        var size: Int?
        /// Of another member's header.
        var offset: Int?
    }

    private static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(number >> (8 * $0) & 255) }
    }

    private static func zip(_ files: [File], count: Int? = nil, comment: [UInt8] = []) -> [UInt8] {
        var out: [UInt8] = []
        var directory: [UInt8] = []
        for file in files {
            let name = Array(file.name.utf8)
            let common =
                little(file.flags, 2) + little(file.method, 2) + little(0, 8) + little(file.bytes.count, 4)
                + little(file.size ?? file.bytes.count, 4) + little(name.count, 2)
            directory +=
                [0x50, 0x4b, 1, 2, 20, 0, 20, 0] + common + little(0, 12) + little(file.offset ?? out.count, 4)
            directory += name
            // The extra field of its own header is known there alone.
            out += [0x50, 0x4b, 3, 4, 20, 0] + common + little(4, 2) + name + [1, 2, 3, 4] + file.bytes
        }
        let number = little(count ?? files.count, 2)
        return out + directory + [0x50, 0x4b, 5, 6, 0, 0, 0, 0] + number + number + little(directory.count, 4)
            + little(out.count, 4) + little(comment.count, 2) + comment
    }

    /// Not really: each byte twice.
    private static func inflate(_ limit: Int) -> ZipArchive.InflateStep {
        var left = limit
        return { packed in
            let out = packed.flatMap { [$0, $0] }
            left -= out.count
            return left >= 0 ? out : nil
        }
    }

    private func fault(_ bytes: [UInt8]) -> String? {
        do {
            let archive = try ZipArchive(bytes)
            for member in archive.members { _ = try archive.content(of: member, inflate: Self.inflate) }
            return nil
        } catch {
            return error.message
        }
    }

    @Test("stored and deflated members are read by the directory, and nothing else of the file is")
    func members() throws {
        let bytes = Self.zip(
            [
                File(name: "a", bytes: Array(repeating: 7, count: 200_000)),
                File(name: "b/ä.txt", bytes: [1, 2], method: 8, size: 4), File(name: "dir/", bytes: []),
            ], comment: Array("PK\u{5}\u{6} is in the comment".utf8))
        var read = 0
        let archive = try ZipArchive(size: bytes.count) { offset, count in
            read += count
            return Array(bytes[offset..<min(bytes.count, offset + count)])
        }
        #expect(archive.members.map(\.name) == ["a", "b/ä.txt", "dir/"])
        let member = try #require(archive["b/ä.txt"])
        #expect(try archive.content(of: member, inflate: Self.inflate) == [1, 1, 2, 2])
        #expect(archive["c"] == nil)
        #expect(read < 66_000)
        #expect(try archive.content(of: archive.members[0], inflate: Self.inflate).count == 200_000)
    }

    @Test("a large member comes in pieces, until it ends or no more is wanted")
    func pieces() throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let files = [File(name: "a", bytes: bytes), File(name: "b", bytes: bytes, method: 8, size: 200_000)]
        var read = 0
        let whole = Self.zip(files)
        let archive = try ZipArchive(size: whole.count) { offset, count in
            read += count
            return Array(whole[offset..<min(whole.count, offset + count)])
        }
        for (index, expected) in [bytes, bytes.flatMap { [$0, $0] }].enumerated() {
            let member = archive.members[index]
            var pieces: [[UInt8]] = []
            try archive.pieces(of: member, inflate: Self.inflate) { piece in
                pieces.append(piece)
                return true
            }
            #expect(pieces.count > 3 && pieces.flatMap(\.self) == expected)
            read = 0
            try archive.pieces(of: member, inflate: Self.inflate) { _ in false }
            #expect(read < 20_000)
        }
        let cut = try ZipArchive(Self.zip([File(name: "a", bytes: bytes, method: 8, size: 150_000)]))
        var count = 0
        #expect(throws: ZipFault("it cannot be inflated", member: "a")) {
            try cut.pieces(of: cut.members[0], inflate: Self.inflate) { piece in
                count += piece.count
                return true
            }
        }
        #expect(count <= 150_000)
    }

    @Test("what readers understand differently, or cannot read, is told in one line")
    func refused() throws {
        let a = File(name: "a", bytes: [1])
        let cases: [([UInt8], String)] = [
            (Self.zip([a, a]), "a: it is in the archive twice, and readers differ in which one counts"),
            (Self.zip([a, File(name: "b", bytes: [2], offset: 0)]), "b: it lies over a in the archive"),
            (Self.zip([File(name: "a", bytes: [1], offset: 4000)]), "a: the archive ends within it"),
            (Self.zip([File(name: "a", bytes: [1], offset: 3)]), "a: it is not where the archive's directory says"),
            (Self.zip([File(name: "a", bytes: [1], flags: 1)]), "a: it is encrypted: save it without a password"),
            (Self.zip([File(name: "a", bytes: [1], method: 99)]), "a: it is encrypted: save it without a password"),
            (
                Self.zip([File(name: "a", bytes: [1], method: 12)]),
                "a: it is packed by method 12, and only deflate is known"
            ),
            (Self.zip([File(name: "a", bytes: [1], method: 8, size: 3)]), "a: it cannot be inflated"),
            (Self.zip([File(name: "a", bytes: [1], size: 3)]), "a: it is stored, but not as long as it says"),
            (
                Self.zip([File(name: "a", bytes: [1], method: 8, size: 257 << 20)]),
                "a: it has more than 256 MB, the most that is read of one"
            ),
            (
                Self.zip([File(name: "a", bytes: [1], size: 0xffff_ffff)]),
                "it is a ZIP64 archive, beyond 4 GB or 65535 files, which is not read"
            ),
            (Self.zip([a], count: 0), "the archive's directory has 1 file, and its end says 0"),
            (Self.zip([a], count: 2), "the archive's directory has 1 file, and its end says 2"),
            ([], "this is no ZIP archive, or its end is missing"),
            (Self.zip([a]) + [0], "this is no ZIP archive, or its end is missing"),
            (
                Self.zip([File(name: "a\u{1b}[2J\n", bytes: [1], method: 12)]),
                "a\\u{1b}[2J\\u{a}: it is packed by method 12, and only deflate is known"
            ),
        ]
        for (bytes, message) in cases { #expect(fault(bytes) == message) }
        #expect(fault(Self.zip([a])) == nil)
    }

    @Test("an archive cut anywhere is refused, and one with a byte changed does not trap")
    func hostile() {
        let whole = Self.zip([File(name: "a", bytes: [1, 2, 3]), File(name: "b", bytes: [4], method: 8, size: 2)])
        for count in 0..<whole.count { #expect(fault(Array(whole[..<count])) != nil) }
        for index in whole.indices {
            for byte in [0, 0x7f, 0xff] as [UInt8] {
                var changed = whole
                changed[index] = byte
                _ = fault(changed)
            }
        }
    }
}
