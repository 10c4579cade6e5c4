import Foundation
import Support
import Testing

/// A gate that is told to end takes COMMAND with it, and tells what it knows.
@Suite("Ended by a signal", .timeLimit(.minutes(30)))
struct EndedBySignalTests {
    /// Of `timeout`, the signal to its child and the one to the group that the child is in, in either order.
    private static let endings = ["HUP", "QUIT", "TERM", "INT", "TERM TERM", "INT INT", "INT TERM"]

    @Test("a hang-up, Ctrl-\\ and the others, also two at once, end COMMAND and leave a report", arguments: endings)
    func signals(named names: String) async throws {
        try await Places.withFolder { folder in
            try Places.writeSmallProfile(into: folder)
            // The gate is COMMAND's parent: COMMAND signals its own gate, and waits to be ended. The first signal ends what is
            // in its process group, so the second comes from outside of that.
            let kills = names.split(separator: " ").map { "kill -\($0) $1;" }.joined(separator: " ")
            let run = try await Command.run(
                Places.pinproof,
                ["gate", "p.yaml", "--attacks", "quick", "--out", "run", "--ephemeral-ca", "--attempt-timeout", "900"]
                    + ["--", "sh", "-c", "echo $$ > pid; setsid sh -c '\(kills)' x $PPID & exec sleep 1000"], in: folder
            )
            #expect(run.status == 2, "\(run.status) \(run.errors)")
            let pid = try String(contentsOf: folder.appending(path: "pid"), encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            // Ended, but not yet fetched by its parent, is ended.
            let alive = try await Command.run(
                "sh", ["-c", "kill -0 \(pid) && ! grep -q '^State:.Z' /proc/\(pid)/status"])
            #expect(alive.status != 0, "COMMAND (\(pid)) is still there")
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "run/report.json").path))
        }
    }

    @Test("a gate that waits for a person's Enter ends as well, with its own status, though nobody types anything")
    func waitingForEnter() async throws {
        try await Places.withFolder { folder in
            try Places.writeSmallProfile(into: folder)
            let gate = ["gate", "p.yaml", "--attacks", "quick", "--out", "run", "--ephemeral-ca"]
            let script = """
                import os, pty, signal, subprocess, sys, time
                master, slave = pty.openpty()
                gate = subprocess.Popen(sys.argv[1:], stdin=slave)
                while not os.path.exists("ready") and gate.poll() is None: time.sleep(0.05)
                gate.send_signal(signal.SIGINT)
                try: print("status", gate.wait(60))
                except subprocess.TimeoutExpired: gate.kill()
                """
            let run = try await Command.run(
                "python3",
                ["-c", script, Places.pinproof] + gate + ["--listen", "127.0.0.1:0", "--ready-file", "ready"],
                in: folder)
            #expect(run.output.contains("status 2"), "\(run.output) \(run.errors)")
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "run/report.json").path))
        }
    }

    @Test(
        "a gate whose output nobody reads is ended by the second signal, and has written its reports before it prints",
        arguments: ["stderr", "stdout"])
    func stuck(stream: String) async throws {
        try await Places.withFolder { folder in
            try Places.writeSmallProfile(into: folder)
            let gate = ["gate", "p.yaml", "--attacks", "quick", "--out", "run", "--ephemeral-ca", "--", "true"]
            let script = """
                import os, signal, subprocess, sys, time
                read, write = os.pipe()
                os.set_blocking(write, False)
                try:
                    while True: os.write(write, b"x" * 4096)
                except BlockingIOError: pass
                os.set_blocking(write, True)
                gate = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, **{sys.argv[1]: write})
                def isStuck():
                    try:
                        tasks = f"/proc/{gate.pid}/task"
                        return any("pipe_write" in open(f"{tasks}/{one}/wchan").read() for one in os.listdir(tasks))
                    except OSError: return False
                # Not every system tells where a thread waits.
                end = time.time() + 30
                while gate.poll() is None and not isStuck() and time.time() < end: time.sleep(0.05)
                print("reports", sorted(name for name in os.listdir("run") if name.startswith("report")) if os.path.isdir("run") else [])
                gate.send_signal(signal.SIGTERM)
                # Signals of one moment are one.
                time.sleep(2)
                gate.send_signal(signal.SIGTERM)
                try: print("status", gate.wait(60))
                except subprocess.TimeoutExpired: gate.kill()
                """
            let run = try await Command.run("python3", ["-c", script, stream, Places.pinproof] + gate, in: folder)
            #expect(run.output.contains("status 130"), "\(run.output) \(run.errors)")
            if stream == "stdout" { #expect(run.output.contains("reports ['report.json"), "\(run.output)") }
        }
    }
}
