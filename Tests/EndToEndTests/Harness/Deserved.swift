import Foundation
import Testing

/// What a client of `Tests/Clients/verdicts.json` deserves: the one list that these tests, `check` and `matrix` go by.
struct Deserved: Decodable, Sendable, CustomTestStringConvertible {
    var client: String
    /// One verdict, or several that are right, with `|` between them.
    var verdict: String
    /// Subtypes of `not-pinned` that are right.
    var subtype: [String]?
    /// What `refused-unproven` has to ask for.
    var missing: [String]?
    /// Findings that must be there, by id.
    var findings: [String]?
    /// The attacks under which it sends data; `valid` is every one that presents a valid chain.
    var falls: [String]
    /// Attacks under which it may send data.
    var may: [String]?
    var resumes: [String]?
    /// What these tests run: enough to tell the client from a sound one.
    var attacks: String
    var pinned: Bool?
    /// false: so like another that only `matrix` takes the time, and these tests with PINPROOF_TESTS=all.
    var tested: Bool?
    /// The host that is asked for; api.test unless another one is needed.
    var host: String?
    /// The origin's service that the host lives at; any.
    var service: String?
    var coldStarts: Int?
    /// The kind of material that the profile lends.
    var lent: String?
    /// Other hosts that must refuse, and what they deserve.
    var hosts: [String: Other]?
    /// `like`: the gate's CA is made like the origin's.
    var ca: String?
    /// A host that the profile expects to accept.
    var accepts: String?
    /// The host that it tells about refusals, as the profile says.
    var reportsTo: String?

    struct Other: Decodable, Sendable {
        var verdict: String
        var subtype: [String]
    }

    var testDescription: String { client + (isPinned ? "" : ", unpinned") + (ca == nil ? "" : ", CA \(ca ?? "")") }

    var isPinned: Bool { pinned ?? true }
    var verdicts: [String] { verdict.split(separator: "|").map(String.init) }

    /// Attacks whose chains a sound client without a pin accepts.
    static let valid: Set = [
        "trusted-ca", "smuggled-chain", "cloned-identity", "silent-server", "later-connection", "resumed-session",
        "redirect",
    ]

    /// Every client of a theme: the part of its name before the colon.
    static func clients(of themes: String...) throws -> [Deserved] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let file = Places.clients.appending(path: "verdicts.json")
        let all = try decoder.decode([Deserved].self, from: try Data(contentsOf: file))
        let chosen = all.filter { one in
            (one.tested != false || Places.testsAll)
                && themes.contains { one.client.hasPrefix("\($0):") || one.client == $0 }
        }
        try #require(!chosen.isEmpty, "no client of \(themes) in \(file.path)")
        return chosen
    }

    var scenario: Scenario {
        let name = host ?? target
        var scenario = Scenario(client: client, host: name, pin: isPinned ? name : nil, attacks: attacks)
        scenario.service = service.flatMap(Origin.Service.init) ?? .any
        scenario.coldStarts = coldStarts ?? 1
        scenario.otherRules = (hosts ?? [:]).keys.sorted().map { "\($0): { expect: refuse }" }
        if ca == "like" { scenario.options = ["--ca", "ca"] }
        if let accepts { scenario.otherRules.append("\(accepts): { expect: accept }") }
        if let reportsTo { scenario.targetRule = ", reports_to: \(reportsTo)" }
        switch lent {
        case "backup_key": scenario.lent = "backup_key: origin/\(name).key"
        case "other_host": scenario.lent = "other_host: [origin/other.test.chain.pem, origin/other.test.key]"
        default: break
        }
        return scenario
    }

    /// Runs the gate on it, and holds the verdict against what is written here.
    func examine(at location: SourceLocation = #_sourceLocation) async throws {
        let chain = "origin/\(scenario.host).chain.pem"
        let beforehand = ca == "like" ? ["ca", "init", "--like", chain, "--ca", "ca"] : []
        try await GateRun.of(scenario, beforehand: beforehand) { run in
            let host = try #require(run.target, "\(run)", sourceLocation: location)
            #expect(verdicts.contains(host.verdict), "\(host.why) \(run)", sourceLocation: location)
            let status: [String: Int32] = ["proven-pinned": 0, "not-pinned": 1, "refused-unproven": 2]
            #expect(
                run.command.status == (hosts == nil ? status[host.verdict] : 1), "\(run)", sourceLocation: location)
            for (name, right) in hosts ?? [:] {
                let other = run.report?.host(name)
                #expect(other?.verdict == right.verdict, "\(run)", sourceLocation: location)
                #expect(right.subtype.contains(other?.subtype ?? ""), "\(run)", sourceLocation: location)
            }
            if host.verdict == "not-pinned" {
                #expect(subtype?.contains(host.subtype ?? "") == true, "\(run)", sourceLocation: location)
            }
            if host.verdict == "refused-unproven" {
                #expect(Set(host.missing) == Set(missing ?? []), "\(run)", sourceLocation: location)
            }
            attacks(host, run, at: location)
            words(host, run, at: location)
        }
    }

    /// It fell for what it is said to fall for, and for nothing else.
    private func attacks(_ host: ReportFile.Host, _ run: GateRun, at location: SourceLocation) {
        let tried = Set(host.attacks.map { Self.id($0.attack) }).subtracting(["lent-key"])
        let fell = Set(host.fellFor.map(Self.id)).intersection(tried)
        let named = Set(falls.map(Self.id))
        if named.contains("valid") {
            let allowed = Self.valid.union(named).union((may ?? []).map(Self.id))
            #expect(fell.contains("trusted-ca"), "\(run)", sourceLocation: location)
            #expect(fell.isSubset(of: allowed), "\(fell) \(run)", sourceLocation: location)
            #expect(fell.isSuperset(of: named.intersection(tried)), "\(fell) \(run)", sourceLocation: location)
        } else {
            let excused = Set((may ?? []).map(Self.id)).subtracting(named)
            let due = named.subtracting(hosts == nil ? [] : ["redirect"])
            #expect(fell.subtracting(excused) == due, "\(run)", sourceLocation: location)
            forms(host, run, at: location)
        }
    }

    /// Of an attack that was asked for by name each form was tried: those that it falls for are told, and no other.
    private func forms(_ host: ReportFile.Host, _ run: GateRun, at location: SourceLocation) {
        // A redirect away is fallen for at another host.
        // What is sent under a lent key is a control.
        let asked = Set(attacks.split(separator: ",").map(String.init)).subtracting(
            ["lent-key"] + (hosts == nil ? [] : ["redirect"]))
        func ofThose(_ names: [String]) -> Set<String> {
            Set(names.filter { asked.contains(Self.id($0)) }).subtracting(may ?? [])
        }
        let told = ofThose(host.attacks.flatMap { $0.dataUnder ?? [] })
        #expect(told == ofThose(falls), "\(told.sorted()) \(run)", sourceLocation: location)
    }

    /// What must be found is found, and nothing else is warned of.
    private func words(_ host: ReportFile.Host, _ run: GateRun, at location: SourceLocation) {
        let found = Set(host.findings.map(\.id)), expected = Set(findings ?? [])
        #expect(found.isSuperset(of: expected), "\(found) \(run)", sourceLocation: location)
        guard verdict != "not-pinned" else { return }
        let loud = host.findings.filter { $0.severity != "note" && !expected.contains($0.id) }
        let texts = loud.map { "\($0.id): \($0.text)" }
        #expect(texts == [], "\(run)", sourceLocation: location)
    }

    /// `bad-signature` of `bad-signature/corrupted`.
    private static func id(_ name: String) -> String { String(name.prefix { $0 != "/" }) }
}
