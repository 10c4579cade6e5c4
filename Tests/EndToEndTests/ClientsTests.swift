import Foundation
import Support
import Testing

/// Several real clients at once behind one gate, each with a verdict of its own.
@Suite("Clients", .timeLimit(.minutes(60)))
struct ClientsTests {
    /// Runs `commands` at once, each with PINPROOF_PROXY set to a client's URL; nil: to the gate's main one.
    private static func atOnce(_ commands: [(client: String?, words: [String])]) -> [String] {
        let url = #"python3 -c 'import json, os, sys; print(json.loads(os.environ["PINPROOF_CLIENTS"])[sys.argv[1]])'"#
        let lines = commands.map { client, words in
            (client.map { "PINPROOF_PROXY=$(\(url) \($0)) " } ?? "") + quoted(words) + " &"
        }
        return ["sh", "-c", lines.joined(separator: "\n") + "\nwait"]
    }

    private func scenario(_ clients: [String], stranger: Bool = false) -> Scenario {
        var scenario = Scenario(client: "curl", attacks: "quick")
        scenario.clients = clients
        scenario.command = { drive, _ in
            // The pin is what comes last.
            var commands: [(String?, [String])] = [("pinned", drive), ("open", drive.dropLast(2))]
            // A process of the system's that refuses whatever it meets.
            if stranger { commands.append((nil, drive.dropLast() + ["spare"])) }
            return Self.atOnce(commands)
        }
        return scenario
    }

    private func check(_ run: GateRun) throws {
        let report = try #require(run.report, "\(run)")
        #expect(run.command.status == 1 && report.result == "fail", "\(run)")
        let verdicts = Dictionary(
            report.hosts.filter { $0.host == target }.map { ($0.client ?? "", $0) }, uniquingKeysWith: { a, _ in a })
        #expect(verdicts.count == 2, "\(run)")
        let (pinned, open) = (try #require(verdicts["pinned"]), try #require(verdicts["open"]))
        #expect(pinned.verdict == "proven-pinned" && pinned.strength == "S2a", "\(pinned.why) \(run)")
        #expect(open.verdict == "not-pinned" && open.subtype == "plain", "\(open.why) \(run)")
        #expect(report.clients?.map(\.result) == ["pass", "fail"], "\(run)")
    }

    @Test("two clients at once are told apart by their credentials, and a stranger counts for nobody")
    func credentials() async throws {
        let clients = ["pinned: { user: pinned, password: \"a:b\" }", "open: { user: open }"]
        try await GateRun.of(scenario(clients, stranger: true)) { run in
            try check(run)
            #expect(run.report?.findings.contains { $0.id == "unattributed" } == true, "\(run)")
            #expect(run.command.errors.contains("http://pinned:***@127.0.0.1:"), "\(run)")
            #expect(!run.command.errors.contains("a%3Ab"), "\(run)")

            let again = try await Command.run(
                Places.pinproof, ["judge", "run", "--profile", "profile.yaml", "--json"], in: run.folder)
            #expect(again.status == 1, "\(again.errors)")
            #expect(again.output.contains("\"client\": \"pinned\""))
        }
    }

    @Test("two clients at once are told apart by their ports, and a stranger that is tunnelled counts for nobody")
    func ports() async throws {
        let clients = ["pinned: { listen: 127.0.0.1:0 }", "open: { listen: 127.0.0.1:0 }"]
        try await GateRun.of(scenario(clients, stranger: true)) { run in
            try check(run)
            #expect(run.report?.findings.contains { $0.id == "unattributed" } == true, "\(run)")
        }
    }

    @Test("COMMAND is the one client that has credentials, and a client that waits for the 407 is understood")
    func onlyOne() async throws {
        var scenario = Scenario(client: "curl", attacks: "quick")
        scenario.clients = ["phone: { user: phone, password: geheim }"]
        // curl asks without credentials first, and shows them when it is told which scheme to use.
        scenario.command = { _, folder in
            let origin = folder.appending(path: "origin").path
            return [
                "sh", "-c",
                """
                roots=$(mktemp) && cat \(quoted([origin + "/root.pem"])) "$PINPROOF_CA" > "$roots"
                curl -sS --proxy-anyauth --max-time 10 --cacert "$roots" https://\(control)/
                curl -sS --proxy-anyauth --max-time 10 --cacert "$roots" --pinnedpubkey \
                    "sha256//$(cat \(quoted([origin + "/" + target + ".pin"])))" https://\(target)/
                rm -f "$roots"
                """,
            ]
        }
        try await GateRun.of(scenario) { run in
            try run.expect("proven-pinned", status: 0, strength: "S2a")
            #expect(run.target?.client == "phone")
            #expect(run.report?.findings.isEmpty == true, "the 407 and the retry are one connection: \(run)")
        }
    }

    @Test("a client that never comes leaves the run open")
    func absent() async throws {
        var scenario = Scenario(client: "curl", attacks: "quick")
        scenario.clients = ["here: { listen: 127.0.0.1:0 }", "away: { address: 192.0.2.7 }"]
        scenario.command = { drive, _ in Self.atOnce([("here", drive)]) }
        try await GateRun.of(scenario) { run in
            let report = try #require(run.report, "\(run)")
            #expect(run.command.status == 2, "\(run)")
            #expect(report.clients?.map(\.result) == ["pass", "inconclusive"], "\(run)")
            #expect(report.findings.contains { $0.id == "client-not-seen" }, "\(run)")
        }
    }
}
