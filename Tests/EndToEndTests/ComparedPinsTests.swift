import Testing

/// What a pin is compared with: names, dates, numbers, and the list that the server chooses.
@Suite("What is compared", .timeLimit(.minutes(60)))
struct ComparedPinsTests {
    @Test(
        "a pin on what anybody can copy falls to the copy, and to nothing else",
        arguments: try Deserved.clients(of: "pins", "java:presented-list"))
    func compared(deserved: Deserved) async throws {
        try await deserved.examine()
    }
}
