import Console
import Facts
import Foundation
import Loop
import Policy
import Support
import Testing
import Verdict

@testable import Evidence
@testable import Gate

/// A proxy that notes what it is told, and has connections to observe when it is told so.
private final class FakeProxy: ProxyControl {
    let calls = Locked<[String]>([])
    let router: ObservationRouter
    /// NumberedTrial by trial: how many connections are still open when they are ended.
    let open: [Int: Int]
    let failsAt: Int?
    private let trial = Locked(0)

    init(_ router: ObservationRouter, open: [Int: Int] = [:], failsAt: Int? = nil) {
        self.router = router
        self.open = open
        self.failsAt = failsAt
    }

    struct NoContext: Error, CustomStringConvertible { let description = "no context" }

    func apply(_ plan: Plan) async throws {
        if plan.trial == failsAt { throw NoContext() }
        trial.withLock { $0 = plan.trial }
        note("apply \(plan.trial)")
    }

    func settle() async { note("settle") }

    func endConnections() async {
        note("end")
        let trial = trial.withLock { $0 }
        for number in 0..<(open[trial] ?? 0) {
            router.deliver(Observation(connection: UInt64(number + 1), trial: trial))
        }
    }

    func stop() async { note("stop") }

    private func note(_ call: String) { calls.withLock { $0.append(call) } }
}

private struct ListScheduler: TrialScheduling {
    var phases: [Plan.Phase]
    let asked = Locked<[Int]>([])
    var ending = RunEnding()
    /// By number, the trial that it runs again.
    var retries: [Int: Int] = [:]

    mutating func next(after records: [EvidenceRecord]) -> ScheduledTrial? {
        asked.withLock { $0.append(records.count) }
        guard !phases.isEmpty else { return nil }
        return ScheduledTrial(
            phase: phases.removeFirst(), retryOf: retries[asked.withLock { $0.count }], expectedTotal: 3)
    }
}

private struct ClosureDriver: TrialDriver {
    var secondsPerTrial: Double? { nil }
    var progressStyle: ProgressLine.Style { .announced }
    var isWatched = false
    let body: @Sendable (NumberedTrial, Connections) async throws -> CommandEnding

    func drive(_ trial: NumberedTrial, connections: Connections) async throws -> CommandEnding {
        try await body(trial, connections)
    }
}

/// A watch that sees one flow in every trial.
private final class FakeWatch: NetworkWatching {
    let calls = Locked<[String]>([])

    func begin() async { calls.withLock { $0.append("begin") } }

    func collect(trial: Int) async -> [EvidenceRecord] {
        calls.withLock { $0.append("collect \(trial)") }
        guard let from = Endpoint("192.0.2.1:1"), let to = Endpoint("192.0.2.2:443") else { return [] }
        return [
            .flow(NetworkFlow(trial: trial, at: 1, transport: .tcp, from: from, to: to)),
            .networkWatched(NetworkWatched(trial: trial)),
        ]
    }
}

private let attack = Plan.Phase.attack(.trustedCA, Attack.trustedCA.variants[0], only: [])

private struct Run {
    let folder: TemporaryFolder
    let router = ObservationRouter()
    let interruption = Interruption()
    let output = Locked("")
    var scheduler = ListScheduler(phases: [.passthrough, attack])
    var selfTest = SelfTestResult(passed: true, problems: [], ms: 1)
    var evidence: EvidenceWriter

    init() throws {
        folder = try TemporaryFolder()
        evidence = try EvidenceWriter(path: folder.path + "/evidence.jsonl")
    }

    func run(
        _ proxy: FakeProxy, _ driver: any TrialDriver, watch: (any NetworkWatching)? = nil,
        remarks: @escaping @Sendable ([EvidenceRecord]) -> [String] = { _ in [] },
        origins: @escaping GateRunner.Origins = { OriginAnswers() }
    ) async throws -> RunEnd {
        let selfTest = self.selfTest
        let console = Console.recording(output)
        return await GateRunner(
            profile: try sampleProfile(), proxy: proxy, router: router, evidence: evidence, driver: driver,
            scheduler: scheduler, selfTest: { selfTest },
            progress: ProgressLine(console: console, secondsPerTrial: nil),
            interruption: interruption, clock: GateRunner.Clock(wall: { 1000 }, steady: { 5 }), watch: watch,
            remarks: remarks, origins: origins
        ).run(sampleHeader())
    }

    var kinds: [String] { evidence.records.map(\.kind) }
}

private let settling = ClosureDriver { _, connections in
    await connections.settleAndEnd()
    return CommandEnding()
}

@Test("who watches hears after each trial what came of it, and whether it goes on", arguments: [false, true])
func outlook(endsEarly: Bool) async throws {
    var run = try Run()
    if endsEarly { run.scheduler.ending.early = EarlyEnd(.caNotTrusted) }
    let driver = ClosureDriver(isWatched: true, body: settling.body)
    _ = try await run.run(FakeProxy(run.router), driver)
    let lines = run.output.withLock { $0 }.split(separator: "\n").filter { $0.hasPrefix("  ") }
    let hosts = TrialGlance(RunEvidence(run.evidence.records), profile: try sampleProfile(), trial: 1).text
    #expect(lines == ["  \(hosts): go on", "  \(hosts)\(endsEarly ? ": it ends here" : "")"])
}

@Test("what the first start shows is told once, before the second, or after the one that repeats it")
func remarks() async throws {
    func told(retried: Bool) async throws -> [Substring] {
        var run = try Run()
        if retried { run.scheduler = ListScheduler(phases: [.passthrough, .passthrough, attack], retries: [2: 1]) }
        _ = try await run.run(FakeProxy(run.router), settling, remarks: { ["seen: \(RunEvidence($0).trialCount)"] })
        return run.output.withLock { $0 }.split(separator: "\n").filter { $0.hasPrefix("seen") }
    }
    #expect(try await told(retried: false) == ["seen: 1"])
    #expect(try await told(retried: true) == ["seen: 2"])
}

@Test("evidence comes in order: header, self-test, trials with their connections, end")
func order() async throws {
    let run = try Run()
    let proxy = FakeProxy(run.router, open: [1: 2, 2: 1])
    let end = try await run.run(proxy, settling)
    #expect(
        run.kinds == [
            "header", "self-test", "trial-started", "connection", "connection", "trial-ended", "trial-started",
            "connection", "trial-ended", "run-ended",
        ])
    #expect(end == RunEnd(interrupted: false, fault: nil, seconds: 0, at: 1000))
    #expect(proxy.calls.withLock { $0 } == ["apply 1", "settle", "end", "apply 2", "settle", "end"])
    #expect(run.scheduler.asked.withLock { $0 } == [2, 6, 9])
    guard case .trialStarted(let start) = run.evidence.records[6] else { return #expect(Bool(false)) }
    #expect(start == TrialStart(trial: 2, attack: .trustedCA, variant: nil, only: [], at: 1000))
}

@Test("what the watch saw comes after the trial's connections have ended, and before its end")
func watched() async throws {
    let run = try Run()
    let watch = FakeWatch()
    _ = try await run.run(FakeProxy(run.router, open: [1: 1]), settling, watch: watch)
    #expect(
        run.kinds == [
            "header", "self-test", "trial-started", "connection", "flow", "network-watched", "trial-ended",
            "trial-started", "flow", "network-watched", "trial-ended", "run-ended",
        ])
    #expect(watch.calls.withLock { $0 } == ["begin", "collect 1", "collect 2"])
}

@Test("connections of the self-test, and ones after the last trial, are no evidence")
func routed() async throws {
    let run = try Run()
    run.router.deliver(Observation(connection: 1))
    _ = try await run.run(FakeProxy(run.router), settling)
    run.router.deliver(Observation(connection: 2))
    #expect(!run.kinds.contains("connection"))
}

@Test("a gate that fails its self-test runs no trial and says so in the evidence")
func failedSelfTest() async throws {
    var run = try Run()
    run.selfTest = SelfTestResult(passed: false, problems: ["the unpinned client was not caught"], ms: 1)
    let proxy = FakeProxy(run.router)
    let end = try await run.run(proxy, settling)
    #expect(run.kinds == ["header", "self-test", "run-ended"])
    #expect(end.fault == "self-test failed: the unpinned client was not caught")
    #expect(proxy.calls.withLock { $0.isEmpty })
}

@Test("an interruption ends the trial as interrupted, and the run after it")
func interruptedRun() async throws {
    let run = try Run()
    let interruption = run.interruption
    let proxy = FakeProxy(run.router, open: [1: 1])
    let end = try await run.run(
        proxy,
        ClosureDriver { _, connections in
            await interruption.request()
            await connections.cut()
            var ending = CommandEnding()
            ending.interrupted = true
            return ending
        })
    #expect(end.interrupted)
    #expect(end.fault == nil)
    #expect(run.kinds == ["header", "self-test", "trial-started", "connection", "trial-ended", "run-ended"])
    guard case .trialEnded(let ended) = run.evidence.records[4] else { return #expect(Bool(false)) }
    #expect(ended.interrupted)
}

@Test("an interruption while connections settle marks the trial, though its command ended by itself")
func interruptedWhileSettling() async throws {
    let run = try Run()
    let interruption = run.interruption
    let end = try await run.run(
        FakeProxy(run.router),
        ClosureDriver { _, connections in
            await interruption.request()
            #expect(await !connections.settleAndEnd())
            return CommandEnding()
        })
    #expect(end.interrupted)
    guard case .trialEnded(let ended) = run.evidence.records[3] else { return #expect(Bool(false)) }
    #expect(ended.interrupted)
}

@Test("a driver that fails ends its connections and trial, and is the run's fault")
func failingDriver() async throws {
    let run = try Run()
    let proxy = FakeProxy(run.router, open: [1: 1])
    let end = try await run.run(
        proxy, ClosureDriver { _, _ in throw GateError.commandNotStarted("/x", reason: "exec format error") })
    #expect(end.fault == "/x: cannot be started: exec format error")
    #expect(run.kinds == ["header", "self-test", "trial-started", "connection", "trial-ended", "run-ended"])
}

@Test("a plan that the proxy cannot take is the run's fault")
func failingPlan() async throws {
    let run = try Run()
    let end = try await run.run(FakeProxy(run.router, failsAt: 2), settling)
    #expect(end.fault == "trial 2 could not begin: no context")
    #expect(run.kinds.last == "run-ended")
}

#if os(Linux)
    @Test("a disk that is full ends the run with a fault")
    func diskFull() async throws {
        var run = try Run()
        run.evidence = try EvidenceWriter(
            appendingTo: "/dev/full")
        let proxy = FakeProxy(run.router)
        let end = try await run.run(proxy, settling)
        #expect(end.fault == "/dev/full: cannot write: no space left on device")
        #expect(proxy.calls.withLock { $0.isEmpty })
    }
#endif

@Test("each run of COMMAND gets its trial's variables, and its output a file of its own")
func commandTrials() async throws {
    let run = try Run()
    let folder = try RunFolder.create(at: run.folder.path + "/run")
    let script = try run.folder.script("client", "echo \"$PINPROOF_TRIAL $PINPROOF_PHASE $https_proxy\"; exit 3")
    let driver = CommandDriver(
        CommandRunner(try Command([script]), timeLimit: .seconds(600)),
        environment: CommandEnvironment(proxy: "http://p", ca: "/ca", run: folder.path), folder: folder,
        interruption: run.interruption)
    let proxy = FakeProxy(run.router)
    let end = try await run.run(proxy, driver)
    #expect(end.fault == nil)
    #expect(
        try run.folder.names("run/client") == [
            "1-passthrough.err", "1-passthrough.out", "2-trusted-ca.err", "2-trusted-ca.out",
        ])
    #expect(try run.folder.text("run/client/2-trusted-ca.out") == "2 trusted-ca http://p\n")
    #expect(proxy.calls.withLock { $0 } == ["apply 1", "settle", "end", "apply 2", "settle", "end"])
    guard case .trialEnded(let ended) = run.evidence.records[3] else { return #expect(Bool(false)) }
    #expect(ended.exit == 3 && ended.signal == nil && !ended.timedOut)
}

/// What the ends of its trials say.
private func leftState(_ run: Run) -> [Bool] {
    run.evidence.records.compactMap { record -> Bool? in
        guard case .trialEnded(let end) = record else { return nil }
        return end.leftState
    }
}

@Test("a second start begins with a copy of what the last untouched start left, however often")
func secondStart() async throws {
    var run = try Run()
    let variant = try #require(Attack.trustedCA.variants.first { $0.name == "second-start" })
    let second = Plan.Phase.attack(.trustedCA, variant, only: [])
    run.scheduler = ListScheduler(phases: [.passthrough, attack, second, second, .passthrough, second])
    let folder = try RunFolder.create(at: run.folder.path + "/run")
    let script = try run.folder.script(
        "client", "cd \"$PINPROOF_STATE\"; ls; mkdir -p of; touch \"of-$PINPROOF_TRIAL\"; chmod 555 of")
    let driver = CommandDriver(
        CommandRunner(try Command([script]), timeLimit: .seconds(600)),
        environment: CommandEnvironment(proxy: "http://p", ca: "/ca", run: folder.path), folder: folder,
        interruption: run.interruption)
    _ = try await run.run(FakeProxy(run.router), driver)
    func found(_ trial: String) throws -> String { try run.folder.text("run/client/\(trial).out") }
    #expect(try found("1-passthrough") == "" && found("2-trusted-ca") == "")
    #expect(try found("3-trusted-ca") == "of\nof-1\n" && found("4-trusted-ca") == "of\nof-1\n")
    #expect(try found("5-passthrough") == "" && found("6-trusted-ca") == "of\nof-5\n")
    let ends = leftState(run)
    #expect(ends == Array(repeating: true, count: 6))
    #expect(try run.folder.names("run/state") == ["attacked-6", "untouched-5"])
    folder.removeKeptStates()
    #expect(try !run.folder.names("run").contains("state"))
}

@Test("a start after a refusal goes on from the first one under trusted-ca, or from one that itself went on")
func startAfterRefusal() async throws {
    var run = try Run()
    let forms = try ["second-start", "after-refusal"].map { name in
        Plan.Phase.attack(.trustedCA, try #require(Attack.trustedCA.variants.first { $0.name == name }), only: [])
    }
    run.scheduler = ListScheduler(phases: [.passthrough, attack, attack, forms[1], forms[0], attack, forms[1]])
    let folder = try RunFolder.create(at: run.folder.path + "/run")
    let script = try run.folder.script("client", "cd \"$PINPROOF_STATE\"; ls; touch \"of-$PINPROOF_TRIAL\"")
    let driver = CommandDriver(
        CommandRunner(try Command([script]), timeLimit: .seconds(600)),
        environment: CommandEnvironment(proxy: "http://p", ca: "/ca", run: folder.path), folder: folder,
        interruption: run.interruption)
    _ = try await run.run(FakeProxy(run.router), driver)
    func found(_ trial: Int) throws -> String { try run.folder.text("run/client/\(trial)-trusted-ca.out") }
    #expect(try found(2) == "" && found(3) == "" && found(4) == "of-2\n" && found(5) == "of-1\n")
    #expect(try found(6) == "" && found(7) == "of-1\nof-5\n")
    folder.removeKeptStates()
    #expect(try !run.folder.names("run").contains("state"))
}

@Test("each start finds a PINPROOF_STATE that is empty; with --keep-state, what the ones before it left")
func stateOfStarts() async throws {
    for keepsState in [false, true] {
        let run = try Run()
        let folder = try RunFolder.create(at: run.folder.path + "/run")
        let script = try run.folder.script(
            "client", "ls \"$PINPROOF_STATE\"; touch \"$PINPROOF_STATE/$PINPROOF_TRIAL\"")
        let driver = CommandDriver(
            CommandRunner(try Command([script]), timeLimit: .seconds(600)),
            environment: CommandEnvironment(proxy: "http://p", ca: "/ca", run: folder.path), folder: folder,
            interruption: run.interruption, keepsState: keepsState)
        _ = try await run.run(FakeProxy(run.router), driver)
        #expect(try run.folder.text("run/client/1-passthrough.out") == "")
        #expect(try run.folder.text("run/client/2-trusted-ca.out") == (keepsState ? "1\n" : ""))
        let ends = leftState(run)
        #expect(ends == [!keepsState, !keepsState])
        // What an app keeps can be large; it stays only where it was asked for.
        folder.removeKeptStates()
        #expect(try run.folder.names("run").contains("state") == keepsState)
    }
}

@Test("a command that hangs has its connections cut before it is ended, without waiting for them to settle")
func hangingCommand() async throws {
    var run = try Run()
    run.scheduler.phases = [attack]
    let folder = try RunFolder.create(at: run.folder.path + "/run")
    let driver = CommandDriver(
        CommandRunner(
            try Command([try run.folder.script("client", "exec sleep 100000")]), timeLimit: .milliseconds(200)),
        environment: CommandEnvironment(proxy: "http://p", ca: "/ca", run: folder.path), folder: folder,
        interruption: run.interruption)
    let proxy = FakeProxy(run.router)
    _ = try await run.run(proxy, driver)
    #expect(proxy.calls.withLock { $0 } == ["apply 1", "end"])
    guard case .trialEnded(let ended) = run.evidence.records[3] else { return #expect(Bool(false)) }
    #expect(ended.timedOut && ended.exit == nil && ended.signal == Int(SIGTERM))
}

@Test("a server that keeps the run waiting is named, and Ctrl-C does not wait for it")
func originsAsked() async throws {
    let run = try Run()
    let silent = OriginAnswers(silent: [try #require(HostName("api.test"))])
    _ = try await run.run(FakeProxy(run.router), settling, origins: { silent })
    #expect(run.output.withLock { $0 }.contains("api.test did not answer in time"))
    let (never, _) = AsyncStream<OriginAnswers>.makeStream()
    let stopped = try Run()
    await stopped.interruption.request()
    let origins: GateRunner.Origins = { await never.first { _ in true } ?? OriginAnswers() }
    #expect(try await stopped.run(FakeProxy(stopped.router), settling, origins: origins).interrupted)
}
