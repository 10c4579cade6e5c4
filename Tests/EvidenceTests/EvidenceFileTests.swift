import Facts
import TLS
import Testing
import Verdict

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@testable import Gate

/// A run folder as a gate leaves it, without a connection in it.
private func run(_ parent: TemporaryFolder, _ name: String = "run", ended: Bool = true, at: Double = 100) throws
    -> RunFolder
{
    let folder = try RunFolder.create(at: "\(parent.path)/\(name)")
    try folder.write("version: 1\nname: sample\nhosts:\n  api.test: { expect: refuse }\n", as: "profile.yaml")
    let writer = try EvidenceWriter(path: folder.evidence)
    writer.append(.header(sampleHeader()))
    writer.append(.selfTest(SelfTestResult(passed: true, problems: [], ms: 1)))
    writer.append(.trialStarted(TrialStart(trial: 1, attack: .passthrough, variant: nil, only: [], at: at)))
    writer.append(.trialEnded(TrialEnd(trial: 1, exit: 0, seconds: 2, at: 102)))
    if ended { writer.append(.runEnded(RunEnd(interrupted: false, seconds: 3.5, at: 103))) }
    writer.close()
    #expect(writer.fault == nil)
    return folder
}

private func edit(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = Array(try Data(contentsOf: URL(filePath: path)))
    change(&bytes)
    try Data(bytes).write(to: URL(filePath: path))
}

@Test("evidence is read from a run folder and from the file itself, as it was written")
func readBack() throws {
    let parent = try TemporaryFolder()
    let folder = try run(parent)
    let byFolder = try EvidenceFile.read(folder.path)
    #expect(byFolder.evidence.records.map(\.line) == [1, 2, 3, 4, 5])
    #expect(byFolder.evidence.header == sampleHeader())
    #expect(byFolder.remarks.isEmpty)
    #expect(try EvidenceFile.read(folder.evidence).evidence == byFolder.evidence)
}

@Test("evidence that was changed is unusable, whichever line it was")
func tampered() throws {
    let parent = try TemporaryFolder()
    let folder = try run(parent)
    try edit(folder.evidence) { bytes in
        // One digit in line 4, which line 5 vouches for.
        if let at = bytes.firstRange(of: Array("\"seconds\":2".utf8))?.upperBound { bytes[at - 1] = UInt8(ascii: "9") }
    }
    let error = #expect(throws: GateError.self) { try EvidenceFile.read(folder.path) }
    let complaint = try #require(error).complaint
    #expect(complaint.status == .invalid)
    #expect(complaint.description.contains("evidence.jsonl: line 5: does not follow line 4"))
}

@Test("a run that was killed while writing is judged without its last line, and the report says so")
func cutLine() throws {
    let parent = try TemporaryFolder()
    let folder = try run(parent)
    try edit(folder.evidence) { $0.removeLast(10) }
    let file = try EvidenceFile.read(folder.path)
    #expect(file.evidence.records.count == 4)
    #expect(file.remarks.count == 1)
    let judged = try JudgeSession(runs: [folder.path], profile: nil).judged()
    #expect(judged.status == .inconclusive)
    #expect(judged.input.judgement.findings.contains { $0.text.contains("line 5") })
    // The time between its trials, as there is no last line to say it.
    #expect(judged.input.seconds == 2)
}

@Test("what is no evidence, a folder without any, and nothing at all are errors of one line each")
func unreadable() throws {
    let parent = try TemporaryFolder()
    try Data("hello\n".utf8).write(to: URL(filePath: parent.path + "/text"))
    #expect(throws: GateError.self) { try EvidenceFile.read(parent.path + "/text") }
    let missing = "\(parent.path)/evidence.jsonl"
    #expect(throws: GateError.cannotRead(path: missing, reason: "no such file or folder")) {
        try EvidenceFile.read(parent.path)
    }
}

@Test("a run is judged by the profile it keeps; nobody who asked for the host is never a pass")
func judgedAgain() throws {
    let parent = try TemporaryFolder()
    let folder = try run(parent)
    let judged = try JudgeSession(runs: [folder.path], profile: nil).judged()
    #expect(judged.input.profile == "sample")
    #expect(judged.input.judgement.hosts.map(\.verdict) == [.notExercised])
    #expect(judged.status == .inconclusive)
    #expect(judged.input.seconds == 3.5)
    #expect(judged.input.selfTest?.passed == true)
    #expect(throws: Complaint.self) { try JudgeSession(runs: [folder.evidence], profile: nil).judged() }
}

@Test("several runs are summed up as one")
func merged() throws {
    let parent = try TemporaryFolder()
    let paths = [try run(parent, "a").path, try run(parent, "b", at: 200).path]
    let judged = try JudgeSession(runs: paths, profile: nil).judged()
    #expect(judged.input.seconds == 7)
    #expect(judged.input.attacks == [.trustedCA])
    #expect(judged.input.runFolders == paths)
}

@Test("a run that is named twice, or copied, counts once: it is refused")
func sameRunTwice() throws {
    let parent = try TemporaryFolder()
    let paths = [try run(parent, "a").path, try run(parent, "copy-of-a").path]
    let refused = #expect(throws: Complaint.self) { try JudgeSession(runs: paths, profile: nil).judged() }
    #expect(refused?.status == .usage)
}

@Test("the evidence of other runs is kept in the run folder, and found there again")
func controls() throws {
    let parent = try TemporaryFolder()
    let folder = try run(parent)
    let other = try EvidenceFile.read(try run(parent, "other").path)
    try folder.keepControls([other])
    let again = try EvidenceFile.read(folder.path)
    #expect(again.controls == [other.evidence])
    #expect(try parent.names("run/controls") == ["1.jsonl"])
}

@Test("evidence of another run that changes before it is kept is refused")
func changedControl() throws {
    let parent = try TemporaryFolder()
    let folder = try run(parent)
    let other = try EvidenceFile.read(try run(parent, "other").path)
    try edit(other.path) { $0[$0.count - 5] ^= 1 }
    #expect(throws: GateError.cannotRead(path: other.path, reason: "it has changed since it was read first")) {
        try folder.keepControls([other])
    }
}

@Test("reports are written beside one another into a folder that is made, over older ones")
func reports() throws {
    let parent = try TemporaryFolder()
    let judged = try JudgeSession(runs: [try run(parent).path], profile: nil).judged()
    for _ in 1...2 {
        let paths = try judged.write([.json, .junit], to: parent.path + "/new/reports")
        #expect(paths.count == 2)
    }
    #expect(try parent.names("new/reports") == ["junit.xml", "report.json"])
    #expect(try parent.text("new/reports/report.json").contains("\"exit_status\": 2"))
}
