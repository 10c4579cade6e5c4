#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One line of `evidence.jsonl`, between a record and its bytes.
///
/// A line is one JSON object without a newline in it. Its first keys are `kind` and `prev`; the others are the
/// record's own, and what is nil, empty or false by default is left out.
package enum EvidenceLine {
    /// What line 1 carries as `prev`.
    package static let noPrevious = String(repeating: "0", count: 64)

    /// Longest line that is read. An observation is about 2 KiB; the longest chains (100 KiB, OpenSSL's limit) and
    /// hellos (64 KiB) that a peer can make us note stay far below it.
    package static let byteLimit = 1 << 20

    /// The line without its newline.
    ///
    /// - Parameter prev: SHA-256 (64 hex digits) of the line before without its newline, or `noPrevious`.
    package static func encode(_ record: EvidenceRecord, prev: String) -> [UInt8] {
        var json = JSONWriter(reserving: typicalLength)
        json.beginObject()
        json.field("kind", record.kind)
        json.field("prev", prev)
        switch record {
        case .header(let header): header.writeFields(to: &json)
        case .selfTest(let result): result.writeFields(to: &json)
        case .origin(let seen): seen.writeFields(to: &json)
        case .trialStarted(let start): start.writeFields(to: &json)
        case .trialEnded(let end): end.writeFields(to: &json)
        case .connection(let observed): observed.observation.writeFields(to: &json)
        case .flow(let flow): flow.writeFields(to: &json)
        case .networkWatched(let watched): watched.writeFields(to: &json)
        case .runEnded(let end): end.writeFields(to: &json)
        }
        json.endObject()
        return json.bytes
    }

    package static func decode(_ line: [UInt8]) throws(EvidenceError) -> (record: EvidenceRecord, prev: String) {
        let envelope = try open(line)
        switch envelope.content {
        case .record(let record): return (record, envelope.prev)
        case .unknownKind(let kind): throw .unknownKind(kind)
        case .unknownSchema(let schema): throw .unknownSchema(schema)
        }
    }

    /// As `decode`, but a line whose content this version does not know still tells which line it follows.
    static func open(_ line: [UInt8]) throws(EvidenceError) -> Envelope {
        guard line.count <= byteLimit else { throw .tooLong(line.count) }
        do {
            return try JSONDecoder().decode(Envelope.self, from: Data(line))
        } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
            throw .unreadable("not JSON")
        } catch let error as DecodingError {
            throw .unreadable(error.inOneLine)
        } catch {
            throw .unreadable("not JSON")
        }
    }

    private static let typicalLength = 3 << 10
}

/// Why a line of evidence could not be read.
package enum EvidenceError: Error, Hashable, CustomStringConvertible {
    /// Length in bytes.
    case tooLong(Int)
    case unreadable(String)
    case unknownKind(String)
    case unknownSchema(String)

    package var description: String {
        switch self {
        case .tooLong(let count): "\(count) bytes, more than the \(EvidenceLine.byteLimit) that a line may have"
        case .unreadable(let reason): "cannot be read: \(reason)"
        case .unknownKind(let kind): "unknown kind \"\(Printable.escaped(kind))\""
        case .unknownSchema(let schema):
            "unknown schema \"\(Printable.escaped(schema))\", this version reads \(RunHeader.schemaName)"
        }
    }
}

extension EvidenceLine {
    /// What every line has, and its record where this version knows the kind.
    struct Envelope: Decodable {
        enum Content {
            case record(EvidenceRecord)
            case unknownKind(String)
            case unknownSchema(String)
        }

        let prev: String
        let content: Content

        private enum Keys: String, CodingKey { case kind, prev, schema }

        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: Keys.self)
            let kind = try keys.decode(String.self, forKey: .kind)
            prev = try keys.decode(String.self, forKey: .prev)
            switch kind {
            case "header":
                // The schema first: a header of another one need not have our keys.
                let schema = try keys.decode(String.self, forKey: .schema)
                content =
                    schema == RunHeader.schemaName
                    ? .record(.header(try RunHeader(from: decoder))) : .unknownSchema(schema)
            case "self-test": content = .record(.selfTest(try SelfTestResult(from: decoder)))
            case "trial-started": content = .record(.trialStarted(try TrialStart(from: decoder)))
            case "trial-ended": content = .record(.trialEnded(try TrialEnd(from: decoder)))
            case "connection": content = .record(.connection(try Observation(from: decoder)))
            case "flow": content = .record(.flow(try NetworkFlow(from: decoder)))
            case "origin": content = .record(.origin(try OriginSeen(from: decoder)))
            case "network-watched": content = .record(.networkWatched(try NetworkWatched(from: decoder)))
            case "run-ended": content = .record(.runEnded(try RunEnd(from: decoder)))
            default: content = .unknownKind(kind)
            }
        }
    }
}

extension DecodingError {
    /// Foundation's own text runs over several lines; this says where and what.
    fileprivate var inOneLine: String {
        let context: Context
        let what: String
        switch self {
        case .keyNotFound(let key, let at): (context, what) = (at, "no key \"\(key.stringValue)\"")
        case .typeMismatch(let type, let at): (context, what) = (at, "not a \(type)")
        case .valueNotFound(_, let at): (context, what) = (at, "null")
        case .dataCorrupted(let at): (context, what) = (at, at.debugDescription)
        @unknown default: return "not as expected"
        }
        let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        return Printable.escaped(path.isEmpty ? what : "\(path): \(what)")
    }
}
