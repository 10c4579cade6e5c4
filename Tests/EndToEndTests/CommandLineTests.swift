import Foundation
import Support
import Testing

/// What users and scripts meet at the edge: statuses, files, words.
@Suite("Command line", .timeLimit(.minutes(60)))
struct CommandLineTests {
    @Test("a run leaves everything that is documented, and `judge` comes to the same verdict")
    func runFolder() async throws {
        try await GateRun.of(Scenario(client: "curl", attacks: "quick")) { run in
            try run.expect("proven-pinned", status: 0, strength: "S2a")
            for name in ["report.json", "evidence.jsonl", "presented", "client", "profile.yaml"] {
                let path = run.folder.appending(path: "run/\(name)").path
                #expect(FileManager.default.fileExists(atPath: path), "\(name) is missing")
            }
            let evidence = try String(contentsOf: run.folder.appending(path: "run/evidence.jsonl"), encoding: .utf8)
            let first = evidence.split(separator: "\n").first ?? ""
            #expect(first.contains(String(repeating: "0", count: 64)), "the chain does not begin with 64 zeros")

            let again = try await Command.run(
                Places.pinproof, ["judge", "run", "--profile", "profile.yaml"], in: run.folder)
            #expect(again.status == 0, "\(again.errors)\(again.output)")
        }
    }

    @Test("evidence that was cut short is still judged, and never for the better")
    func cutEvidence() async throws {
        try await GateRun.of(Scenario(client: "curl", pin: nil, visitsControl: false, attacks: "quick")) { run in
            let file = run.folder.appending(path: "run/evidence.jsonl")
            let evidence = try Data(contentsOf: file)
            try evidence.prefix(evidence.count / 3).write(to: file)
            let again = try await Command.run(
                Places.pinproof, ["judge", "run", "--profile", "profile.yaml"], in: run.folder)
            #expect(again.status != 0, "\(again.errors)\(again.output)")
        }
    }

    @Test(
        "a gate that is killed while it runs leaves evidence that is judged, and is never a pass", arguments: [1, 2, 5])
    func killed(start: Int) async throws {
        try await Places.withFolder { folder in
            try Places.writeSmallProfile(into: folder)
            // COMMAND kills its gate, without a word, in this start.
            let kill = "echo x >> starts; [ $(wc -l < starts) -lt \(start) ] || kill -KILL $PPID"
            let gate =
                "gate p.yaml --attacks quick --keep-going --out run --ephemeral-ca -q -- sh -c '\(kill)'"
            let run = try await Command.run(
                "/bin/sh", ["-c", "\"$0\" \(gate); echo \"ended with $?\"", Places.pinproof], in: folder)
            #expect(run.output.contains("ended with 137"), "\(run.output) \(run.errors)")
            let judged = try await Command.run(Places.pinproof, ["judge", "run"], in: folder)
            #expect(judged.status == 2, "\(judged.status) \(judged.output) \(judged.errors)")
            #expect(!judged.output.contains("PASS"), "\(judged.output)")
        }
    }

    @Test("without a home folder the commands that need one say so", arguments: ["gate p.yaml -- true", "proxy"])
    func homeless(arguments: String) async throws {
        try await Places.withFolder { folder in
            try Places.writeSmallProfile(into: folder)
            let script = "env -i PATH=/usr/bin:/bin \"$0\" \(arguments); echo \"ended with $?\""
            let run = try await Command.run("/bin/sh", ["-c", script, Places.pinproof], in: folder)
            #expect(run.errors.contains("error: there is no home folder (HOME)"), "\(run.errors)")
            #expect(run.errors.contains("hint: set PINPROOF_HOME"), "\(run.errors)")
            #expect(["ended with 3\n", "ended with 78\n"].contains(run.output), "\(run.output)")
        }
    }

    @Test("an argument that is not UTF-8 is refused, rather than read as another")
    func notUTF8() async throws {
        try await Places.withFolder { folder in
            let script =
                "f=$(printf 'a\\351.har'); echo {} > \"$f\"; \"$0\" flows import \"$f\" --store s.db; echo \"ended with $?\"; ls"
            let run = try await Command.run("/bin/sh", ["-c", script, Places.pinproof], in: folder)
            #expect(run.errors.contains("error: argument 3 is not UTF-8: a\u{fffd}.har"), "\(run.errors)")
            #expect(run.output.contains("ended with 64") && !run.output.contains("s.db"), "\(run.output)")
        }
    }

    @Test(
        "evidence and what the client printed are for their owner alone, whatever the umask is",
        arguments: ["000", "077"])
    func modes(umask: String) async throws {
        try await Places.withFolder { folder in
            try Places.writeSmallProfile(into: folder)
            // Twice, as the second keeps the first one's evidence.
            let script = """
                umask \(umask); export HOME="$PWD" TMPDIR="$PWD"
                gate() { "$0" gate p.yaml --attacks quick --ephemeral-ca -q "$@" -- sh -c 'echo token; echo more >&2' >log 2>&1; }
                gate --out first; gate --out run --evidence-from first
                find run -type f -printf '%m %P\\n'; grep -rl 'PRIVATE KEY' .
                """
            let run = try await Command.run("/bin/sh", ["-c", script, Places.pinproof], in: folder)
            let modes = run.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            let files = Dictionary(uniqueKeysWithValues: modes.compactMap { $0.count == 2 ? ($0[1], $0[0]) : nil })
            let printed = files.filter { $0.key.hasPrefix("client/") }
            for name in ["evidence.jsonl", "profile.yaml", "controls/1.jsonl"] {
                #expect(files[name] == "600", "\(name): \(files)")
            }
            #expect(printed.count >= 2 && printed.values.allSatisfy { $0 == "600" }, "\(files)")
            // Nobody else may change anything, and a report is for whoever the umask leaves it to.
            #expect(files.values.allSatisfy { ["600", "644"].contains($0) }, "\(files)")
            #expect(files["report.json"] != nil, "\(files)")
            // Only `find` has said anything: no file holds a key.
            #expect(modes.allSatisfy { $0.count == 2 }, "\(run.output)")
        }
    }

    @Test("a command that hangs is ended, with everything it started")
    func hanging() async throws {
        var scenario = Scenario(client: "curl", attacks: "quick", attemptTimeout: 1)
        scenario.command = { _, folder in
            let pids = quoted([folder.appending(path: "pids").path])
            return ["sh", "-c", "echo $$ >> \(pids); sleep 1000 & echo $! >> \(pids); wait"]
        }
        try await GateRun.of(scenario, limit: .seconds(200)) { run in
            try run.expect("not-exercised", status: 2)
            let pids = try String(contentsOf: run.folder.appending(path: "pids"), encoding: .utf8).split(
                separator: "\n")
            #expect(pids.count >= 8, "\(run)")
            for pid in pids {
                // By its words, for another process may have its number by now; one that has ended has none.
                let alive = try await Command.run(
                    "sh", ["-c", "tr '\\0' ' ' < /proc/\(pid)/cmdline | grep -q 'sleep 1000'"])
                #expect(alive.status != 0, "process \(pid) is still there")
            }
        }
    }

    @Test("Ctrl-C ends with a report of what is known, and no pass")
    func interrupted() async throws {
        var scenario = Scenario(client: "curl", attemptTimeout: 900)
        scenario.command = { drive, _ in
            // The first cold start goes well; the second interrupts the gate and waits to be ended.
            let interrupt = "kill -INT $PPID; sleep 1000"
            return ["sh", "-c", "[ \"$PINPROOF_TRIAL\" = 1 ] && exec \(quoted(drive)); \(interrupt)"]
        }
        try await GateRun.of(scenario, limit: .seconds(200)) { run in
            #expect(run.command.status == 2, "\(run)")
            #expect(run.report?.result == "inconclusive", "\(run)")
        }
    }

    struct Misuse: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var status: Int32
        var says: String
        var profile = ""
        var testDescription: String { says }
    }

    static let good = "version: 1\nname: a\nhosts:\n  api.test: { expect: refuse }\n"

    @Test(
        "misuse ends with its own status, one line that says where, and nothing half-written",
        arguments: [
            Misuse(arguments: ["gate", "nowhere.yaml", "--", "true"], status: 78, says: "nowhere.yaml"),
            Misuse(
                arguments: ["gate", "p.yaml", "--no-such-option", "--", "true"], status: 64, says: "no-such-option"),
            Misuse(arguments: ["gate"], status: 64, says: "profile"),
            Misuse(
                arguments: ["gate", "p.yaml", "--", "true"], status: 78, says: "p.yaml:3",
                profile: "version: 1\nname: a\nhots:\n  api.test: { expect: refuse }\n"),
            Misuse(
                arguments: ["gate", "p.yaml", "--", "true"], status: 78, says: "p.yaml:4",
                profile: "version: 1\nname: a\nhosts:\n  api.test: { expect: maybe }\n"),
            Misuse(
                arguments: ["gate", "p.yaml", "--attacks", "no-such-attack", "--", "true"], status: 64,
                says: "no-such-attack", profile: good),
            Misuse(
                arguments: ["ca", "init", "--only", "p.yaml", "--ca", "ca"], status: 78, says: "others",
                profile: good + "others: accept\n"),
        ])
    func misuse(_ misuse: Misuse) async throws {
        try await Places.withFolder { folder in
            let profile = misuse.profile.isEmpty && misuse.says != "nowhere.yaml" ? Self.good : misuse.profile
            try profile.write(to: folder.appending(path: "p.yaml"), atomically: true, encoding: .utf8)
            let run = try await Command.run(Places.pinproof, misuse.arguments, in: folder)
            #expect(run.status == misuse.status, "\(run)")
            #expect(run.errors.lowercased().contains(misuse.says.lowercased()), "\(run)")
            #expect(run.errors.lowercased().contains("error:"), "\(run)")
            #expect(!run.errors.contains("Fatal error"), "\(run)")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left == ["p.yaml"], "left behind: \(left)")
        }
    }

    @Test("a plan is printed, and nothing is run, made or written")
    func plan() async throws {
        try await Places.withFolder { folder in
            try Self.good.write(to: folder.appending(path: "p.yaml"), atomically: true, encoding: .utf8)
            let run = try await Command.run(
                Places.pinproof, ["gate", "p.yaml", "--plan", "--cold-starts", "1", "--", "touch", "started"],
                in: folder)
            #expect(run.status == 0, "\(run)")
            // Nothing in that profile could be a control.
            #expect(run.errors.split(separator: "\n").count == 1 && run.errors.contains("ends unproven"), "\(run)")
            #expect(
                run.output.contains(" 1  passthrough")
                    && run.output.contains("runs of COMMAND where all is refused, at most "), "\(run)")
            // It is no report, which `--json` promises.
            let json = try await Command.run(Places.pinproof, ["gate", "p.yaml", "--plan", "--json"], in: folder)
            #expect(json.status == 64 && json.output.isEmpty && json.errors.contains("leave one out"), "\(json)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["p.yaml"])
        }
    }

    @Test("a command that does not exist is no verdict")
    func commandNotFound() async throws {
        var scenario = Scenario(client: "curl", attacks: "quick")
        scenario.command = { _, _ in ["./no-such-command"] }
        try await GateRun.of(scenario) { run in
            #expect(run.command.status > 1, "\(run)")
            #expect(run.command.errors.contains("no-such-command"), "\(run)")
        }
    }
}
