import Foundation
import Support
import Testing

/// The names the test origin serves.
let target = "api.test"
let control = "cdn.test"

/// What one run of `pinproof gate` is to be: profile, client, options.
struct Scenario: Sendable {
    var client: String
    /// The host that is asked for, and has to refuse.
    var host = target
    /// The name whose certificate the client pins; `spare` is nobody's; nil: it is not pinned.
    var pin: String? = target
    var trusted = true
    /// The client visits the control host first, and the profile names it.
    var visitsControl = true
    /// The client asks for the target at all.
    var visitsTarget = true
    var expect = "refuse"
    var attacks = "standard"
    var coldStarts = 1
    var attemptTimeout = 20
    var service = Origin.Service.any
    /// More of the target's own rule, after a comma.
    var targetRule = ""
    /// What is lent for the target: the inside of its map under `lent:`.
    var lent: String?
    /// More rules under `hosts:`, each `name: { … }`.
    var otherRules: [String] = []
    /// Entries under `clients:`, each `name: { … }`.
    var clients: [String] = []
    /// All attacks and all trials, whatever the first ones show; else as a gate is by itself.
    var isThorough = true
    /// More options of the gate.
    var options: [String] = ["--ephemeral-ca"]
    /// The profile names the origin's root.
    var knowsRoot = true
    /// The profile says that nothing but a pin refuses after a handshake.
    var onlyPins = false
    /// Overrides the origin's port: nobody listens there.
    var resolvesTo: Int?
    /// The COMMAND, if it is not one run of the client.
    var command: (@Sendable (_ drive: [String], _ folder: URL) -> [String])?

    func profile(_ origin: Origin) throws -> String {
        let port = resolvesTo ?? origin.ports.port(of: service)
        let pins = expect == "refuse" ? ", pins: [\"\(try origin.pin(host))\"]" : ""
        var lines = [
            "version: 1", "name: end-to-end", "hosts:", "  \(host): { expect: \(expect)\(pins)\(targetRule) }",
        ]
        lines += otherRules.map { "  \($0)" }
        lines += ["others: tunnel"]
        if onlyPins { lines += ["only_pins: true"] }
        if !clients.isEmpty { lines += ["clients:"] + clients.map { "  \($0)" } }
        if visitsControl { lines += ["controls:", "  - \(control)"] }
        // At its own port a host shares its address with no other; where there is no web, a control cannot be asked.
        let others = [.own, .mail, .smtp].contains(service) ? origin.ports.any : port
        lines += ["resolve:", "  \(host): 127.0.0.1:\(port)"]
        lines += [control, "other.test"].map { "  \($0): 127.0.0.1:\(others)" }
        if let lent { lines += ["lent:", "  \(host): { \(lent) }"] }
        if knowsRoot { lines += ["upstream:", "  roots: [origin/root.pem]"] }
        return lines.joined(separator: "\n") + "\n"
    }

    /// One cold start of the client, as `Tests/Clients/drive` takes it.
    func drive(_ origin: Origin) -> [String] {
        var drive = [Places.clients.appending(path: "drive").path, "--client", client, "--origin", origin.folder.path]
        if service == .own { drive += ["--service", service.rawValue] }
        if trusted { drive.append("--trust") }
        if visitsControl { drive += ["--control", "https://\(control)/control"] }
        if visitsTarget { drive += ["--url", "https://\(host)/secret"] }
        if let pin { drive += ["--pin", pin] }
        return drive
    }
}

/// A finished gate: its status, its words, its report.
struct GateRun: Sendable, CustomStringConvertible {
    var command: Command
    var report: ReportFile?
    /// Gone when the test is over, unless PINPROOF_KEEP is set.
    var folder: URL

    var description: String {
        let said = "\(command.errors)\n\(command.output)".split(separator: "\n").suffix(30).joined(separator: "\n")
        return "status \(command.status), \(folder.path)\n\(said)"
    }

    /// The host that the scenario is about.
    var host = EndToEndTests.target

    var target: ReportFile.Host? { report?.host(host) }

    /// Runs the gate, and gives the finished run to `check` while its folder is still there. `beforehand`: another
    /// pinproof command to run first, beside the written profile.yaml.
    static func of(
        _ scenario: Scenario, beforehand: [String] = [], limit: Duration = .seconds(400),
        _ check: @Sendable @escaping (GateRun) async throws -> Void
    ) async throws {
        guard try await isInstalled(scenario.client) else { return }
        await Turnstile.gates.enter()
        do {
            try await Places.withFolder { folder in
                try await Origin.serving(in: folder.appending(path: "origin")) { origin in
                    let run = try await gate(scenario, origin, beforehand, in: folder, limit: limit)
                    try await check(run)
                }
            }
        } catch {
            await Turnstile.gates.leave()
            throw error
        }
        await Turnstile.gates.leave()
    }

    private static func gate(
        _ scenario: Scenario, _ origin: Origin, _ beforehand: [String], in folder: URL, limit: Duration
    ) async throws -> GateRun {
        let profile = folder.appending(path: "profile.yaml")
        try scenario.profile(origin).write(to: profile, atomically: true, encoding: .utf8)
        if !beforehand.isEmpty {
            let first = try await Command.run(Places.pinproof, beforehand, in: folder)
            #expect(first.status == 0, "pinproof \(beforehand.joined(separator: " ")): \(first.errors)")
        }
        let drive = scenario.drive(origin)
        let command = scenario.command?(drive, folder) ?? drive
        let began = ContinuousClock.now
        let finished = try await Command.run(
            Places.pinproof,
            ["gate", profile.path, "--out", folder.appending(path: "run").path]
                + ["--attacks", scenario.attacks, "--cold-starts", "\(scenario.coldStarts)"]
                + ["--attempt-timeout", "\(scenario.attemptTimeout)", "--no-color"]
                + (scenario.isThorough ? ["--exhaustive", "--keep-going"] : []) + scenario.options + ["--"]
                + command,
            in: folder, limit: limit)
        let report = try? ReportFile(contentsOf: folder.appending(path: "run/report.json"))
        note(
            "\((ContinuousClock.now - began).components.seconds) \(scenario.client) \(scenario.attacks) "
                + "\(report?.host(scenario.host)?.verdict ?? "-")")
        return GateRun(command: finished, report: report, folder: folder, host: scenario.host)
    }

    /// A file of the folder that `.ci/test` lists the slowest gates from: one each, as several gates may end at once.
    private static func note(_ line: String) {
        guard let folder = ProcessInfo.processInfo.environment["PINPROOF_TEST_TIMES"] else { return }
        try? Data((line + "\n").utf8).write(to: URL(filePath: folder).appending(path: UUID().uuidString))
    }

    /// A client that is not there fails the test, and says so: a test that is skipped looks like one that passed.
    private static func isInstalled(_ client: String) async throws -> Bool {
        let parts = client.split(separator: ":", maxSplits: 1).map(String.init)
        let run = Places.clients.appending(path: "\(parts[0])/run").path
        let answer = try await Command.run("env", ["CLIENT_CHECK=1", run] + parts.dropFirst())
        guard answer.status != 0 else { return true }
        Issue.record("client \(client) is not installed (\(answer.errors)); `make clients` installs it")
        return false
    }

    /// The outer shape that docs/report.md promises of every report, and what the test is about.
    func expect(
        _ verdict: String, status: Int32, strength: String? = nil, subtype: String? = nil,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let report = try #require(report, "no readable report: \(self)", sourceLocation: location)
        #expect(command.status == status, "\(self)", sourceLocation: location)
        #expect(report.exitStatus == command.status, "\(self)", sourceLocation: location)
        #expect(report.schema == "pinproof.report/1", sourceLocation: location)
        let result: [Int32: String] = [0: "pass", 1: "fail", 2: "inconclusive", 3: "invalid"]
        #expect(report.result == result[command.status], "\(self)", sourceLocation: location)
        #expect(report.selfTest.passed, "\(self)", sourceLocation: location)
        let host = try #require(target, "the target is not in the report: \(self)", sourceLocation: location)
        #expect(host.verdict == verdict, "\(host.why) \(self)", sourceLocation: location)
        #expect(host.strength == strength, "\(host.why) \(self)", sourceLocation: location)
        #expect(host.subtype == subtype, "\(host.why) \(self)", sourceLocation: location)
        #expect(!host.why.isEmpty, sourceLocation: location)
    }
}
