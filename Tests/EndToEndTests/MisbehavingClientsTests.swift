import Testing

/// Clients built wrong in one way each, and clients that only look as if they refused.
@Suite("Clients that misbehave on purpose", .timeLimit(.minutes(60)))
struct MisbehavingClientsTests {
    @Test("a pin that is looked for in the presented list is got around by a smuggled chain, and by nothing else")
    func presentedChain() async throws {
        try await GateRun.of(Scenario(client: "python-ssl:presented-chain")) { run in
            try run.expect("not-pinned", status: 1, subtype: "bypass")
            #expect(run.target?.fellFor == ["smuggled-chain"], "\(run)")
        }
    }

    @Test("a pin that is checked after the request has left is no pin")
    func sendsThenChecks() async throws {
        try await GateRun.of(Scenario(client: "python-ssl:sends-then-checks", attacks: "quick")) { run in
            #expect(run.command.status == 1, "\(run)")
            #expect(run.target?.verdict == "not-pinned", "\(run)")
            #expect(run.target?.fellFor == ["trusted-ca"], "\(run)")
        }
    }

    @Test("a client that ignores the name falls for other-host")
    func noHostname() async throws {
        let scenario = Scenario(
            client: "python-ssl:no-hostname", pin: nil, visitsControl: false,
            attacks: "trusted-ca,untrusted-ca,other-host")
        try await GateRun.of(scenario) { run in
            try run.expect("not-pinned", status: 1, subtype: "broken-tls")
            #expect(run.target?.fellFor == ["other-host", "trusted-ca"], "\(run)")
        }
    }

    @Test("a client that verifies nothing falls for a CA that was never installed, and for a self-signed leaf")
    func trustsAll() async throws {
        let scenario = Scenario(client: "python-ssl:trust-all", pin: nil, trusted: false, visitsControl: false)
        try await GateRun.of(scenario) { run in
            try run.expect("not-pinned", status: 1, subtype: "broken-tls")
            let fellFor = run.target?.fellFor ?? []
            #expect(fellFor.contains("untrusted-ca"), "\(run)")
            #expect(fellFor.contains("self-signed"), "\(run)")
            // OpenSSL checks the handshake's signature even so: only then is the genuine chain of any use.
            #expect(!fellFor.contains("wrong-key"), "\(run)")
        }
    }

    @Test("a client that ignores dates falls for expired and not-yet-valid chains")
    func ignoresExpiry() async throws {
        let scenario = Scenario(client: "python-ssl:ignores-expiry", pin: nil, visitsControl: false)
        try await GateRun.of(scenario) { run in
            try run.expect("not-pinned", status: 1, subtype: "broken-tls")
            #expect(
                run.target?.fellFor == [
                    "cloned-identity", "expired", "not-yet-valid", "resumed-session", "silent-server",
                    "smuggled-chain", "trusted-ca",
                ], "\(run)")
        }
    }

    @Test("an unpinned client that is otherwise sound falls for no broken chain")
    func soundButUnpinned() async throws {
        try await GateRun.of(Scenario(client: "curl", pin: nil, visitsControl: false)) { run in
            #expect(run.target?.verdict == "not-pinned", "\(run)")
            // These begin with a good leaf and a good issuer: whoever has no pin accepts them as well.
            #expect(
                run.target?.fellFor == [
                    "cloned-identity", "resumed-session", "silent-server", "smuggled-chain", "trusted-ca",
                ], "\(run)")
        }
    }

    @Test("four attempts at one request are one refusal")
    func retries() async throws {
        try await GateRun.of(Scenario(client: "python-ssl:retries", attacks: "quick")) { run in
            try run.expect("proven-pinned", status: 0, strength: "S2a")
            #expect(run.target?.tally("trusted-ca")?.connections == 4, "\(run)")
            #expect(run.target?.coldStarts == 1, "\(run)")
        }
    }

    @Test("spare connections that never carry a byte do not make an accepting client a refusing one")
    func speculative() async throws {
        let scenario = Scenario(client: "python-ssl:speculative", pin: nil, visitsControl: false, attacks: "quick")
        try await GateRun.of(scenario) { run in
            try run.expect("not-pinned", status: 1, subtype: "plain")
            #expect(run.target?.count("post", under: "trusted-ca") == 1, "\(run)")
        }
    }

    @Test("spare connections do not make a refusing client an accepting one")
    func speculativePinned() async throws {
        try await GateRun.of(Scenario(client: "python-ssl:speculative", attacks: "quick")) { run in
            #expect(run.command.status == 0 || run.command.status == 2, "\(run)")
            #expect(run.target?.verdict != "not-pinned", "\(run)")
            #expect(run.target?.fellFor == [], "\(run)")
        }
    }

    @Test("a connection left open in silence is no refusal")
    func idle() async throws {
        let scenario = Scenario(client: "python-ssl:idle", attacks: "quick", attemptTimeout: 14)
        try await GateRun.of(scenario) { run in
            try run.expect("refused-unproven", status: 2)
            #expect(run.target?.missing.contains("idle-connections") == true, "\(run)")
            #expect(run.target?.count("idle", under: "trusted-ca") == 1, "\(run)")
        }
    }

    @Test("a client that waits for the server to speak is never taken for one that refuses")
    func serverFirst() async throws {
        let scenario = Scenario(
            client: "python-ssl:server-first", pin: nil, visitsControl: false, attacks: "quick", service: .banner)
        try await GateRun.of(scenario) { run in
            #expect(run.command.status != 0, "\(run)")
            #expect(run.target != nil && run.target?.verdict != "proven-pinned", "\(run)")
        }
    }

    @Test("a client that is gone before our certificate reaches it has refused nothing")
    func diesEarly() async throws {
        let scenario = Scenario(client: "python-ssl:dies-early", visitsControl: false, attacks: "quick")
        try await GateRun.of(scenario) { run in
            // On a busy machine the system may acknowledge our flight for a client that is just being killed.
            #expect(run.command.status == 2, "\(run)")
            #expect(["not-exercised", "refused-unproven"].contains(run.target?.verdict ?? ""), "\(run)")
            let outcomes = run.target?.tally("trusted-ca")?.outcomes.filter { $0.value > 0 }.keys.sorted() ?? []
            #expect(Set(outcomes).isSubset(of: ["early", "silent"]), "\(run)")
        }
    }

    @Test("one acceptance in a later cold start outweighs the refusal in the first")
    func forgetful() async throws {
        let scenario = Scenario(
            client: "python-ssl:forgetful", visitsControl: false, attacks: "quick", coldStarts: 2)
        try await GateRun.of(scenario) { run in
            try run.expect("not-pinned", status: 1, subtype: "plain")
            #expect(run.target?.count("post", under: "trusted-ca") == 1, "\(run)")
            #expect(run.target?.count("data", under: "trusted-ca") == 1, "\(run)")
        }
    }
}
