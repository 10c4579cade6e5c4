import Facts
import Testing

@testable import Inspector

@Suite("DoctorReport")
struct DoctorReportTests {
    private let ok = DoctorCheck("proxy", .ok, "it answers")
    private let note = DoctorCheck("trust-curl", .warning, "curl does not trust the CA", todo: "`curl --cacert x`")
    private let wrong = DoctorCheck("proxy", .failed, "nothing listens", todo: "start it")

    @Test("notes end with 0, what is wrong with 1, and what cannot be read with 78")
    func statuses() {
        #expect(DoctorReport([ok, note]).exitStatus == .pass)
        #expect(DoctorReport([ok, note, wrong]).exitStatus == .fail)
        #expect(DoctorReport([ok, wrong], hasUnreadable: true).exitStatus == .configuration)
    }

    @Test("one sentence sums it up")
    func summary() {
        #expect(DoctorReport([ok]).summary == "nothing is in the way")
        #expect(DoctorReport([note, note]).summary == "2 notes")
        #expect(DoctorReport([wrong, note]).summary == "1 thing is wrong and 1 note")
    }

    @Test("as JSON it is a format with a name, and `todo` only where something is to be done")
    func json() throws {
        let json = try JSONValue.parse(Array(DoctorReport([ok, note]).json.utf8))
        #expect(json["format"]?.string == "pinproof.doctor/1")
        let checks = try #require(json["checks"]?.array)
        #expect(checks.map { $0["status"]?.string } == ["ok", "warning"])
        #expect(checks[0].members?.map(\.name) == ["id", "status", "what"])
        #expect(checks[1]["todo"]?.string == "`curl --cacert x`")
    }
}
