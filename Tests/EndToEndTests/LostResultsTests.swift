import Foundation
import Support
import Testing

#if os(Linux)
    /// What could not be told must not look like a success.
    @Suite("Lost results", .timeLimit(.minutes(30)))
    struct LostResultsTests {
        private static func run(_ arguments: [String], _ redirection: String = "", in folder: URL) async throws
            -> Command
        {
            try await Command.run(
                "/bin/sh", ["-c", "exec \(quoted([Places.pinproof] + arguments)) \(redirection)"], in: folder)
        }

        private static func withProfile(_ body: (URL) async throws -> Void) async throws {
            try await Places.withFolder { folder in
                try Places.writeSmallProfile(into: folder)
                try await body(folder)
            }
        }

        static let gate = ["gate", "p.yaml", "--attacks", "quick", "--cold-starts", "1", "--ephemeral-ca"]

        @Test("stdout that is full is an error with its words and status 3, whatever was to be told")
        func fullStdout() async throws {
            try await Self.withProfile { folder in
                let made = try await Self.run(["ca", "init", "--ca", "ca"], in: folder)
                #expect(made.status == 0, "\(made.errors)")
                let ran = try await Self.run(Self.gate + ["--out", "run", "--", "true"], in: folder)
                #expect(ran.status == 2, "\(ran.errors)")
                let told: [[String]] = [
                    ["--help"], ["ca", "show", "--ca", "ca"], ["ca", "export", "--ca", "ca", "--out", "device"],
                    ["gate", "p.yaml", "--plan"], ["judge", "run"], ["judge", "run", "--json"],
                    Self.gate + ["--out", "again", "--json", "--", "true"], ["demo"],
                ]
                for arguments in told {
                    let run = try await Self.run(arguments, "> /dev/full", in: folder)
                    #expect(run.status == 3, "\(arguments): \(run.status) \(run.errors)")
                    #expect(
                        run.errors.contains("error: stdout: the result cannot be written: no space left on device"),
                        "\(arguments): \(run.errors)")
                }
                // What could be written was written.
                #expect(FileManager.default.fileExists(atPath: folder.appending(path: "again/report.json").path))
            }
        }

        @Test("a report, a baseline or a ready file that cannot be written is told, and the others are written")
        func unwrittenFiles() async throws {
            try await Self.withProfile { folder in
                let inTheWay = "mkdir -p \"$PINPROOF_RUN/report.json/x\""
                let report = try await Self.run(
                    Self.gate + ["--out", "run", "--write-baseline", "known.json", "--", "sh", "-c", inTheWay],
                    in: folder)
                #expect(report.status == 3 && report.errors.contains("report.json: cannot write"), "\(report.errors)")
                #expect(report.output.contains("result:"), "the table is told all the same: \(report.output)")
                #expect(FileManager.default.fileExists(atPath: folder.appending(path: "known.json").path))

                for option in ["--write-baseline", "--ready-file"] {
                    let run = try await Self.run(
                        Self.gate + ["--out", "full\(option)", option, "/dev/full", "--", "true"], in: folder)
                    #expect(run.status == 3, "\(option): \(run.status) \(run.errors)")
                    #expect(run.errors.contains("/dev/full: cannot write: no space left on device"), "\(run.errors)")
                }
                #expect(
                    try FileManager.default.attributesOfItem(atPath: "/dev/full")[.type] as? FileAttributeType
                        == .typeCharacterSpecial)
            }
        }
    }
#endif
