import Evidence
import Facts
import Formats
import Foundation
import Loop
import TLS
import Verdict

extension Operation {
    static let runs = [
        Operation(
            id: "listRuns", method: .get, path: "/api/runs",
            words: "Gate runs and rehearsals found under the current folder's runs/, the newest first.",
            command: .none("they are folders: ls runs"), tool: .named("list_runs"), result: .json("Runs")
        ) { _, situation in
            let folder = situation.context.runs
            return .json(try await situation.disk.run { _ in GateRuns(folder).list() })
        },
        Operation(
            id: "getRun", method: .get, path: "/api/runs/{name}",
            words: "A gate run, or a rehearsal: its report, and its evidence line by line.", command: .named("report"),
            tool: .named("get_run"),
            query: [
                Parameter(
                    "part", .choice(GateRuns.Part.allCases.map(\.rawValue)),
                    "report: report.json, or rehearsal.json; connections: the evidence; client: what it printed; usually all"
                )
            ],
            result: .json("Run"), errors: [400, 404]
        ) { question, situation in
            let (folder, name) = (situation.context.runs, situation.path["name"] ?? "")
            let part: GateRuns.Part = try situation.choice("part", question, else: .all)
            let hidesSecrets = situation.hidesSecrets
            guard
                let run = try await situation.disk.run({ _ in
                    GateRuns(folder).run(name, part) { hidesSecrets ? Redaction.redacted(text: $0) : $0 }
                })
            else {
                throw Problem.notFound(
                    "there is no gate run \(Printable.excerpt(name)) with a report under runs/: the list of runs has their names"
                )
            }
            return .json(run)
        },
    ]
}

/// Gate runs in a folder, read as they are.
///
/// They may be of another version, and of a gate that is still writing.
struct GateRuns: Sendable {
    /// What is wanted of a run.
    enum Part: String, CaseIterable, Sendable { case all, report, connections, client, certificates }

    /// What a run was made for.
    enum Kind: String, CaseIterable, Sendable {
        case gate = "report"
        case rehearsal

        var file: String { rawValue + ".json" }
    }

    let folder: String

    init(_ folder: String) { self.folder = folder }

    /// Runs in the list; a folder of years has more, and nobody scrolls so far.
    static let listLimit = 500
    /// Bytes of a report, and of a run's evidence in one answer.
    static let (reportLimit, evidenceLimit) = (32 << 20, 8 << 20)

    func list() -> [UInt8] {
        let names = runs().sorted(by: >)
        var json = JSONWriter()
        json.beginObject()
        json.key("runs")
        json.beginArray()
        var count = 0
        for name in names where count < Self.listLimit {
            guard let (kind, bytes) = report(name), let report = try? JSONValue.parse(bytes) else { continue }
            count += 1
            switch kind {
            case .gate: write(name, report, to: &json)
            case .rehearsal: write(name, rehearsal: report, to: &json)
            }
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    /// Folders with a report, and those in folders without one: `pinproof demo` makes four runs in one.
    private func runs() -> [String] {
        func entries(_ path: String) -> [String] { ((try? FileTree.entries(of: path)) ?? []).filter(Self.isPart) }
        func hasReport(_ name: String) -> Bool {
            Kind.allCases.contains { Files.exists("\(folder)/\(name)/\($0.file)") }
        }
        return entries(folder).flatMap { name in
            hasReport(name) ? [name] : entries("\(folder)/\(name)").map { "\(name)/\($0)" }.filter(hasReport)
        }
    }

    private func write(_ name: String, _ report: JSONValue, to json: inout JSONWriter) {
        json.beginObject()
        json.field("name", name)
        if let result = report["result"]?.string { json.field("verdict", result) }
        if let status = report["exit_status"]?.int { json.field("status", status) }
        if let started = report["started"]?.string { json.field("started", started) }
        if let profile = report["profile"]?.string { json.field("profile", profile) }
        json.key("hosts")
        json.beginArray()
        for host in report["hosts"]?.array ?? [] {
            json.beginObject()
            for key in ["host", "expect", "verdict", "strength", "subtype", "why"] {
                if let text = host[key]?.string { json.field(key, text) }
            }
            let missing = (host["missing"]?.array ?? []).compactMap(\.string)
            if !missing.isEmpty { json.field("missing", missing) }
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }

    /// The worst that a host came to, of the chains that were rehearsed there, says it of the host.
    private func write(_ name: String, rehearsal: JSONValue, to json: inout JSONWriter) {
        json.beginObject()
        json.field("name", name)
        json.field("kind", Kind.rehearsal.rawValue)
        let status = rehearsal["exit_status"]?.int
        // Of chains that are nobody's own nothing is to be said in a word.
        let scenarios = (rehearsal["hosts"]?.array ?? []).flatMap { $0["scenarios"]?.array ?? [] }
        let hasOwn = scenarios.contains { $0["own"] == .bool(true) }
        let verdicts = [0: hasOwn ? "works" : "rehearsed", 1: "locked-out", 2: "unclear", 3: "invalid-environment"]
        if let verdict = status.flatMap({ verdicts[$0] }) { json.field("verdict", verdict) }
        if let status { json.field("status", status) }
        if let started = rehearsal["started"]?.string { json.field("started", started) }
        if let profile = rehearsal["profile"]?.string { json.field("profile", profile) }
        json.key("hosts")
        json.beginArray()
        for host in rehearsal["hosts"]?.array ?? [] {
            json.beginObject()
            if let name = host["host"]?.string { json.field("host", name) }
            let outcomes = (host["scenarios"]?.array ?? []).compactMap { $0["outcome"]?.string }
            if let worst = ["locked-out", "unclear", "works"].first(where: outcomes.contains) {
                json.field("verdict", worst)
            }
            if let fault = host["fault"]?.string { json.field("why", fault) }
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }

    /// nil where there is none.
    ///
    /// - Parameter shown: what a client printed, as it may be seen.
    func run(_ name: String, _ part: Part = .all, shown: (String) -> String = { $0 }) -> [UInt8]? {
        guard Self.isName(name), let (kind, report) = report(name), (try? JSONValue.parse(report)) != nil else {
            return nil
        }
        var json = JSONWriter(reserving: report.count + 4096)
        func wants(_ other: Part) -> Bool { part == .all || part == other }
        json.beginObject()
        if wants(.report) {
            json.key(kind.rawValue)
            json.verbatim(report)
        }
        if wants(.connections) {
            json.key("connections")
            json.beginArray()
            var outcomes: [Outcome?] = []
            let isWhole = writeEvidence(name, &outcomes, to: &json)
            json.endArray()
            json.key("outcomes")
            json.beginArray()
            for outcome in outcomes {
                if let outcome { json.value(outcome.rawValue) } else { json.null() }
            }
            json.endArray()
            if !isWhole { json.field("truncated", true) }
        }
        if wants(.client) { writeOutput(name, shown, to: &json) }
        if wants(.certificates) { writeCertificates(name, to: &json) }
        json.endObject()
        return json.bytes
    }

    /// Files of what the client printed, and bytes of each and of all of them; a run of a day has thousands.
    private static let (outputFiles, outputSize, outputSizes) = (200, 64 << 10, 4 << 20)

    /// What the client printed, start by start: the beginning of it.
    private func writeOutput(_ name: String, _ shown: (String) -> String, to json: inout JSONWriter) {
        let folder = "\(folder)/\(name)/client"
        let names = ((try? FileTree.entries(of: folder)) ?? []).filter(Self.isPart)
        json.key("client")
        json.beginArray()
        var left = Self.outputSizes
        for file in names.sorted(by: Self.comesFirst).prefix(Self.outputFiles) where left > 0 {
            var bytes: [UInt8] = []
            try? Files.readPieces(of: "\(folder)/\(file)", limit: .max) { piece in
                bytes += piece
                return bytes.count < Self.outputSize
            }
            guard !bytes.isEmpty else { continue }
            left -= min(bytes.count, Self.outputSize)
            json.beginObject()
            json.field("name", file)
            json.field("text", shown(String(decoding: bytes.prefix(Self.outputSize), as: UTF8.self)))
            if bytes.count > Self.outputSize { json.field("cut", true) }
            json.endObject()
        }
        json.endArray()
    }

    /// By their numbers: trial 2 before trial 10.
    private static func comesFirst(_ a: String, _ b: String) -> Bool {
        a.compare(b, options: [.numeric]) == .orderedAscending
    }

    /// Chains that are looked into; each host has some for each attack.
    private static let chainFiles = 500

    /// What was presented, so that the hashes of the evidence have names.
    private func writeCertificates(_ name: String, to json: inout JSONWriter) {
        let folder = "\(folder)/\(name)/presented"
        let names = ((try? FileTree.entries(of: folder)) ?? []).filter(Self.isPart)
        json.key("certificates")
        json.beginArray()
        var seen: Set<String> = []
        for file in names.sorted().prefix(Self.chainFiles) {
            guard let bytes = try? Files.read("\(folder)/\(file)", limit: 1 << 20),
                let chain = try? Certificate.all(in: bytes)
            else { continue }
            for facts in chain.map(CertificateFacts.init) where seen.insert(facts.sha256).inserted {
                facts.write(to: &json)
            }
        }
        json.endArray()
    }

    /// Lines that are no JSON are left out: the last one may be half written.
    ///
    /// - Parameter outcomes: of each line what the judge counts it as.
    private func writeEvidence(_ name: String, _ outcomes: inout [Outcome?], to json: inout JSONWriter) -> Bool {
        var (rest, taken): ([UInt8], Int) = ([], 0)
        func add(_ line: some Collection<UInt8>) {
            guard !line.isEmpty, (try? JSONValue.parse(line)) != nil else { return }
            json.verbatim(Array(line))
            outcomes.append(Self.outcome(ofLine: Array(line)))
        }
        do {
            try Files.readPieces(of: "\(folder)/\(name)/\(RunFolder.evidenceName)", limit: .max) { piece in
                taken += piece.count
                rest += piece
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    add(rest[..<end])
                    rest.removeSubrange(...end)
                }
                return taken < Self.evidenceLimit
            }
        } catch {
            return true
        }
        add(rest)
        return taken < Self.evidenceLimit
    }

    /// nil for what is no intercepted connection, or of a version that is not known here.
    private static func outcome(ofLine line: [UInt8]) -> Outcome? {
        guard let observation = (try? EvidenceLine.decode(line).record)?.observation,
            observation.action == .intercepted
        else { return nil }
        return Classifier.outcome(of: observation)
    }

    private func report(_ name: String) -> (Kind, [UInt8])? {
        for kind in Kind.allCases {
            let path = "\(folder)/\(name)/\(kind.file)"
            if let bytes = try? Files.read(path, limit: Self.reportLimit) { return (kind, bytes) }
        }
        return nil
    }

    /// A folder of this one, or one of that, and nothing beside or above it.
    static func isName(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy { isPart(String($0)) }
    }

    private static func isPart(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") && !name.contains("\0") && name.utf8.count <= 255
    }
}
