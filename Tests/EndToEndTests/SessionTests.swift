import Testing

/// Resumed sessions, kept by six stacks.
@Suite("Sessions that are resumed", .timeLimit(.minutes(60)))
struct SessionTests {
    @Test(
        "a pin that resumed sessions get around is found out, and one that they do not is proven",
        arguments: try Deserved.clients(of: "sessions", "node:sessions", "go:session-cache", "java:okhttp-sessions"))
    func session(deserved: Deserved) async throws {
        try await deserved.examine()
    }
}
