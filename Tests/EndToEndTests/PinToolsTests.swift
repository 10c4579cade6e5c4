import Foundation
import Support
import Testing

/// What the pin tools make of certificates and keys that others have made.
@Suite("Pin tools", .timeLimit(.minutes(30)))
struct PinToolsTests {
    private func examine(_ exam: String) async throws {
        let exam = Places.repository.appending(path: "Tests/Pins/" + exam).path
        let run = try await Command.run(exam, ["--pinproof", Places.pinproof])
        #expect(run.status == 0, "\(run.output.suffix(4000)) \(run.errors.suffix(2000))")
    }

    @Test("the pins of every kind of key in every wrapping are those of openssl's own pipelines")
    func derived() async throws { try await examine("derived") }

    @Test("servers, files that are no chain, and what is refused")
    func shown() async throws { try await examine("shown") }

    @Test("a gate compares who answers with the profile's pins before it starts anything")
    func environment() async throws { try await examine("environment") }

    @Test("on days to come pins hold, or are off, or it is unclear whether the client took the clock")
    func clocked() async throws { try await examine("clocked") }

    @Test("the commands of docs/pins.md and docs/rehearse.md run as they stand there")
    func documented() async throws { try await examine("documented") }

    @Test("files of every format go round, statuses say what came of them, and hostile ones are bounded")
    func declared() async throws { try await examine("declared") }
}
