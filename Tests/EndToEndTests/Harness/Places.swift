import Foundation

/// Where the tests find what they drive.
enum Places {
    static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let clients = repository.appending(path: "Tests/Clients")

    /// Every client in every test, and not one of each kind: `make test-all`, every night.
    static let testsAll = ProcessInfo.processInfo.environment["PINPROOF_TESTS"] == "all"

    /// The program that was built with these tests: it lies beside their bundle. `PINPROOF` names another one.
    static let pinproof: String = {
        if let named = ProcessInfo.processInfo.environment["PINPROOF"] { return named }
        for argument in CommandLine.arguments {
            guard let bundle = argument.range(of: #"[^/]*\.xctest"#, options: .regularExpression) else { continue }
            return String(argument[..<bundle.lowerBound]) + "pinproof"
        }
        return repository.appending(path: ".build/debug/pinproof").path
    }()

    /// Runs `body` in a new folder, which goes away afterwards; `PINPROOF_KEEP` keeps it for a look.
    static func withFolder<T>(
        isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> T
    ) async throws -> T {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pinproof-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            if ProcessInfo.processInfo.environment["PINPROOF_KEEP"] == nil {
                try? FileManager.default.removeItem(at: folder)
            }
        }
        return try await body(folder)
    }

    /// `p.yaml`, with one host that is to refuse and that nobody needs to reach.
    static func writeSmallProfile(into folder: URL) throws {
        try "version: 1\nname: small\nhosts:\n  api.test: { expect: refuse }\n".write(
            to: folder.appending(path: "p.yaml"), atomically: true, encoding: .utf8)
    }
}
