import Console
import Evidence
import Facts
import Flows
import Formats
import Loop
import Store

/// `pinproof flows export`: flows for other people and other programs.
///
/// Without their secrets, unless they are asked for.
package struct FlowsExport: Sendable {
    package enum Format: String, Hashable, Sendable, CaseIterable {
        case har, jsonl, curl, fetch, httpie, python, raw, pcapng
    }

    package let access: FlowsAccess
    package let format: Format
    package let withSecrets: Bool

    package init(_ access: FlowsAccess, _ format: Format, withSecrets: Bool) {
        self.access = access
        self.format = format
        self.withSecrets = withSecrets
    }

    /// What came of it.
    package struct Outcome: Hashable, Sendable {
        package var flows = 0
        /// Flows that matched and have nothing that the format could hold.
        package var withoutRequest = 0
        /// Values that became `[redacted]`.
        package var redacted = 0
        /// Parts of flows that could not be searched for secrets, and were left out.
        package var leftOut = 0
        /// Bodies that were kept in files, which are gone.
        package var bodiesGone = 0
        /// Bodies that are not whole in a format that has no place to say so.
        package var cutBodies = 0
        /// Those that broke off, or are still coming.
        package var unfinishedBodies = 0
    }

    /// - Parameter write: takes the next bytes of the file.
    package func run(_ write: ([UInt8]) throws -> Void) throws -> Outcome {
        var outcome = Outcome()
        if format == .pcapng {
            var capture = FlowsCapture(access)
            try capture.run(write)
            outcome.flows = capture.flows
            return outcome
        }
        var har = HARWriter(version: Version.pinproof)
        let copy = CopyFormat(rawValue: format.rawValue)
        if format == .har { try write(har.begin()) }
        // By pages: an export of any size needs no memory, and holds nobody up.
        try access.forEachID { id in
            // It may have been cleared or pruned since it was found.
            guard let found = try access.recorded(id, withMessages: false) else { return }
            var recorded = found.flow
            outcome.bodiesGone += found.gone
            if !withSecrets {
                let (clean, count) = Redaction.redacted(recorded)
                recorded = clean
                outcome.redacted += count
                outcome.leftOut += clean.redaction?.missing.count ?? 0
            }
            switch format {
            case .har, .jsonl:
                let messages = { (json: inout JSONWriter, take: (FlowMessage, inout JSONWriter) -> Void) in
                    let count = try feed(found.flow.flow, into: &json, take, write)
                    outcome.redacted += count
                    return count
                }
                if format == .har {
                    try har.entry(recorded, messages: messages, write)
                } else {
                    try JSONLines.write(recorded, messages: messages, write)
                }
            case .curl, .fetch, .httpie, .python:
                guard let command = copy?.copy(recorded) else {
                    outcome.withoutRequest += 1
                    return
                }
                try write(Array((command.script + "\n").utf8))
            case .raw:
                let bytes = RawMessages.bytes(recorded)
                guard !bytes.isEmpty else {
                    outcome.withoutRequest += 1
                    return
                }
                try write(bytes)
                outcome.cutBodies += ExchangeDirection.allCases.count { found.flow.isCut($0) }
                outcome.unfinishedBodies += ExchangeDirection.allCases.count { found.flow.flow.isUnfinished($0) }
            case .pcapng: return
            }
            outcome.flows += 1
        }
        if format == .har { try write(har.end()) }
        return outcome
    }
}

extension FlowsExport {
    /// Bytes of a flow with messages that are handed on at once.
    static let piece = 64 * 1024

    /// Its messages, few of which are in memory at once.
    ///
    /// - Returns: values in them that became `[redacted]`.
    private func feed(
        _ flow: Flow, into json: inout JSONWriter, _ take: (FlowMessage, inout JSONWriter) -> Void,
        _ write: ([UInt8]) throws -> Void
    ) throws -> Int {
        var redacted = 0
        try access.forEachMessage(of: flow) { message in
            let (shown, count) = withSecrets ? (message, 0) : Redaction.redacted(message)
            redacted += count
            take(shown, &json)
            if json.bytes.count >= Self.piece { try write(json.take()) }
        }
        return redacted
    }
}

extension RecordedFlow {
    /// Less of what passed in this direction is recorded than came.
    fileprivate func isCut(_ direction: ExchangeDirection) -> Bool {
        guard let body = flow.side(direction)?.body else { return false }
        guard flow.kind == .raw else { return body.isCut }
        return (direction == .up ? rawUp : rawDown).count < body.size
    }
}

extension FlowsExport.Outcome {
    /// What is said of it, a line each.
    ///
    /// - Parameter file: what was to be written; nil where the result went to stdout.
    package func words(_ format: FlowsExport.Format, withSecrets: Bool, file: String?) -> [String] {
        let isUnwritten = file.map { "; \($0) was not written" } ?? ""
        guard flows > 0 else {
            guard withoutRequest > 0 else { return ["no flow matches" + isUnwritten] }
            return [
                "\(English.count(withoutRequest, "flow")) matched, and none has a request that --format "
                    + "\(format.rawValue) could hold; --format jsonl and har keep them" + isUnwritten
            ]
        }
        var lines = [
            English.count(flows, "flow")
                + (withSecrets ? ", with secrets" : ", \(English.count(redacted, "secret")) left out")
                + (leftOut > 0 ? ", \(English.count(leftOut, "part")) that could not be searched left out" : "")
        ]
        if cutBodies > 0 {
            lines.append(
                (cutBodies == 1 ? "1 body is" : "\(cutBodies) bodies are")
                    + " not whole: more came than was kept (--max-body); flows show tells which")
        }
        if unfinishedBodies > 0 {
            lines.append(
                (unfinishedBodies == 1 ? "1 body" : "\(unfinishedBodies) bodies")
                    + " never came to an end, or not yet; flows show tells which")
        }
        if withoutRequest > 0 {
            lines.append(
                "\(English.count(withoutRequest, "flow")) without a request left out (tunnels, failed handshakes): "
                    + "--format jsonl and har keep them")
        }
        return lines
    }
}
