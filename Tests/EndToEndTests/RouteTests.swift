import Testing

/// Which host a pin belongs to: redirects, and hosts beside the pinned one.
@Suite("Hosts and their pins", .timeLimit(.minutes(60)))
struct RouteTests {
    @Test(
        "a pin that is lost on the way to a host is no pin of that host", arguments: try Deserved.clients(of: "routes"))
    func route(deserved: Deserved) async throws {
        try await deserved.examine()
    }
}
