import Foundation
import Support
import Testing

/// With few files allowed every end is a verdict or a clear word, and never a host's failure.
@Suite("Scarce descriptors", .timeLimit(.minutes(10)))
struct ScarceDescriptorsTests {
    /// From where the program can just be loaded to where it has enough.
    static let limits = [8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 40, 44, 48, 52, 53, 56, 60, 64]

    private static func run(_ arguments: [String], limit: Int, in folder: URL) async throws -> Command {
        try await Command.run(
            "/bin/sh", ["-c", "ulimit -n \(limit); exec \(quoted([Places.pinproof] + arguments))"], in: folder)
    }

    private func expectClear(_ run: Command, limit: Int) {
        guard run.status == 3 else { return }
        #expect(run.errors.hasPrefix("error: too few files may be open: "), "\(limit): \(run.errors)")
        #expect(run.errors.contains("hint: ulimit -n"), "\(limit): \(run.errors)")
        #expect(!run.errors.contains("root"), "\(limit): \(run.errors)")
    }

    @Test("a gate says what it lacks, or runs to its verdict")
    func gate() async throws {
        try await Places.withFolder { folder in
            try Places.writeSmallProfile(into: folder)
            for limit in Self.limits {
                let run = try await Self.run(
                    ["gate", "p.yaml", "--attacks", "quick", "--cold-starts", "1", "--out", "run-\(limit)"]
                        + ["--ephemeral-ca", "-q", "--", "true"], limit: limit, in: folder)
                // Nobody asked for the host: inconclusive.
                #expect([2, 3].contains(run.status), "\(limit): \(run.status) \(run.errors)")
                #expect(limit < 60 || run.status == 2, "\(limit): \(run.errors)")
                expectClear(run, limit: limit)
                let isThere = FileManager.default.fileExists(atPath: folder.appending(path: "run-\(limit)").path)
                #expect(isThere == (run.status == 2), "a run that cannot be leaves nothing behind (\(limit))")
            }
        }
    }

    @Test("the demo and the debugging proxy do as well", arguments: [8, 16, 24, 32, 40])
    func others(limit: Int) async throws {
        try await Places.withFolder { folder in
            for arguments in [["demo"], ["proxy", "--loops", "4", "--listen", "127.0.0.1:0", "--no-ui"]] {
                let run = try await Self.run(arguments, limit: limit, in: folder)
                #expect(run.status == 3, "\(arguments) \(limit): \(run.status) \(run.errors)")
                expectClear(run, limit: limit)
            }
        }
    }

    @Test("a run whose descriptors are gone when COMMAND is to start ends without a verdict")
    func goneLater() async throws {
        try await Places.withFolder { folder in
            try Places.writeSmallProfile(into: folder)
            // COMMAND takes the gate's own limit away from under it.
            let run = try await Command.run(
                Places.pinproof,
                ["gate", "p.yaml", "--attacks", "quick", "--cold-starts", "1", "--out", "run", "--ephemeral-ca", "-q"]
                    + ["--", "sh", "-c", "prlimit --nofile=36 --pid $PPID"], in: folder)
            #expect(run.status == 3, "\(run.errors) \(run.output)")
            #expect("\(run.errors)\(run.output)".contains("too many open files"), "\(run.errors) \(run.output)")
        }
    }
}
