import Facts
import Loop

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Asks the clients that are installed what they make of the CA, a few at a time.
struct TrustInquiry: Sendable {
    var proxy: Endpoint
    var runner: ProgramRunner
    var hasGoodDates: Bool
    /// Of the CA's root; what Java's store is searched for where Java cannot run sources.
    var sha256: String?

    /// Each starts a runtime, and some a compiler: more would only wait for one another.
    private static let atOnce = 3

    /// The name and the answer of each, in the order in which they were given.
    func ask(_ clients: (_ folder: String) -> [TrustClient]) async -> [(client: TrustClient, answer: TrustAnswer)] {
        let folder = FileManager.default.temporaryDirectory.path + "/pinproof-doctor-\(UUID().uuidString)"
        let clients = clients(folder)
        // What cannot be written, those who need it say.
        try? FileTree.makeFolder(folder, mode: 0o700)
        for source in clients.compactMap(\.source) {
            try? Files.writeAtomically(source.text.utf8, to: "\(folder)/\(source.name)")
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let answers = await withTaskGroup(of: (Int, TrustAnswer).self) { tasks in
            var answers: [Int: TrustAnswer] = [:]
            for (index, client) in clients.enumerated() {
                if index >= Self.atOnce, let (done, answer) = await tasks.next() { answers[done] = answer }
                tasks.addTask { (index, await self.answer(of: client)) }
            }
            for await (done, answer) in tasks { answers[done] = answer }
            return answers
        }
        return clients.enumerated().map { ($1, answers[$0] ?? .unknown("it was not asked")) }
    }

    private func answer(of client: TrustClient) async -> TrustAnswer {
        guard let path = runner.path(of: client.program) else { return .absent }
        let environment = TrustClient.cleared.merging(client.environment) { $1 }
        switch await runner.run(path, client.arguments, environment: environment, seconds: client.limit) {
        case .tookTooLong:
            let again = client.limit > TrustClient.patience ? "; the next time it may have compiled what it needs" : ""
            return .unknown("it was not done after \(Int(client.limit)) s" + again)
        case .failed: return .unknown("it could not be run")
        case .ended(let run):
            if client.id == "java", JavaStore.isWithoutCompiler(run) { return await askJavaStore() }
            return TrustAnswer(run, client.reading, hasGoodDates: hasGoodDates)
        }
    }

    /// A runtime without a compiler runs no sources: its store says what it trusts.
    private func askJavaStore() async -> TrustAnswer {
        guard let path = runner.path(of: "keytool"), let sha256,
            case .ended(let run) = await runner.run(
                path, ["-list", "-cacerts", "-storepass", "changeit"], seconds: TrustClient.patience), run.exit == 0
        else { return .unknown("this Java runs no sources, and its store cannot be read with keytool") }
        return JavaStore.holds(sha256, listing: run.output) ? .trusted : .notTrusted
    }
}

/// What Java trusts where nothing else is said.
enum JavaStore {
    static func isWithoutCompiler(_ run: ProgramRun) -> Bool {
        guard run.exit != 0, !run.output.contains("answer ") else { return false }
        let words = run.output + run.errors
        return words.contains("jdk.compiler") || words.contains("Could not find or load main class")
    }

    /// `Certificate fingerprint (SHA-256): AB:CD:…` of `keytool -list`.
    static func holds(_ sha256: String, listing: String) -> Bool {
        listing.split(whereSeparator: \.isNewline).contains { line in
            guard let start = line.range(of: "SHA-256") else { return false }
            return line[start.upperBound...].lowercased().filter(\.isHexDigit) == sha256
        }
    }
}
