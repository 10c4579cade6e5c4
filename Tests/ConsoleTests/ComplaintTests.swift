import Loop
import Profiles
import Report
import TLS
import Testing

@testable import Gate

@Test("an unusable profile is 78, with every mistake and its place")
func profileErrors() throws {
    let error = #expect(throws: ProfileErrors.self) {
        try ProfileLoader.parse(text: "version: 1\nhots: {}\nothers: maybe\n", path: "p.yaml")
    }
    let complaint = Complaint(try #require(error))
    #expect(complaint.status == .configuration)
    #expect(complaint.description.contains("error: p.yaml:2:1: unknown key \"hots\""))
    #expect(complaint.description.contains("hint: did you mean \"hosts\"?"))
    #expect(complaint.description.contains("error: p.yaml:3:"))
    #expect(!complaint.description.contains("error: error"))
}

@Test("an unusable CA is 78, wrong words on the command line are 64, the rest is the environment's 3")
func statusOfModules() throws {
    let ca = CAError(.permissions, "ca/key: others can read it", hint: "chmod 600 ca/key")
    #expect(Complaint(ca).status == .configuration)
    #expect(Complaint(ca).description == "error: ca/key: others can read it\nhint: chmod 600 ca/key")
    #expect(Complaint(AttackWordFault.none).status == .usage)
    #expect(Complaint(ReportError.unknownFormat("pdf")).status == .usage)
    #expect(Complaint(ReportError.unknownFormat("pdf")).description.hasPrefix("error: --format: unknown report format"))
    #expect(Complaint(SystemError("socket", EMFILE)).status == .invalid)
    #expect(Complaint(GateError.notAFolder("x")).status == .usage)
    struct Odd: Error {}
    #expect(Complaint(Odd()).status == .invalid)
}

@Test("a complaint that was made once passes through as it is")
func passesThrough() {
    let complaint = Complaint("x", hints: ["y"], status: .configuration)
    #expect(Complaint(complaint as any Error) == complaint)
}
