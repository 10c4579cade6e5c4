import Testing

/// Verification with one hole each.
@Suite("Verification with a hole", .timeLimit(.minutes(60)))
struct VerificationTests {
    @Test(
        "a hole in verification is found by its attack, and no other is alleged",
        arguments: try Deserved.clients(
            of: "validation", "go:any-purpose", "go:signatures-only", "go:names-only", "go:error-path",
            "go:error-path-names", "go:pinned-error-path-names", "go:h2-only", "go:unsigned-key-exchange",
            "go:unsigned-handshake", "go:unsigned-zeros"))
    func hole(deserved: Deserved) async throws {
        try await deserved.examine()
    }

    @Test(
        "an error that is forgiven to what looks like the genuine certificate is found by a copy of it",
        arguments: try Deserved.clients(of: "forgiven"))
    func forgiven(deserved: Deserved) async throws {
        try await deserved.examine()
    }
}
