import Foundation
import FuzzSubjects
import Testing

/// Every input that fuzzing starts from, and every one that it has found, without a fuzzer.
@Suite("Inputs of fuzzing")
struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fuzz/Corpora")

    private func inputs(of name: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: Self.folder.appending(path: name), includingPropertiesForKeys: nil
        )
        .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    @Test("each holds what has to hold", arguments: FuzzSubject.all.map(\.name))
    func each(name: String) throws {
        let subject = try #require(FuzzSubject.named(name))
        let inputs = try inputs(of: name)
        #expect(!inputs.isEmpty)
        for input in inputs {
            do {
                try subject.check(Array(try Data(contentsOf: input)))
            } catch {
                Issue.record("\(name)/\(input.lastPathComponent): \(error)")
            }
        }
    }

    @Test("nothing, single bytes and a repeated one are no trouble for any", arguments: FuzzSubject.all.map(\.name))
    func small(name: String) throws {
        let subject = try #require(FuzzSubject.named(name))
        try subject.check([])
        for byte in UInt8.min...UInt8.max { try subject.check([byte]) }
        for byte: UInt8 in [0, 10, 0x30, 0x5b, 0x7b, 0x80, 0xff] {
            try subject.check([UInt8](repeating: byte, count: 600))
        }
    }

    @Test("every folder belongs to a subject")
    func folders() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(folders.sorted() == FuzzSubject.all.map(\.name).sorted())
    }
}
