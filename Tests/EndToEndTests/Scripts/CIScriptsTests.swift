import Foundation
import Support
import Testing

/// What CI systems run (ci/), with a stand-in for pinproof and for what GitHub gives a step.
@Suite("CI scripts", .timeLimit(.minutes(30)))
struct CIScriptsTests {
    private static let gate = Places.repository.appending(path: "ci/gate.sh").path
    private static let provide = Places.repository.appending(path: "ci/provide.sh").path

    /// Notes its arguments one a line, leaves evidence and a report, and ends with `$STATUS`.
    private static let standIn = """
        #!/bin/sh
        [ "$1" = --version ] && echo "pinproof 0.0" && exit
        printf '%s\\n' "$@" > arguments
        while [ "$1" != --out ]; do shift; done
        mkdir -p "$2" && touch "$2/evidence.jsonl" && echo "# Report" > "$2/report.md"
        exit "${STATUS:-0}"
        """

    /// `script`, in a new folder with the stand-in in its PATH, and what it left there.
    private static func run(
        _ script: String, _ arguments: [String], _ environment: [String: String] = [:], before: String = ":",
        standIn: String? = CIScriptsTests.standIn, _ check: (Command, URL) throws -> Void
    ) async throws {
        try await Places.withFolder { folder in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "bin"), withIntermediateDirectories: true)
            if let standIn {
                try standIn.write(to: folder.appending(path: "bin/pinproof"), atomically: true, encoding: .utf8)
            }
            // The system's programs alone: no pinproof and no Swift of this machine.
            let start = """
                export PATH="$PWD/bin:/usr/bin:/bin" GITHUB_OUTPUT="$PWD/output" GITHUB_STEP_SUMMARY="$PWD/summary"
                export GITHUB_PATH="$PWD/path" RUNNER_TEMP="$PWD"; chmod -f +x bin/*
                \(before)
                exec "$@"
                """
            let set = environment.map { "\($0)=\($1)" }
            let ran = try await Command.run(
                "env", set + ["sh", "-c", start, "sh", script] + arguments, in: folder)
            try check(ran, folder)
        }
    }

    private static func lines(_ name: String, in folder: URL) throws -> [String] {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return text.split(separator: "\n").map(String.init)
    }

    @Test(
        "the gate's status is the script's, with words, outputs and a summary",
        arguments: [
            (0, "pass"), (1, "fail"), (2, "inconclusive"), (3, "invalid"), (64, "unusable"), (78, "unusable"),
            (137, "broken"),
        ])
    func statuses(status: Int, result: String) async throws {
        try await Self.run(Self.gate, ["p.yaml", "./app.sh"], ["STATUS": "\(status)"]) { ran, folder in
            #expect(ran.status == Int32(status), "\(ran)")
            try #expect(
                Self.lines("output", in: folder) == ["result=\(result)", "status=\(status)", "run=pinproof-run"])
            try #expect(Self.lines("summary", in: folder) == ["# Report"])
        }
    }

    @Test("options are words with quotes, nothing in them is expanded, and COMMAND keeps its blanks")
    func options() async throws {
        let options = "--attacks quick\n  --note '$(touch broken) *' \"it's\" a\\ b"
        try await Self.run(
            Self.gate, ["my profile.yaml", "sh", "-c", "exit 0  "],
            ["PINPROOF_OPTIONS": options, "PINPROOF_OUT": "my run"]
        ) { ran, folder in
            #expect(ran.status == 0, "\(ran)")
            try #expect(
                Self.lines("arguments", in: folder) == [
                    "gate", "my profile.yaml", "--out", "my run", "--attacks", "quick", "--note", "$(touch broken) *",
                    "it's", "a b", "--ephemeral-ca", "--", "sh", "-c", "exit 0  ",
                ])
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "broken").path))
        }
    }

    @Test("a CA among the options is the run's", arguments: ["--ca ca/ci", "--ca=ca/ci", "--ca-cert a --ca-key b"])
    func ownCA(options: String) async throws {
        try await Self.run(Self.gate, ["p.yaml", "true"], ["PINPROOF_OPTIONS": options]) { ran, folder in
            #expect(ran.status == 0, "\(ran)")
            try #expect(!Self.lines("arguments", in: folder).contains("--ephemeral-ca"))
        }
    }

    @Test("the run folder of an earlier run is replaced, and any other folder left alone")
    func earlierRun() async throws {
        let earlier = "mkdir pinproof-run; touch pinproof-run/evidence.jsonl pinproof-run/old"
        try await Self.run(Self.gate, ["p.yaml", "true"], before: earlier) { ran, folder in
            #expect(ran.status == 0, "\(ran)")
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "pinproof-run/old").path))
        }
        try await Self.run(Self.gate, ["p.yaml", "true"], before: "mkdir pinproof-run; touch pinproof-run/precious") {
            ran, folder in
            #expect(ran.status == 64 && ran.errors.contains("pinproof-run: no run folder"), "\(ran)")
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "pinproof-run/precious").path))
        }
    }

    @Test(
        "what is wrong is said, with 64",
        arguments: [
            (["p.yaml"], [:], "usage: "), (["p.yaml", "true"], ["PINPROOF_LIMIT": "30m"], "number of seconds"),
            (["p.yaml", "true"], ["PINPROOF_OPTIONS": "--label 'a"], "quote"),
            (["p.yaml", "true"], ["PINPROOF": "nowhere"], "no nowhere in PATH"),
        ])
    func wrong(arguments: [String], environment: [String: String], says: String) async throws {
        try await Self.run(Self.gate, arguments, environment) { ran, _ in
            #expect(ran.status == 64 && ran.errors.contains(says), "\(ran)")
        }
    }

    /// The one line of a file of a CI system's that runs a script with these words in it, as it stands there.
    private static func step(_ file: String, with words: String, after key: String) throws -> String {
        let text = try String(contentsOf: Places.repository.appending(path: file), encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.contains(words) && $0.contains("\(key)'") })
        return try #require(line.split(separator: "'", maxSplits: 1).last).split(separator: "'").joined()
    }

    @Test("the steps of action.yml run the scripts, with the inputs that GitHub gives by the environment")
    func action() async throws {
        let inputs = [
            "GITHUB_ACTION_PATH": Places.repository.path, "TARBALL": "", "SHA256": "", "PROFILE": "my profile.yaml",
            "COMMAND": "echo \"$PINPROOF_CA\"\n./app.sh", "PINPROOF_OPTIONS": "", "PINPROOF_LIMIT": "60",
            "PINPROOF_OUT": "my run", "STATUS": "1",
        ]
        let provide = try Self.step("action.yml", with: "ci/provide.sh", after: "run: ")
        try await Self.run("sh", ["-e", "-c", provide], inputs) { ran, folder in
            #expect(ran.status == 0, "\(ran)")
            try #expect(Self.lines("path", in: folder).first?.hasSuffix("/bin") == true)
        }
        let gate = try Self.step("action.yml", with: "ci/gate.sh", after: "run: ")
        try await Self.run("sh", ["-e", "-c", gate], inputs) { ran, folder in
            #expect(ran.status == 1, "\(ran)")
            try #expect(
                Self.lines("arguments", in: folder) == [
                    "gate", "my profile.yaml", "--out", "my run", "--ephemeral-ca", "--", "sh", "-c",
                    "echo \"$PINPROOF_CA\"", "./app.sh",
                ])
            try #expect(Self.lines("output", in: folder) == ["result=fail", "status=1", "run=my run"])
        }
    }

    @Test("the GitLab template finds the script beside the program that is installed")
    func gitlab() async throws {
        let script = try Self.step("ci/gitlab.yml", with: "gate.sh", after: "- ")
        let installed = "mkdir -p share/pinproof; ln -s '\(Places.repository.path)/ci' share/pinproof/ci"
        let variables = ["PINPROOF_PROFILE": "p.yaml", "PINPROOF_COMMAND": "./app.sh --all", "STATUS": "2"]
        try await Self.run("sh", ["-e", "-c", script], variables, before: installed) { ran, folder in
            #expect(ran.status == 2, "\(ran)")
            try #expect(
                Self.lines("arguments", in: folder) == [
                    "gate", "p.yaml", "--out", "pinproof-run", "--ephemeral-ca", "--", "sh", "-c", "./app.sh --all",
                ])
        }
    }

    /// Waits for the end, notes each signal, and reports.
    private static let waiting = """
        #!/bin/sh
        while [ "$1" != --out ]; do shift; done
        out=$2
        trap 'echo INT >> signals; end' INT
        trap 'echo TERM >> signals; end' TERM
        end() { mkdir -p "$out"; echo "# Partial" > "$out/report.md"; exit 2; }
        # Until then timeout(1) has forked, and does not know yet whom to hand a signal on to.
        until [ "$(ps -o state= -p $PPID | cut -c 1)" = S ]; do sleep 0.05; done
        touch ready
        while :; do sleep 0.05; done
        """

    @Test("a job that is cancelled ends the gate with a report, and waits for it")
    func cancelled() async throws {
        // The one who cancels knows the script's process alone.
        let before = "(while [ ! -e ready ]; do sleep 0.05; done; kill -TERM $$) &"
        try await Self.run(Self.gate, ["p.yaml", "true"], before: before, standIn: Self.waiting) { ran, folder in
            #expect(ran.status == 2, "\(ran)")
            try #expect(Self.lines("signals", in: folder) == ["TERM"])
            try #expect(Self.lines("summary", in: folder) == ["# Partial"])
        }
    }

    @Test("where timeout(1) is not GNU's there is no limit, and its complaint is no verdict")
    func otherTimeout() async throws {
        let busybox = "printf '#!/bin/sh\\necho usage >&2; exit 1\\n' > bin/timeout; chmod +x bin/timeout"
        try await Self.run(Self.gate, ["p.yaml", "true"], before: busybox) { ran, folder in
            #expect(ran.status == 0 && ran.errors.contains("PINPROOF_LIMIT is not kept"), "\(ran)")
            try #expect(Self.lines("output", in: folder).first == "result=pass")
        }
    }

    @Test("a tar ball is unpacked, checked, and in the path of later steps; one of the network needs its sum")
    func tarball() async throws {
        let pack = "mkdir -p d/pinproof-1/bin; mv bin/pinproof d/pinproof-1/bin; tar -czf 'p 1.tgz' -C d pinproof-1"
        try await Self.run(Self.provide, ["p 1.tgz"], before: pack) { ran, folder in
            #expect(ran.status == 0 && ran.errors.contains("pinproof 0.0"), "\(ran)")
            let path = try #require(try Self.lines("path", in: folder).first)
            #expect(ran.output == path + "\n" && path.hasSuffix("/pinproof-1/bin"), "\(ran)")
            #expect(FileManager.default.isExecutableFile(atPath: path + "/pinproof"))
        }
        try await Self.run(Self.provide, ["p 1.tgz", "00"], before: pack) { ran, folder in
            #expect(ran.status == 1 && ran.errors.contains("and should be 00"), "\(ran)")
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "path").path))
        }
        // The status of tar or of curl would be a verdict.
        try await Self.run(Self.provide, ["p.tgz"], before: "echo text > p.tgz") { ran, _ in
            #expect(ran.status == 1 && ran.errors.contains("error: p.tgz: no tar ball"), "\(ran)")
        }
        try await Self.run(Self.provide, ["https://127.0.0.1:1/p.tgz", "00"]) { ran, _ in
            #expect(ran.status == 1 && ran.errors.contains("p.tgz: it could not be fetched"), "\(ran)")
        }
        try await Self.run(Self.provide, ["https://example.com/p.tgz"]) { ran, _ in
            #expect(ran.status == 1 && ran.errors.contains("needs its SHA-256"), "\(ran)")
        }
        try await Self.run(Self.provide, ["http://example.com/p.tgz", "00"]) { ran, _ in
            #expect(ran.status == 1 && ran.errors.contains("only https"), "\(ran)")
        }
    }

    @Test("without a tar ball the pinproof that is there is taken, and nothing is downloaded")
    func present() async throws {
        try await Self.run(Self.provide, []) { ran, folder in
            #expect(ran.status == 0 && ran.output.hasSuffix("/bin\n"), "\(ran)")
        }
        try await Self.run(Self.provide, [], before: "rm bin/pinproof") { ran, _ in
            #expect(ran.status == 1 && ran.errors.contains("no pinproof in PATH"), "\(ran)")
        }
    }

    @Test("a real gate that reaches its limit leaves a report, however often it is tried", arguments: 1...3)
    func limit(_: Int) async throws {
        try await Places.withFolder { folder in
            try Places.writeSmallProfile(into: folder)
            let ran = try await Command.run(
                "env",
                ["PINPROOF=\(Places.pinproof)", "PINPROOF_LIMIT=8", "PINPROOF_OPTIONS=--attacks quick"]
                    + [Self.gate, "p.yaml", "sleep", "1000"], in: folder)
            #expect(ran.status == 2, "\(ran)")
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "pinproof-run/report.md").path))
        }
    }
}
