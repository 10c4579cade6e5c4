import Coding
import Facts
import Filters
import Flows
import Formats
import TLS

/// Texts, files and archives that somebody else wrote.
extension FuzzSubject {
    static let json = FuzzSubject("json") { input in
        guard let value = try? JSONValue.parse(input) else { return }
        try expectEqual(try JSONValue.parse(Array(value.text.utf8)), value, "JSON that was written and read")
    }

    static let evidence = FuzzSubject("evidence", limit: 16_384) { input in
        let cut = CutInput(input)
        let whole = EvidenceReader.read(cut.bytes) { SHA256.hex($0) }
        var reader = EvidenceReader { SHA256.hex($0) }
        for piece in cut.pieces { reader.read(Array(piece)) }
        let log = reader.finish()
        try expectEqual(log.records, whole.records, "records in pieces and at once")
        // Which of two keys of a line that cannot be read is named is of no account.
        try expectEqual(log.problems.map(\.line), whole.problems.map(\.line), "problems in pieces and at once")
        try expectEqual(log.head, whole.head, "the head in pieces and at once")
        for (place, record) in whole.records.map(\.record).enumerated() {
            let line = EvidenceLine.encode(record, prev: EvidenceLine.noPrevious)
            let again = try EvidenceLine.decode(line)
            try expectEqual(again.record, record, "record \(place), written and read")
        }
    }

    static let flowLines = FuzzSubject("flow-lines", limit: 16_384) { input in
        let cut = CutInput(input)
        let whole = steps([cut.bytes[...]], JSONLinesReader(), { $0.read($1) }, { $0.finish() })
        try expectEqual(
            steps(cut.pieces, JSONLinesReader(), { $0.read($1) }, { $0.finish() }), whole, "lines in pieces and at once"
        )
        for case .flow(let flow) in whole { try write(flow) }
    }

    static let har = FuzzSubject("har", limit: 16_384) { input in
        let cut = CutInput(input)
        let whole = steps([cut.bytes[...]], HARReader(), { $0.read($1) }, { $0.finish() })
        try expectEqual(
            steps(cut.pieces, HARReader(), { $0.read($1) }, { $0.finish() }), whole, "entries in pieces and at once")
        for case .flow(let flow) in whole { try write(flow) }
    }

    static let charles = FuzzSubject("charles", limit: 16_384) { input in
        let cut = CutInput(input)
        let whole = steps([cut.bytes[...]], CharlesReader(), { $0.read($1) }, { $0.finish() })
        try expectEqual(
            steps(cut.pieces, CharlesReader(), { $0.read($1) }, { $0.finish() }), whole, "entries in pieces and at once"
        )
        for case .flow(let flow) in whole { try write(flow) }
    }

    private static func steps<Reader>(
        _ pieces: [ArraySlice<UInt8>], _ reader: Reader, _ read: (inout Reader, ArraySlice<UInt8>) -> [ImportStep],
        _ finish: (inout Reader) -> [ImportStep]
    ) -> [ImportStep] {
        var reader = reader
        return pieces.flatMap { read(&reader, $0) } + finish(&reader)
    }

    /// In every format that there is. Our own has to bring it back.
    private static func write(_ flow: RecordedFlow) throws {
        let line = JSONLines.line(flow)
        var reader = JSONLinesReader()
        let again = reader.read(line[...]) + reader.finish()
        guard case .flow(let read)? = again.first, again.count == 1 else {
            throw FuzzFinding("a flow that was written cannot be read: \(again)")
        }
        try expectEqual(JSONLines.line(read), line, "a flow that was written and read")
        var har = HARWriter(version: "0")
        let entries = har.begin() + har.entry(flow) + har.end()
        _ = try JSONValue.parse(entries)
        _ = RawMessages.bytes(flow)
        for format in CopyFormat.allCases { _ = format.copy(flow)?.script }
        let (redacted, _) = Redaction.redacted(flow)
        _ = FlowComparison(flow, redacted).differences
    }

    static let bodyText = FuzzSubject("body-text") { input in
        let types: [String?] = [
            nil, "application/json", "text/xml", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b",
            "application/grpc", "application/x-protobuf", "text/html; charset=iso-8859-2", "text/plain; charset=utf-16",
            "application/octet-stream", "image/png", "multipart/mixed; boundary=\"b\"",
        ]
        let body = Array(input.dropFirst())
        let type = types[Int(input.first ?? 0) % types.count]
        for isColored in [false, true] {
            let text = BodyText.pretty(body, contentType: type, isColored: isColored, limit: 20_000)
            try expect(text.utf8.count <= 100_000, "a text of \(text.utf8.count) bytes, over its limit")
            let controls = text.unicodeScalars.filter { scalar in
                (scalar.value < 32 && scalar != "\n" && scalar != "\t" && !(isColored && scalar == "\u{1b}"))
                    || (127..<160).contains(scalar.value)
            }
            try expect(controls.isEmpty, "a text with the control character \(controls.first?.value ?? 0)")
        }
        _ = Redaction.redacted(text: String(decoding: body, as: UTF8.self))
    }

    /// A schema's length in two bytes, the schema, and a message; what has no such length is both.
    static let protobufSchema = FuzzSubject("protobuf-schema") { input in
        var (schema, message) = (input, input)
        if input.count > 2 {
            let count = Int(input[0]) << 8 | Int(input[1])
            if count <= input.count - 2 {
                (schema, message) = (Array(input[2..<2 + count]), Array(input[(2 + count)...]))
            }
        }
        guard let schema = try? ProtobufSchema(descriptorSet: schema) else { return }
        for name in ["a.M", "M"] {
            let text = BodyText.pretty(
                message, contentType: "application/x-protobuf", limit: 20_000,
                protobuf: ProtobufView(schema, message: name))
            try expect(text.utf8.count <= 100_000, "a text of \(text.utf8.count) bytes, over its limit")
        }
    }

    /// Nothing that redaction takes out comes back, and what is redacted has nothing left.
    static let redaction = FuzzSubject("redaction") { input in
        let text = String(decoding: input, as: UTF8.self)
        let once = Redaction.redacted(text: text)
        let twice = Redaction.redacted(text: once)
        // What kept a text from being a form may have been in what was taken out; the form may have more to take out.
        let last = !isFormLike(text) && isFormLike(once) ? Redaction.redacted(text: twice) : once
        try expectEqual(twice, last, "a text that is redacted twice")
    }

    private static func isFormLike(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"\"<>{}:;,".utf8.contains($0) }
    }

    static let filters = FuzzSubject("filters", limit: 1024) { input in
        let context = FilterContext(now: 1_767_225_600, localOffset: { _ in 0 }) {
            (pattern, ignoresCase) throws(FilterRegexFault) in
            throw FilterRegexFault("none")
        }
        let text = String(decoding: input, as: UTF8.self)
        do {
            let filter = try Filter.parse(text, in: context)
            let written = filter.description
            let again = try Filter.parse(written, in: context)
            return try expectEqual(again, filter, "a filter that was written as \(written) and read")
        } catch let error as FilterFault {
            try expect(
                error.range.lowerBound >= 0 && error.range.upperBound <= text.utf8.count, "a fault outside the text")
            _ = (error.column, error.corrected, error.utf16Range, error.explanations)
        }
    }

    static let archives = FuzzSubject("archives", limit: 16_384) { input in
        guard let archive = try? ZipArchive(input) else { return }
        let limit = 100_000
        for member in archive.members.prefix(20) {
            guard let content = try? archive.content(of: member, limit: limit, inflate: inflate) else { continue }
            try expect(content.count <= limit, "\(member.name) has \(content.count) bytes, over the limit")
        }
    }

    private static func inflate(_ limit: Int) -> ZipArchive.InflateStep {
        let decoder = ContentCoding.decoder(for: "deflate", limit: limit)
        return { packed in
            guard let decoder, let piece = try? decoder.decode(packed), !decoder.isCut else { return nil }
            return piece
        }
    }
}
