import Testing

/// Verification with one hole each.
@Suite("Verification with a hole", .timeLimit(.minutes(60)))
struct VerificationTests {
    @Test(
        "a hole in verification is found by its attack, and no other is alleged",
        arguments: try Deserved.clients(
            of: "validation", "go:any-purpose", "go:signatures-only", "go:names-only", "go:error-path",
            "go:error-path-names", "go:pinned-error-path-names", "go:h2-only"))
    func hole(deserved: Deserved) async throws {
        try await deserved.examine()
    }
}
