import Foundation
import Subprocess

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// One run of a program: what it was ended with, and what it said.
package struct Command: Sendable {
    /// Enough for any report; more would be a fault worth failing for.
    package static let outputLimit = 4 << 20

    package var status: Int32
    package var output: String
    package var errors: String

    package struct TookTooLong: Error, CustomStringConvertible {
        package var description: String
    }

    /// Whether a program is installed; a test that needs it is shown as skipped where it is not.
    package static func isInstalled(_ program: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }

    /// Runs a program to its end. One that is not done after `limit` is ended, with everything it started.
    ///
    /// - Parameter input: What it may read, at most what a pipe holds (64 KiB); nothing by default.
    package static func run(
        _ program: String, _ arguments: [String], in folder: URL? = nil, input: String = "",
        limit: Duration = .seconds(280)
    ) async throws -> Command {
        let configuration = Configuration(
            executable: program.contains("/") ? .path(.init(program)) : .name(program),
            arguments: Arguments(arguments), workingDirectory: folder.map { .init($0.path) },
            platformOptions: ownSession)
        return try await within(limit, "\(program) \(arguments.joined(separator: " "))") {
            // Written and closed beforehand, so that a program that is gone already breaks no pipe.
            let pipe = try FileDescriptor.pipe()
            try pipe.writeEnd.closeAfter { _ = try pipe.writeEnd.writeAll(input.utf8) }
            let result = try await Subprocess.run(
                configuration, input: .fileDescriptor(pipe.readEnd, closeAfterSpawningProcess: true),
                output: .string(limit: outputLimit), error: .string(limit: outputLimit))
            return Command(
                status: result.terminationStatus.code, output: result.standardOutput, errors: result.standardError)
        }
    }

    /// A session of its own: what a program leaves behind is ended with it, and the test runner is not.
    package static var ownSession: PlatformOptions {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [
            .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(2))
        ]
        return options
    }

    /// How many times as long everything may take: under a sanitizer, where thousands of tests share few threads, a program
    /// that was done at once may be heard of minutes later.
    private static let patience = Double(ProcessInfo.processInfo.environment["PINPROOF_TEST_PATIENCE"] ?? "") ?? 1

    private static func within<T: Sendable>(
        _ limit: Duration, _ what: String, _ body: @Sendable @escaping () async throws -> T
    ) async throws -> T {
        try await withThrowingTaskGroup(of: T?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: limit * patience)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let result = first else {
                throw TookTooLong(description: "not done after \(limit * patience): \(what)")
            }
            return result
        }
    }
}

extension TerminationStatus {
    /// As a shell says it: 128 and the number for a signal.
    package var code: Int32 {
        switch self {
        case .exited(let code): code
        case .signaled(let signal): 128 + signal
        }
    }
}
