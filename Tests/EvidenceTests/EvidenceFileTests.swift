import Facts
import Loop
import Support
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@testable import Evidence

private func edit(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = Array(try Data(contentsOf: URL(filePath: path)))
    change(&bytes)
    try Data(bytes).write(to: URL(filePath: path))
}

@Test("evidence is read from a run folder and from the file itself, as it was written")
func readBack() throws {
    let parent = try TemporaryFolder()
    let folder = try sampleRun(in: parent)
    let byFolder = try EvidenceFile.read(folder.path)
    #expect(byFolder.evidence.records.map(\.line) == [1, 2, 3, 4, 5])
    #expect(byFolder.evidence.header == sampleHeader())
    #expect(byFolder.remarks.isEmpty)
    #expect(try EvidenceFile.read(folder.evidence).evidence == byFolder.evidence)
}

@Test("evidence that was changed is unusable, whichever line it was")
func tampered() throws {
    let parent = try TemporaryFolder()
    let folder = try sampleRun(in: parent)
    try edit(folder.evidence) { bytes in
        // One digit in line 4, which line 5 vouches for.
        if let at = bytes.firstRange(of: Array("\"seconds\":2".utf8))?.upperBound { bytes[at - 1] = UInt8(ascii: "9") }
    }
    let error = try #require(throws: RunFolderError.self) { try EvidenceFile.read(folder.path) }
    #expect(error.cause == .environment)
    #expect(error.description.contains("evidence.jsonl: line 5: does not follow line 4"))
}

@Test("a run that was killed while writing is read without its last line, and that is remarked")
func cutLine() throws {
    let parent = try TemporaryFolder()
    let folder = try sampleRun(in: parent)
    try edit(folder.evidence) { $0.removeLast(10) }
    let file = try EvidenceFile.read(folder.path)
    #expect(file.evidence.records.count == 4)
    #expect(file.remarks.count == 1)
}

@Test("what is no evidence, a folder without any, and nothing at all are errors of one line each")
func unreadable() throws {
    let parent = try TemporaryFolder()
    try Data("hello\n".utf8).write(to: URL(filePath: parent.path + "/text"))
    try Data("{\n  \"schema\": \"pinproof.report/1\"\n}\n".utf8).write(to: URL(filePath: parent.path + "/report.json"))
    for name in ["text", "report.json"] {
        let path = "\(parent.path)/\(name)"
        #expect(throws: RunFolderError.noEvidence(path)) { try EvidenceFile.read(path) }
    }
    // By its name it is evidence, and damaged: the folder would be read from it as well.
    try Data("hello\n".utf8).write(to: URL(filePath: parent.path + "/evidence.jsonl"))
    for path in ["\(parent.path)/evidence.jsonl", parent.path] {
        #expect {
            try EvidenceFile.read(path)
        } throws: { error in
            guard case .unusableEvidence? = error as? RunFolderError else { return false }
            return true
        }
    }
    try FileManager.default.removeItem(atPath: parent.path + "/evidence.jsonl")
    #expect(RunFolderError.noEvidence("p.yaml").explanations.count == 1)
    let missing = "\(parent.path)/evidence.jsonl"
    #expect(throws: FileError.cannotRead(path: missing, reason: "no such file or folder")) {
        try EvidenceFile.read(parent.path)
    }
}

@Test("the evidence of other runs is kept in the run folder, and found there again")
func controls() throws {
    let parent = try TemporaryFolder()
    let folder = try sampleRun(in: parent)
    let other = try EvidenceFile.read(try sampleRun(in: parent, "other").path)
    try folder.keepControls([other])
    let again = try EvidenceFile.read(folder.path)
    #expect(again.controls == [other.evidence])
    #expect(try parent.names("run/controls") == ["1.jsonl"])
}

@Test("evidence of another run that changes before it is kept is refused")
func changedControl() throws {
    let parent = try TemporaryFolder()
    let folder = try sampleRun(in: parent)
    let other = try EvidenceFile.read(try sampleRun(in: parent, "other").path)
    try edit(other.path) { $0[$0.count - 5] ^= 1 }
    #expect(throws: FileError.cannotRead(path: other.path, reason: "it has changed since it was read first")) {
        try folder.keepControls([other])
    }
}
