import Testing

/// When a sound check runs: on another connection, another time, or too late.
@Suite("When it is looked at", .timeLimit(.minutes(60)))
struct CheckedMomentsTests {
    @Test("a check that does not run where it matters is no check", arguments: try Deserved.clients(of: "moments"))
    func moment(deserved: Deserved) async throws {
        try await deserved.examine()
    }
}
