import Loop
import Subprocess

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// Runs other people's programs to their end, or not for longer than they may take.
struct ProgramRunner: Sendable {
    /// What became of one.
    enum Result: Hashable, Sendable {
        case ended(ProgramRun)
        case tookTooLong
        /// The system did not start it, or it said more than anybody reads.
        case failed
    }

    var environment: [String: String]

    /// Bytes of each stream: what a client says of a certificate is some lines.
    private static let outputLimit = 256 << 10

    /// Its path; nil where it is not installed.
    func path(of program: String) -> String? {
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.lazy.map { "\($0)/\(program)" }.first {
            !Files.isFolder($0) && FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    /// In a session of its own: it can ask nobody for a password, and what it started is ended with it.
    func run(
        _ path: String, _ arguments: [String], environment: [String: String?] = [:], seconds: Double
    ) async -> Result {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [
            .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .milliseconds(500))
        ]
        var updates: [Environment.Key: String?] = [:]
        for (name, value) in environment { if let key = Environment.Key(rawValue: name) { updates[key] = value } }
        let configuration = Configuration(
            executable: .path(FilePath(path)), arguments: Arguments(arguments),
            environment: .inherit.updating(updates), platformOptions: options)
        return await withTaskGroup(of: Result.self) { tasks in
            tasks.addTask {
                do {
                    let result = try await Subprocess.run(
                        configuration, input: .none, output: .string(limit: Self.outputLimit),
                        error: .string(limit: Self.outputLimit))
                    let exit =
                        switch result.terminationStatus {
                        case .exited(let code): Int(code)
                        case .signaled(let number): 128 + Int(number)
                        }
                    return .ended(
                        ProgramRun(exit: exit, output: result.standardOutput, errors: result.standardError))
                } catch {
                    return .failed
                }
            }
            tasks.addTask {
                try? await Task.sleep(for: .seconds(seconds))
                return .tookTooLong
            }
            defer { tasks.cancelAll() }
            return await tasks.next() ?? .failed
        }
    }
}
