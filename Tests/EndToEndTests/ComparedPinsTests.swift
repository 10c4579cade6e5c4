import Testing

/// What a pin is compared with: names, dates, numbers, and the list that the server chooses; and what it depends on whether
/// there is a pin at all.
@Suite("What is compared", .timeLimit(.minutes(60)))
struct ComparedPinsTests {
    @Test(
        "a pin on what anybody can copy falls to the copy, and to nothing else",
        arguments: try Deserved.clients(of: "pins", "java:presented-list").filter { $0.ca == nil })
    func compared(deserved: Deserved) async throws {
        try await deserved.examine()
    }

    @Test(
        "a pin that is looked up by what a certificate says of itself is missed where that says something else",
        arguments: try Deserved.clients(of: "lookups"))
    func lookedUp(deserved: Deserved) async throws {
        try await deserved.examine()
    }

    @Test(
        "a pin on the root's name falls to a CA of that name, and a sound one is proven under it",
        arguments: try Deserved.clients(of: "pins", "curl", "node", "java:okhttp", "go", "gnutls", "erlang").filter {
            $0.ca == "like"
        })
    func underANamesake(deserved: Deserved) async throws {
        try await deserved.examine()
    }
}
