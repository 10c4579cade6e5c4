import Foundation
import Testing

/// Expectations other than `refuse`, and runs that must not end in a verdict.
@Suite("Expectations and environments", .timeLimit(.minutes(60)))
struct ExpectationTests {
    /// A virtual machine's twenty starts cost as much as all others' together, and say here what those say.
    static let some = Places.testsAll ? ["curl", "java:okhttp", "go"] : ["curl", "go"]

    @Test("expect: accept is met by an unpinned client", arguments: some)
    func accepted(client: String) async throws {
        let scenario = Scenario(client: client, pin: nil, visitsControl: false, expect: "accept", attacks: "quick")
        try await GateRun.of(scenario) { run in
            try run.expect("accepted", status: 0)
        }
    }

    @Test("expect: accept is failed by a pinned client", arguments: some)
    func refused(client: String) async throws {
        let scenario = Scenario(client: client, visitsControl: false, expect: "accept", attacks: "quick")
        try await GateRun.of(scenario) { run in
            try run.expect("refused", status: 1)
        }
    }

    @Test("a tunnelled host stays untouched while another is attacked")
    func tunnelled() async throws {
        var scenario = Scenario(client: "curl", coldStarts: 2, otherRules: ["\(control): { expect: tunnel }"])
        scenario.visitsControl = false
        scenario.onlyPins = true
        scenario.command = { drive, _ in drive + ["--control", "https://\(control)/"] }
        try await GateRun.of(scenario) { run in
            try run.expect("proven-pinned", status: 0, strength: "S2c")
            #expect(run.report?.host(control)?.verdict == "tunnelled", "\(run)")
        }
    }

    @Test("a host that only comes after an attacked one is attacked alone")
    func dependentHost() async throws {
        var scenario = Scenario(
            client: "curl", attacks: "quick", otherRules: ["other.test: { expect: refuse }"])
        scenario.command = { drive, _ in
            let second = drive.map { $0.replacing(target, with: "other.test") }
            return ["sh", "-c", "\(quoted(drive)) && \(quoted(second))"]
        }
        try await GateRun.of(scenario) { run in
            try run.expect("proven-pinned", status: 0, strength: "S2a")
            #expect(run.report?.host("other.test")?.verdict == "proven-pinned", "\(run)")
        }
    }

    @Test(
        "a CA made with --only signs for the profile's hosts, and proves as much",
        arguments: ["curl", "go", "java:okhttp"] + HonestClientsTests.slow)
    func constrainedCA(client: String) async throws {
        let scenario = Scenario(client: client, options: ["--ca", "ca"])
        try await GateRun.of(scenario, beforehand: ["ca", "init", "--only", "profile.yaml", "--ca", "ca"]) { run in
            try run.expect("proven-pinned", status: 0, strength: "S2a")
            #expect(run.report?.ca.scope?.contains(target) == true, "\(run)")
        }
    }

    @Test("no request to the host proves nothing")
    func noRequest() async throws {
        try await GateRun.of(Scenario(client: "curl", visitsTarget: false, attacks: "quick")) { run in
            try run.expect("not-exercised", status: 2)
        }
    }

    @Test("a command that does nothing proves nothing")
    func noTraffic() async throws {
        var scenario = Scenario(client: "curl", attacks: "quick")
        scenario.command = { _, _ in ["true"] }
        try await GateRun.of(scenario) { run in
            try run.expect("not-exercised", status: 2)
        }
    }

    @Test(
        "a client that is broken untouched too is no refusing one",
        arguments: ["curl", "node", "java:trust-manager", "go"])
    func broken(client: String) async throws {
        try await GateRun.of(Scenario(client: client, pin: "spare", attacks: "quick")) { run in
            #expect(run.command.status == 2 || run.command.status == 3, "\(run)")
            #expect(["invalid-environment", "not-exercised"].contains(run.target?.verdict ?? ""), "\(run)")
        }
    }

    @Test("an origin that cannot be reached gives no verdict")
    func unreachableOrigin() async throws {
        // Port 1 is tcpmux: nobody serves it.
        try await GateRun.of(Scenario(client: "curl", attacks: "quick", resolvesTo: 1)) { run in
            #expect(run.command.status == 2 || run.command.status == 3, "\(run)")
            #expect(["invalid-environment", "not-exercised"].contains(run.target?.verdict ?? ""), "\(run)")
        }
    }

    @Test("an origin whose root is not named is never accepted silently")
    func unknownRoot() async throws {
        let scenario = Scenario(client: "curl", pin: nil, visitsControl: false, attacks: "quick", knowsRoot: false)
        try await GateRun.of(scenario) { run in
            #expect(run.command.status == 2 || run.command.status == 3, "\(run)")
            #expect(run.target?.fellFor ?? [] == [], "\(run)")
        }
    }
}

/// An argument list as a shell reads it back.
func quoted(_ arguments: [String]) -> String {
    arguments.map { "'" + $0.replacing("'", with: #"'\''"#) + "'" }.joined(separator: " ")
}
