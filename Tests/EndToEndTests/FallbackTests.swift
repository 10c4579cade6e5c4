import Testing

/// What a client does when it was refused, or refuses.
@Suite("After a refusal", .timeLimit(.minutes(60)))
struct FallbackTests {
    @Test(
        "a refusal that is followed by another road is told from one that is not",
        arguments: try Deserved.clients(of: "fallbacks"))
    func fallback(deserved: Deserved) async throws {
        try await deserved.examine()
    }
}
