import Foundation
import Support
import Testing

/// Chains made with the real CAs' keys are shown to real clients, and what is said without those keys is held against that.
@Suite("Rehearsals of real clients", .timeLimit(.minutes(30)))
struct RehearsalTests {
    /// A client, what it pins of the origin, and what the profile says of that.
    struct Subject: Sendable, CustomTestStringConvertible {
        var client: String
        /// The file of the origin's PKI whose key is pinned; nil: the server's.
        var pins: String?
        /// The profile names it.
        var isNamed = true
        var isPinned = true
        /// What has to be said without any key, of the chains that are made.
        var said: [String: String]

        var testDescription: String { "\(client), \(isPinned ? pins ?? "its own key" : "unpinned")" }
    }

    static let leafPin = [
        "renewed-same-key": "works", "renewed-new-key": "locked-out", "other-intermediate": "works",
        "backup-key": "locked-out",
    ]
    static let issuerPin = [
        "renewed-same-key": "works", "renewed-new-key": "works", "other-intermediate": "locked-out",
        "backup-key": "works",
    ]
    static let rootPin = [
        "renewed-same-key": "works", "renewed-new-key": "works", "other-intermediate": "works", "backup-key": "works",
    ]
    static let unknown = [
        "renewed-same-key": "unclear", "renewed-new-key": "unclear", "other-intermediate": "unclear",
        "backup-key": "unclear",
    ]

    static let subjects = [
        Subject(client: "curl", said: leafPin),
        Subject(client: "curl", isPinned: false, said: rootPin),
        Subject(client: "java:okhttp", said: leafPin),
        Subject(client: "java:okhttp", pins: "intermediate", said: issuerPin),
        Subject(client: "java:okhttp", pins: "root", said: rootPin),
        Subject(client: "java:trust-manager", said: leafPin),
        Subject(client: "go", said: leafPin),
        // It pins the whole certificate, which a profile cannot say.
        Subject(client: "requests", isNamed: false, said: unknown),
    ]

    @Test("what is said without a key is what is seen with it, or unclear", arguments: subjects)
    func agrees(subject: Subject) async throws {
        try await RehearsalRun.of(subject) { seen, said in
            // Each chain of the team's own was shown, and its outcome seen.
            #expect(Set(seen.scenarios.keys).isSuperset(of: Self.leafPin.keys), "\(seen)")
            for (name, truth) in seen.scenarios where Self.leafPin[name] != nil {
                #expect(truth.by == "seen", "\(name) \(seen)")
                let answer = try #require(said.scenarios[name], "\(name) \(said)")
                #expect(answer.outcome == truth.outcome || answer.outcome == "unclear", "\(name) \(said)")
            }
            #expect(
                said.scenarios.mapValues(\.outcome).filter { subject.said[$0.key] != nil } == subject.said, "\(said)")
            let isLockedOut = seen.scenarios.values.contains { $0.outcome == "locked-out" && $0.own }
            #expect(seen.status == (isLockedOut ? 1 : 0), "\(seen)")
            let hasLockOut = subject.said.values.contains("locked-out")
            #expect(said.status == (hasLockOut ? 1 : subject.said.values.contains("unclear") ? 2 : 0), "\(said)")
        }
    }
}

/// One finished `pinproof rehearse`, by what it printed.
struct RehearsalRun: Sendable, CustomStringConvertible {
    struct Scenario: Decodable, Sendable {
        var name: String
        var outcome: String
        var why: String
        var by: String
        var own: Bool
    }

    private struct Report: Decodable {
        struct Host: Decodable { var scenarios: [Scenario] }
        var hosts: [Host]
    }

    var status: Int32
    var scenarios: [String: Scenario]
    var description: String

    /// Rehearses chains with their keys, and then the same ones without.
    static func of(
        _ subject: RehearsalTests.Subject,
        _ check: @Sendable @escaping (_ seen: Self, _ said: Self) async throws -> Void
    ) async throws {
        await Turnstile.gates.enter()
        do {
            try await Places.withFolder { folder in
                try await Origin.serving(in: folder.appending(path: "origin")) { origin in
                    let made = try await Command.run(
                        Places.clients.appending(path: "origin/mkfuture").path, [origin.folder.path, target])
                    #expect(made.status == 0, "\(made.errors)")
                    let seen = try await run(subject, origin, hasKeys: true, in: folder)
                    let said = try await run(subject, origin, hasKeys: false, in: folder)
                    try await check(seen, said)
                }
            }
        } catch {
            await Turnstile.gates.leave()
            throw error
        }
        await Turnstile.gates.leave()
    }

    private static func run(
        _ subject: RehearsalTests.Subject, _ origin: Origin, hasKeys: Bool, in folder: URL
    ) async throws -> Self {
        let pinned = subject.pins ?? target
        let pin = try await spki(origin.folder.appending(path: "\(pinned).pem"))
        // `drive` pins what a name's file says.
        let name = "pinned-\(hasKeys)"
        for ending in ["pin", "pem"] {
            let data =
                ending == "pin"
                ? Data(pin.utf8) : try Data(contentsOf: origin.folder.appending(path: "\(pinned).pem"))
            try data.write(to: origin.folder.appending(path: "\(name).\(ending)"))
        }
        let rule = subject.isNamed ? "expect: refuse, pins: [\"sha256/\(pin)\"]" : "expect: refuse"
        let text = """
            version: 1
            name: rehearsal
            hosts: { \(target): { \(rule) } }
            controls: [\(control)]
            resolve: { \(target): "127.0.0.1:\(origin.ports.any)", \(control): "127.0.0.1:\(origin.ports.any)" }
            upstream: { roots: [origin/root.pem] }

            """
        let profile = folder.appending(path: "profile.yaml")
        try text.write(to: profile, atomically: true, encoding: .utf8)
        let chains = RehearsalTests.leafPin.keys.sorted().flatMap { scenario in
            let path = origin.folder.appending(path: "future/\(scenario)").path
            return ["--with", "\(scenario)=\(path).pem" + (hasKeys ? ",\(path).key" : "")]
        }
        var scenario = EndToEndTests.Scenario(client: subject.client, pin: subject.isPinned ? name : nil)
        scenario.visitsControl = true
        let finished = try await Command.run(
            Places.pinproof,
            ["rehearse", profile.path, "--ephemeral-ca", "--json", "--standard", "--attempt-timeout", "20"]
                + ["--out", folder.appending(path: "run-\(hasKeys)").path] + chains + ["--"] + scenario.drive(origin),
            in: folder, limit: .seconds(400))
        let report = try? JSONDecoder().decode(Report.self, from: Data(finished.output.utf8))
        let scenarios = (report?.hosts.first?.scenarios ?? []).map { ($0.name, $0) }
        return Self(
            status: finished.status, scenarios: Dictionary(scenarios, uniquingKeysWith: { first, _ in first }),
            description: "\(finished.errors)\n\(finished.output)")
    }

    private static func spki(_ certificate: URL) async throws -> String {
        let pipeline =
            "openssl x509 -in '\(certificate.path)' -pubkey -noout | openssl pkey -pubin -outform DER"
            + " | openssl dgst -sha256 -binary | openssl base64"
        let made = try await Command.run("sh", ["-c", pipeline])
        return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
