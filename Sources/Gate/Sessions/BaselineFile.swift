import Console
import Facts
import Loop
import Verdict

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A baseline as a file: JSON, schema `pinproof.baseline/1`, a sorted entry a finding.
enum BaselineFile {
    static let schema = "pinproof.baseline/1"
    /// In a run folder: what the run was judged with.
    static let name = "baseline.json"
    /// An entry is about 60 bytes; far more findings than anybody would want to live with fit in.
    static let byteLimit = 1 << 20

    static func read(_ path: String) throws -> Baseline {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try Files.read(path, limit: byteLimit)
        } catch {
            guard case .cannotRead(_, let reason) = error else { throw error }
            throw Complaint(
                "\(path): the baseline cannot be read: \(reason)",
                hints: ["a run with --write-baseline \(path) makes one"], status: .configuration)
        }
        let content: Content
        do {
            content = try JSONDecoder().decode(Content.self, from: Data(bytes))
        } catch {
            throw unusable(path, (error as? DecodingError).map(reason) ?? "not JSON")
        }
        guard content.schema == schema else {
            throw unusable(path, "its schema is \"\(Printable.escaped(content.schema))\", this version reads \(schema)")
        }
        for (index, entry) in content.findings.enumerated() where entry.finding.isEmpty || entry.host?.isEmpty == true {
            throw unusable(path, "entry \(index + 1) of \"findings\" has an empty name")
        }
        return Baseline(Set(content.findings.map { Baseline.Entry(host: $0.host, finding: $0.finding) }))
    }

    static func write(_ baseline: Baseline, to path: String) throws(FileError) {
        try Files.writeAtomically(bytes(of: baseline), to: path)
    }

    /// One entry a line, so that a review shows what was added.
    static func bytes(of baseline: Baseline) -> [UInt8] {
        var json = JSONWriter(layout: .indented)
        json.beginObject()
        json.field("schema", schema)
        json.key("findings")
        json.beginArray()
        for entry in baseline.entries.sorted() {
            json.beginObject(inline: true)
            json.field("host", orNull: entry.host)
            json.field("finding", entry.finding)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private struct Content: Decodable {
        struct Entry: Decodable {
            var host: String?
            var finding: String
        }

        var schema: String
        var findings: [Entry]
    }

    private static func unusable(_ path: String, _ reason: String) -> Complaint {
        Complaint(
            "\(path): not a baseline: \(reason)",
            hints: ["a baseline is {\"schema\": \"\(schema)\", \"findings\": [{\"host\": …, \"finding\": …}]}"],
            status: .configuration)
    }

    private static func reason(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "\"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let at), .valueNotFound(_, let at):
            "\"\(at.codingPath.map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }.joined(separator: "."))\" is of the wrong type"
        default: "not JSON"
        }
    }
}
