import Foundation
import Subprocess
import Synchronization

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
    /// The limit is for one that hangs: among thousands of tests it takes minutes until this is told that a program has ended.
    ///
    /// - Parameter input: What it may read, at most what a pipe holds (64 KiB); nothing by default.
    package static func run(
        _ program: String, _ arguments: [String], in folder: URL? = nil, input: String = "",
        limit: Duration = .seconds(900)
    ) async throws -> Command {
        let configuration = Configuration(
            executable: program.contains("/") ? .path(.init(program)) : .name(program),
            arguments: Arguments(arguments), workingDirectory: folder.map { .init($0.path) },
            platformOptions: ownSession)
        let heard = Heard()
        return try await within(limit, "\(program) \(arguments.joined(separator: " "))", heard) {
            // Written and closed beforehand, so that a program that is gone already breaks no pipe.
            let pipe = try FileDescriptor.pipe()
            try pipe.writeEnd.closeAfter { _ = try pipe.writeEnd.writeAll(input.utf8) }
            let result = try await Subprocess.run(
                configuration, input: .fileDescriptor(pipe.readEnd, closeAfterSpawningProcess: true),
                output: .sequence, error: .sequence
            ) { execution in
                async let output: Void = heard.listen(to: execution.standardOutput, \.output)
                async let errors: Void = heard.listen(to: execution.standardError, \.errors)
                _ = try await (output, errors)
            }
            let (output, errors) = heard.words
            return Command(status: result.terminationStatus.code, output: output, errors: errors)
        }
    }

    /// What a program has said so far: of one that is not done in time, that is all there is to find the reason by.
    private final class Heard: Sendable {
        struct Bytes {
            var output: [UInt8] = []
            var errors: [UInt8] = []
        }

        private let bytes = Mutex(Bytes())

        var words: (output: String, errors: String) {
            bytes.withLock { (String(decoding: $0.output, as: UTF8.self), String(decoding: $0.errors, as: UTF8.self)) }
        }

        func listen(
            to pieces: SubprocessOutputSequence, _ side: any WritableKeyPath<Bytes, [UInt8]> & Sendable
        ) async throws {
            for try await piece in pieces {
                let isTooMuch = bytes.withLock { bytes in
                    unsafe piece.withUnsafeBytes { unsafe bytes[keyPath: side].append(contentsOf: $0) }
                    return bytes[keyPath: side].count > Command.outputLimit
                }
                if isTooMuch { throw SaidTooMuch() }
            }
        }
    }

    package struct SaidTooMuch: Error {}

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
        _ limit: Duration, _ what: String, _ heard: Heard, _ body: @Sendable @escaping () async throws -> T
    ) async throws -> T {
        try await withThrowingTaskGroup(of: T?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: limit * patience)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let result = first else {
                let (output, errors) = heard.words
                throw TookTooLong(
                    description:
                        "not done after \(limit * patience): \(what)\n\(output.suffix(2000))\n\(errors.suffix(2000))")
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
