import Console
import Foundation
import Loop
import Support
import Testing

@testable import Gate

/// A runner over a shell script, with everything it leaves behind.
private struct Bench {
    let folder: TemporaryFolder
    let interruption = Interruption()
    let events = Locked<[String]>([])

    init() throws { folder = try TemporaryFolder() }

    /// Nothing here takes so long, but on two processors the tests that block keep the others waiting.
    static let patience = Duration.seconds(240)

    func run(
        _ script: String, limit: Duration = Self.patience, grace: Duration = .seconds(2), outputLimit: Int? = nil,
        environment: [String: String] = [:]
    ) async throws -> CommandEnding {
        let command = try Command([try folder.script("command", script)])
        let events = self.events
        return try await CommandRunner(command, timeLimit: limit, grace: grace, outputLimit: outputLimit).run(
            environment: environment.merging(["BENCH": folder.path]) { $1 }, standardOutput: folder.path + "/out",
            standardError: folder.path + "/err",
            interruption: interruption,
            hooks: CommandRunner.Hooks(
                ended: { events.withLock { $0.append("ended") } },
                endingByForce: { events.withLock { $0.append("force") } }))
    }

    /// Interrupts once the script has made its file `ready`; polls, because the script can only leave a file.
    func interruptWhenReady() -> Task<Void, Never> {
        Task {
            while !Files.exists(folder.path + "/ready"), !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(5))
            }
            await interruption.request()
        }
    }

    var seen: [String] { events.withLock { $0 } }

    /// Whether the process whose number the script wrote to a file still runs.
    func isRunning(_ file: String) throws -> Bool {
        let id = try #require(Int32(try folder.text(file).split(whereSeparator: \.isNewline).first ?? ""))
        guard kill(id, 0) == 0 else { return false }
        #if os(Linux)
            // One that is waited for between the two questions has no file any more.
            guard let stat = try? Files.read("/proc/\(id)/stat", limit: 1 << 20) else { return false }
            let state = ProcessGroup.parse(stat: String(decoding: stat, as: UTF8.self))?.state
            return state != "Z" && state != "X"
        #else
            return true
        #endif
    }
}

@Test("a command's status and both streams are kept, and its stdin is empty")
func ordinaryRun() async throws {
    let bench = try Bench()
    let ending = try await bench.run("cat; echo out; echo err >&2; exit 7")
    #expect(ending.exit == 7)
    #expect(ending.signal == nil)
    #expect(!ending.timedOut && !ending.interrupted)
    #expect(try bench.folder.text("out") == "out\n")
    #expect(try bench.folder.text("err") == "err\n")
    #expect(bench.seen == ["ended"])
}

@Test("a command that dies by a signal is told apart from one that exits")
func diesBySignal() async throws {
    let ending = try await Bench().run("kill -SEGV $$")
    #expect(ending.exit == nil)
    #expect(ending.signal == Int(SIGSEGV))
}

@Test("a hanging command is ended at its limit, after the proxy was told")
func timeLimit() async throws {
    let bench = try Bench()
    let ending = try await bench.run("echo begun; exec sleep 100000", limit: .milliseconds(300))
    #expect(ending.timedOut)
    #expect(ending.signal == Int(SIGTERM))
    // More than a day was asked for; on a busy machine, and with sanitizers, tests wait for one another.
    #expect(ending.seconds < 10_000)
    #expect(bench.seen == ["force"])
    #expect(try bench.folder.text("out") == "begun\n")
}

@Test("a command that ignores TERM is killed after the grace")
func ignoresTerm() async throws {
    let bench = try Bench()
    let watch = bench.interruptWhenReady()
    defer { watch.cancel() }
    let ending = try await bench.run(
        "trap '' TERM; : > \"$BENCH/ready\"; while :; do sleep 100000; done", grace: .milliseconds(200))
    #expect(ending.interrupted)
    #expect(ending.signal == Int(SIGKILL))
}

@Test("a grandchild that ignores TERM and holds the output open is killed with the group")
func stubbornGrandchild() async throws {
    let bench = try Bench()
    let watch = bench.interruptWhenReady()
    defer { watch.cancel() }
    let ending = try await bench.run(
        """
        (trap '' TERM; : > "$BENCH/ready"; while :; do sleep 100000; done) &
        echo $! > "$BENCH/child"
        wait
        """, grace: .milliseconds(200))
    #expect(ending.interrupted)
    #expect(ending.signal == Int(SIGTERM))
    #expect(try !bench.isRunning("child"))
}

@Test("what a command leaves running in its group is gone before the next trial")
func leftBehind() async throws {
    let bench = try Bench()
    let ending = try await bench.run(
        """
        (trap '' TERM; echo held; : > "$BENCH/ready"; while :; do sleep 100000; done) &
        echo $! > "$BENCH/child"
        until [ -e "$BENCH/ready" ]; do sleep 0.01; done
        """, grace: .milliseconds(200))
    #expect(ending.exit == 0)
    #expect(!ending.timedOut)
    #expect(bench.seen == ["ended"])
    #expect(try !bench.isRunning("child"))
    #expect(try bench.folder.text("out") == "held\n")
}

@Test("a command that closes its output and goes on is still bound by the limit")
func closedOutput() async throws {
    let bench = try Bench()
    let ending = try await bench.run("exec >&- 2>&-; exec sleep 100000", limit: .milliseconds(300))
    #expect(ending.timedOut)
}

@Test("an interruption ends the command at once, as by force")
func interrupted() async throws {
    let bench = try Bench()
    let interruption = bench.interruption
    async let ending = bench.run("exec sleep 100000")
    await interruption.request()
    let ended = try await ending
    #expect(ended.interrupted)
    #expect(!ended.timedOut)
    #expect(bench.seen == ["force"])
}

@Test("the last way out kills the group that runs, and one that is just being started")
func lastWayOut() async throws {
    let bench = try Bench()
    let running = RunningCommand()
    let command = try Command([try bench.folder.script("command", "trap '' TERM; : > \"$BENCH/ready\"; sleep 100000")])
    let folder = bench.folder
    let watch = Task {
        while !Files.exists(folder.path + "/ready"), !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(5))
        }
        running.kill()
    }
    defer { watch.cancel() }
    for _ in 1...2 {
        let ending = try await CommandRunner(command, timeLimit: Bench.patience, running: running).run(
            environment: ["BENCH": folder.path], standardOutput: folder.path + "/out",
            standardError: folder.path + "/err", interruption: bench.interruption,
            hooks: CommandRunner.Hooks(ended: {}, endingByForce: {}))
        #expect(ending.signal == Int(SIGKILL))
        #expect(!ending.timedOut)
    }
}

@Test("output beyond the limit is cut with a note, and does not block the command")
func outputLimit() async throws {
    let bench = try Bench()
    let ending = try await bench.run("head -c 3000000 /dev/zero | tr '\\0' x; echo done >&2", outputLimit: 1000)
    #expect(ending.exit == 0)
    let out = try bench.folder.text("out")
    #expect(out == String(repeating: "x", count: 1000) + "\n[cut by pinproof after 1000 bytes]\n")
    #expect(try bench.folder.text("err") == "done\n")
}

@Test("output of exactly the limit is whole, without a note")
func exactLimit() async throws {
    let bench = try Bench()
    _ = try await bench.run("printf 1234", outputLimit: 4)
    #expect(try bench.folder.text("out") == "1234")
}

@Test("the given variables replace the inherited ones, the others stay")
func environment() async throws {
    let bench = try Bench()
    _ = try await bench.run(
        "echo \"$https_proxy|${NO_PROXY-unset}|${PATH:+path}\"",
        environment: ["https_proxy": "http://127.0.0.1:1", "NO_PROXY": ""])
    #expect(try bench.folder.text("out") == "http://127.0.0.1:1||path\n")
}

@Test("a script without a first line for the system is an error with a hint, not a crash")
func notAProgram() async throws {
    let bench = try Bench()
    let path = try bench.folder.script("empty", "")
    try Files.writeAtomically("\u{1}\u{2}no program".utf8, to: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let command = try Command([path])
    await #expect(throws: GateError.commandNotStarted(path, reason: "exec format error")) {
        try await CommandRunner(command, timeLimit: .seconds(5)).run(
            environment: [:], standardOutput: bench.folder.path + "/out", standardError: bench.folder.path + "/err",
            interruption: bench.interruption, hooks: CommandRunner.Hooks(ended: {}, endingByForce: {}))
    }
}

@Test("output that cannot be written is reported, and the command runs to its end")
func unwritableOutput() async throws {
    let bench = try Bench()
    let command = try Command([try bench.folder.script("command", "echo x; exit 3")])
    let ending = try await CommandRunner(command, timeLimit: Bench.patience).run(
        environment: [:], standardOutput: bench.folder.path + "/none/out", standardError: bench.folder.path + "/err",
        interruption: bench.interruption, hooks: CommandRunner.Hooks(ended: {}, endingByForce: {}))
    #expect(ending.exit == 3)
    #expect(
        ending.outputFault
            == .cannotWrite(path: bench.folder.path + "/none/out", reason: "no such file or folder"))
}

@Test("the state and group of a process are read whatever its name holds")
func procStat() throws {
    let plain = try #require(ProcessGroup.parse(stat: "7 (sh) S 1 42 42 0"))
    #expect(plain.state == "S" && plain.group == 42)
    let odd = try #require(ProcessGroup.parse(stat: "7 (a) Z 9 (b)) Z 1 43 43 0"))
    #expect(odd.state == "Z" && odd.group == 43)
    #expect(ProcessGroup.parse(stat: "") == nil)
    #expect(ProcessGroup.parse(stat: "7 (sh) S") == nil)
}
