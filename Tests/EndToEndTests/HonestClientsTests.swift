import Foundation
import Testing

/// Every stack, pinned by its own means or not at all: no cell may be proven or condemned falsely.
@Suite("Real clients", .timeLimit(.minutes(60)))
struct HonestClientsTests {
    static let all =
        [
            "curl", "wget", "requests", "node", "java:trust-manager", "java:post-check", "java:okhttp", "go",
            "python-ssl", "gnutls", "erlang",
        ] + slow

    /// What takes minutes to build is there every night alone.
    static let slow = Places.testsAll ? ["swift"] : []

    /// One of each way to refuse, where the rest of `all` repeats what another test of it has shown.
    ///
    /// All of them with PINPROOF_TESTS=all (`make test-all`, every night).
    static let some =
        Places.testsAll ? all : ["curl", "node", "java:okhttp", "go"]

    /// The standard set takes some twenty cold starts: one of each way to refuse meets all of it, the others the quick set.
    private static func attacks(on client: String, all: [String] = some) -> String {
        Places.testsAll || all.contains(client) ? "standard" : "quick"
    }

    /// These finish the handshake before they look at the pin, and refuse an unknown CA within it.
    static let tellCAsApart = ["curl", "requests", "java:post-check", "java:okhttp", "python-ssl"]

    @Test("a pinned client that trusts the CA and visits a control host is proven to be pinned", arguments: all)
    func pinned(client: String) async throws {
        try await GateRun.of(Scenario(client: client, attacks: Self.attacks(on: client))) { run in
            try run.expect("proven-pinned", status: 0, strength: "S2a")
            let host = try #require(run.target)
            #expect(host.missing == [])
            #expect(host.fellFor == [], "\(run)")
            #expect(host.coldStarts == 1)
            let bound = try #require(host.acceptanceBound95)
            #expect(abs(bound - 0.95) < 0.006, "one cold start bounds the rate of acceptances by 95 %")
            #expect(host.mastg.contains("MASTG-TEST-0244"))
            #expect((host.tally("passthrough")?.bytesUp ?? 0) > 0)
        }
    }

    @Test("an unpinned client that trusts the CA is caught", arguments: all)
    func unpinned(client: String) async throws {
        try await GateRun.of(Scenario(client: client, pin: nil, visitsControl: false, attacks: "quick")) { run in
            try run.expect("not-pinned", status: 1, subtype: "plain")
            #expect(run.target?.fellFor == ["trusted-ca"], "\(run)")
        }
    }

    @Test("a pinned client that does not trust the CA is not proven to be pinned", arguments: some)
    func pinnedWithoutTrust(client: String) async throws {
        try await GateRun.of(Scenario(client: client, trusted: false, attacks: "quick")) { run in
            try run.expect("refused-unproven", status: 2)
            #expect(run.target?.missing.contains("trust-control") == true, "\(run)")
        }
    }

    @Test("an unpinned client that does not trust the CA is not taken for a pinned one", arguments: some)
    func unpinnedWithoutTrust(client: String) async throws {
        try await GateRun.of(Scenario(client: client, pin: nil, trusted: false, attacks: "quick")) { run in
            try run.expect("refused-unproven", status: 2)
            #expect(run.target?.missing.contains("trust-control") == true, "\(run)")
        }
    }

    @Test("without a control host, a stack that gets further under the trusted CA is proven by that", arguments: some)
    func pinnedWithoutControl(client: String) async throws {
        // Twice: a difference that was seen once may be chance.
        let attacks = Self.attacks(on: client, all: ["curl"])
        var scenario = Scenario(client: client, visitsControl: false, attacks: attacks, coldStarts: 2)
        scenario.onlyPins = true
        try await GateRun.of(scenario) { run in
            if Self.tellCAsApart.contains(client) {
                try run.expect("proven-pinned", status: 0, strength: "S2c")
            } else {
                try run.expect("refused-unproven", status: 2)
                #expect(run.target?.missing == ["trust-control"], "\(run)")
            }
        }
    }

    @Test(
        "TLS 1.2 alone changes how clients refuse, and no verdict",
        arguments: ["curl", "wget", "gnutls", "node", "java:okhttp", "go"])
    func pinnedOverTLS12(client: String) async throws {
        try await GateRun.of(
            Scenario(
                client: client, attacks: Self.attacks(on: client, all: ["gnutls"]), service: .tls12)
        ) { run in
            try run.expect("proven-pinned", status: 0, strength: "S2a")
            #expect(run.target?.fellFor == [], "\(run)")
        }
    }

    @Test("an OpenSSL client's plaintext alert in TLS 1.3 is read as what it says")
    func plaintextAlert() async throws {
        let scenario = Scenario(client: "curl", pin: nil, trusted: false, visitsControl: false, attacks: "quick")
        try await GateRun.of(scenario) { run in
            #expect(run.target?.tally("trusted-ca")?.alerts == ["unknown_ca": 1], "\(run)")
            #expect(run.target?.tally("untrusted-ca")?.alerts.keys.contains("unknown_ca") == true, "\(run)")
        }
    }
}
