import Foundation
import Support
import Testing

/// The gate where CI is as it is: starts that fail, set-ups that cannot work, a first profile.
@Suite("In the field", .timeLimit(.minutes(60)))
struct FieldTests {
    /// COMMAND that fails in these trials instead of starting the client.
    private static func failing(in trials: [Int]) -> @Sendable ([String], URL) -> [String] {
        { drive, _ in
            let cases = trials.map(String.init).joined(separator: "|")
            return [
                "/bin/sh", "-c",
                """
                case $PINPROOF_TRIAL in \(cases)) echo 'emulator: no device' >&2; exit 9;; esac
                exec "$@"
                """, "sh",
            ] + drive
        }
    }

    @Test("starts that fail now and then are run again, named, and change no verdict")
    func flaky() async throws {
        var scenario = Scenario(client: "curl:1.3", isThorough: false)
        scenario.attacks = "quick"
        scenario.command = Self.failing(in: [1, 3])
        try await GateRun.of(scenario) { run in
            try run.expect("proven-pinned", status: 0, strength: "S2a")
            #expect(
                run.command.output.contains(
                    "2 starts were run again: trial 1 (passthrough: exit 9, \"emulator: no device\")"),
                "\(run)")
            let retries = try #require(run.report?.retries)
            #expect(retries.map(\.trial) == [1, 3])
            #expect(retries.allSatisfy { $0.exit == 9 && $0.lastError == "emulator: no device" })
            // From the evidence alone the same.
            let judged = try await Command.run(
                Places.pinproof, ["judge", run.folder.appending(path: "run").path], in: run.folder)
            #expect(judged.status == 0, "\(judged.errors)")
        }
    }

    @Test("a proxy that COMMAND ignores, and a command that is not there, are told of after three starts")
    func nothingCrossed() async throws {
        for (script, id) in [("true", "nothing-crossed"), ("exec no-such-program", "command-not-run")] {
            var scenario = Scenario(client: "curl:1.3", isThorough: false)
            scenario.command = { _, _ in ["/bin/sh", "-c", script] }
            try await GateRun.of(scenario) { run in
                try run.expect("not-exercised", status: 2)
                #expect(run.report?.endedEarly?.reason == id)
                #expect(run.report?.retries.count == 2)
                #expect(run.command.output.contains("what to do next\n  \(id)"), "\(run)")
            }
        }
    }

    @Test("a server that is down is told of after three starts, and with --keep-going after all of them")
    func originDown() async throws {
        var scenario = Scenario(client: "curl:1.3", isThorough: false)
        scenario.resolvesTo = 1
        scenario.attacks = "quick"
        try await GateRun.of(scenario) { run in
            try run.expect("invalid-environment", status: 3)
            #expect(run.report?.endedEarly?.reason == "origin-unusable")
            #expect(run.report?.endedEarly?.hosts == [target])
        }
        scenario.options += ["--keep-going"]
        try await GateRun.of(scenario) { run in
            try run.expect("invalid-environment", status: 3)
            #expect(run.report?.endedEarly == nil)
        }
    }

    @Test("what is not pinned is known after a third of the trials")
    func unpinned() async throws {
        var scenario = Scenario(client: "curl:1.3", pin: nil, isThorough: false)
        scenario.coldStarts = 3
        try await GateRun.of(scenario) { run in
            try run.expect("not-pinned", status: 1, subtype: "plain")
            let attacks = Set(try #require(run.target).attacks.map(\.attack))
            #expect(attacks.isSuperset(of: ["trusted-ca", "untrusted-ca", "other-host", "self-signed", "expired"]))
            #expect(attacks.isDisjoint(with: ["smuggled-chain", "silent-server", "resumed-session"]), "\(attacks)")
        }
    }

    @Test("a CA that nobody trusts is told of after three starts")
    func untrusted() async throws {
        var scenario = Scenario(client: "curl:1.3", isThorough: false)
        scenario.trusted = false
        try await GateRun.of(scenario) { run in
            try run.expect("refused-unproven", status: 2)
            #expect(run.report?.endedEarly?.reason == "ca-not-trusted")
            #expect(run.report?.endedEarly?.hosts == [control])
        }
    }

    @Test("two starts make a profile, and two more say that the gate can work with it")
    func firstSteps() async throws {
        try await Places.withFolder { folder in
            try await Origin.serving(in: folder.appending(path: "origin")) { origin in
                let drive = Scenario(client: "curl:1.3").drive(origin)
                let ground = [
                    "--root", origin.root.path, "--resolve", "\(target)=127.0.0.1:\(origin.ports.any)",
                    "--resolve", "\(control)=127.0.0.1:\(origin.ports.any)",
                ]
                let made = try await Command.run(
                    Places.pinproof, ["init", "--out", "new.yaml", "--ephemeral-ca"] + ground + ["--"] + drive,
                    in: folder)
                #expect(made.status == 0, "\(made.errors)")
                let profile = try String(contentsOf: folder.appending(path: "new.yaml"), encoding: .utf8)
                #expect(profile.contains("\(target):\n    expect: refuse"), "\(profile)")
                #expect(profile.contains(try origin.pin(target)), "\(profile)")
                #expect(profile.contains("controls:\n  - \(control)"), "\(profile)")

                let checked = try await Command.run(
                    Places.pinproof, ["check", "new.yaml", "--ephemeral-ca", "--"] + drive, in: folder)
                #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
                #expect(checked.output.contains("ready: the gate can give a verdict here"), "\(checked.output)")
                #expect(checked.output.contains("stacks    OpenSSL ("), "\(checked.output)")
                #expect(checked.output.split(separator: "\n").allSatisfy { $0.count <= 80 })

                // Nothing is overwritten.
                let again = try await Command.run(
                    Places.pinproof, ["init", "--out", "new.yaml", "--ephemeral-ca", "--"] + drive, in: folder)
                #expect(again.status == 64, "\(again.errors)")
                #expect(try String(contentsOf: folder.appending(path: "new.yaml"), encoding: .utf8) == profile)

                let idle = try await Command.run(
                    Places.pinproof, ["check", "new.yaml", "--ephemeral-ca", "--", "true"], in: folder)
                #expect(idle.status == 2)
                #expect(idle.output.contains("not used: nothing came through it"), "\(idle.output)")
            }
        }
    }
}
