import Console
import Evidence
import Facts
import Support
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@testable import Gate

@Test("a run that was killed while writing is judged without its last line, and the report says so")
func cutLine() throws {
    let parent = try TemporaryFolder()
    let folder = try sampleRun(in: parent)
    let bytes = try Data(contentsOf: URL(filePath: folder.evidence))
    try bytes.dropLast(10).write(to: URL(filePath: folder.evidence))
    let judged = try JudgeSession(runs: [folder.path], profile: nil).judged()
    #expect(judged.status == .inconclusive)
    #expect(judged.input.judgement.findings.contains { $0.text.contains("line 5") })
    // The time between its trials, as there is no last line to say it.
    #expect(judged.input.seconds == 2)
}

@Test("a run is judged by the profile it keeps; nobody who asked for the host is never a pass")
func judgedAgain() throws {
    let parent = try TemporaryFolder()
    let folder = try sampleRun(in: parent)
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
    let paths = [try sampleRun(in: parent, "a").path, try sampleRun(in: parent, "b", at: 200).path]
    let judged = try JudgeSession(runs: paths, profile: nil).judged()
    #expect(judged.input.seconds == 7)
    // They set out to try trusted-ca, and did not come to it.
    #expect(judged.input.attacks.isEmpty)
    #expect(judged.input.runFolders == paths)
}

@Test("a run that is named twice, or copied, counts once: it is refused")
func sameRunTwice() throws {
    let parent = try TemporaryFolder()
    let paths = [try sampleRun(in: parent, "a").path, try sampleRun(in: parent, "copy-of-a").path]
    let refused = #expect(throws: Complaint.self) { try JudgeSession(runs: paths, profile: nil).judged() }
    #expect(refused?.status == .usage)
}

@Test("what could not be written is what is shown: the result ends with the same status as the process")
func undelivered() throws {
    let parent = try TemporaryFolder()
    let judged = try JudgeSession(runs: [try sampleRun(in: parent).path], profile: nil).judged()
    var delivery = Delivery()
    #expect(judged.shown(after: delivery).status == judged.status)
    delivery.attempt { try judged.write([.json], to: "/dev/null") }
    let shown = judged.shown(after: delivery)
    #expect(judged.status == .inconclusive && shown.status == .invalid)
    #expect(shown.input.judgement.fault?.contains("/dev/null") == true)
}

@Test("reports are written beside one another into a folder that is made, over older ones")
func reports() throws {
    let parent = try TemporaryFolder()
    let judged = try JudgeSession(runs: [try sampleRun(in: parent).path], profile: nil).judged()
    for _ in 1...2 {
        let paths = try judged.write([.json, .junit], to: parent.path + "/new/reports")
        #expect(paths.count == 2)
    }
    #expect(try parent.names("new/reports") == ["junit.xml", "report.json"])
    #expect(try parent.text("new/reports/report.json").contains("\"exit_status\": 2"))
}
