/// Reads a whole `evidence.jsonl` and checks that it is what was written.
///
/// Each line's `prev` names the line before.
/// The last line of a run that was killed may be cut; it is ignored. Anything else that does not fit means that the
/// file was changed afterwards, and tampered evidence gives no verdict.
package struct EvidenceReader {
    private let sha256: ([UInt8]) -> String
    private var log = EvidenceLog(head: EvidenceLine.noPrevious)
    /// What has come of the line that is being read.
    private var line: [UInt8] = []
    /// Bytes of a line over the limit: they are counted and not kept.
    private var dropped = 0
    /// From 1.
    private var number = 1
    /// Bytes that are kept of what was read: those of one line.
    var held: Int { line.count }
    /// More of the file would change nothing.
    package private(set) var isDone = false

    /// - Parameter sha256: the hash in lower-case hex; a parameter, because this module knows no cryptography.
    package init(sha256: @escaping ([UInt8]) -> String) { self.sha256 = sha256 }

    /// A whole file at once.
    package static func read(_ bytes: [UInt8], sha256: @escaping ([UInt8]) -> String) -> EvidenceLog {
        var reader = EvidenceReader(sha256: sha256)
        reader.read(bytes)
        return reader.finish()
    }

    /// Takes the file's next bytes, however it is cut into pieces.
    package mutating func read(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !isDone, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            take(rest[..<end])
            endLine()
            rest = rest[(end + 1)...]
        }
        if !isDone { take(rest) }
    }

    /// What the file has come to; nothing is read after it.
    package mutating func finish() -> EvidenceLog {
        guard !isDone else { return log }
        isDone = true
        // What follows the last newline: nothing, or a line whose writer was stopped.
        if !line.isEmpty || dropped > 0 { log.note(.cutLastLine, line: number) }
        if log.header == nil { log.note(.noHeader, line: 1) }
        return log
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        guard dropped == 0, line.count + bytes.count <= EvidenceLine.byteLimit else {
            dropped += line.count + bytes.count
            line = []
            return
        }
        line += bytes
    }

    private mutating func endLine() {
        if dropped > 0 {
            log.note(.unreadable(.tooLong(dropped)), line: number)
            // No line can follow one that was not read.
            log.head = ""
        } else {
            guard Self.add(line, number: number, to: &log) else {
                isDone = true
                return
            }
            log.head = sha256(line)
        }
        log.lines = number
        number += 1
        line.removeAll(keepingCapacity: true)
        dropped = 0
    }

    /// False where reading on makes no sense.
    private static func add(_ line: [UInt8], number: Int, to log: inout EvidenceLog) -> Bool {
        do {
            let envelope = try EvidenceLine.open(line)
            if envelope.prev != log.head { log.note(.brokenChain, line: number) }
            switch envelope.content {
            case .record(let record): log.records.append(NumberedRecord(line: number, record))
            case .unknownKind(let kind): log.note(.unreadable(.unknownKind(kind)), line: number)
            case .unknownSchema(let schema):
                log.note(.unreadable(.unknownSchema(schema)), line: number)
                return false
            }
        } catch {
            log.note(.unreadable(error), line: number)
        }
        return true
    }
}

/// One line of a run's evidence under its number in `evidence.jsonl`, from 1.
package struct NumberedRecord: Hashable, Sendable {
    package var line: Int
    package var record: EvidenceRecord

    package init(line: Int, _ record: EvidenceRecord) {
        self.line = line
        self.record = record
    }
}

/// What was read of an evidence file, and what is wrong with it.
package struct EvidenceLog: Sendable {
    /// In the file's order, with line numbers from 1.
    package fileprivate(set) var records: [NumberedRecord] = []
    /// At most `problemLimit`; `problemCount` counts them all.
    package fileprivate(set) var problems: [EvidenceProblem] = []
    package fileprivate(set) var problemCount = 0
    /// No problem but a cut last line and lines of kinds that a later version wrote.
    package fileprivate(set) var permitsVerdict = true
    /// Whole lines.
    package fileprivate(set) var lines = 0
    /// SHA-256 of the last whole line; the next one would carry it as `prev`.
    package fileprivate(set) var head: String

    /// The first line's, and no other.
    package var header: RunHeader? {
        guard let first = records.first, first.line == 1, case .header(let header) = first.record else { return nil }
        return header
    }

    /// A file that is not evidence at all has a problem on every line, and nobody reads more of them than this.
    package static let problemLimit = 50

    fileprivate init(head: String) { self.head = head }

    fileprivate mutating func note(_ kind: EvidenceProblem.Kind, line: Int) {
        let problem = EvidenceProblem(line: line, kind: kind)
        problemCount += 1
        permitsVerdict = permitsVerdict && !problem.forbidsVerdict
        if problems.count < Self.problemLimit { problems.append(problem) }
    }
}

/// Something about an evidence file that is not as it was written.
package struct EvidenceProblem: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        case unreadable(EvidenceError)
        /// This line does not carry the hash of the one before.
        case brokenChain
        /// The file does not end with a newline: its writer was stopped.
        case cutLastLine
        /// Line 1 is not a run's header.
        case noHeader
    }

    /// From 1.
    package let line: Int
    package let kind: Kind

    package init(line: Int, kind: Kind) {
        self.line = line
        self.kind = kind
    }

    package var forbidsVerdict: Bool {
        switch kind {
        case .cutLastLine, .unreadable(.unknownKind): false
        case .unreadable, .brokenChain, .noHeader: true
        }
    }

    /// Without the file's name and the line number, which the caller puts in front.
    package var text: String {
        switch kind {
        case .unreadable(let error): error.description
        case .brokenChain where line == 1: "does not begin the evidence: lines before it were removed"
        case .brokenChain:
            "does not follow line \(line - 1): one of the two was changed, or a line was added or removed"
        case .cutLastLine: "is cut and was ignored: the run was stopped while writing it"
        case .noHeader: "is not the header of a run"
        }
    }

    package var description: String { "line \(line): \(text)" }
}
