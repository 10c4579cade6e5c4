import Testing

/// Sound clients that look like something else, and sound ones without a pin.
@Suite("Sound clients", .timeLimit(.minutes(60)))
struct HabitTests {
    @Test(
        "a sound pin is proven, whatever the habits of its client",
        arguments: try Deserved.clients(of: "habits", "curl:cert-status"))
    func habit(deserved: Deserved) async throws {
        try await deserved.examine()
    }

    @Test(
        "a sound client without a pin falls for valid chains, and for no broken one",
        arguments: try Deserved.clients(of: "go", "python-ssl").filter {
            // Not the ways of these clients.
            !$0.isPinned && !$0.client.contains(":")
        })
    func clean(deserved: Deserved) async throws {
        try await deserved.examine()
    }
}
