import Testing

@testable import Facts

@Suite struct EvidenceReaderTests {
    /// Not cryptographic, but different for different lines, which is all that the reader needs here.
    static func hash(_ bytes: [UInt8]) -> String {
        var value: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let hex = String(value, radix: 16)
        return String(repeating: "0", count: 64 - hex.count) + hex
    }

    static func lines(_ records: [EvidenceRecord]) -> [[UInt8]] {
        var prev = EvidenceLine.noPrevious
        return records.map { record in
            let line = EvidenceLine.encode(record, prev: prev)
            prev = hash(line)
            return line
        }
    }

    static func file(_ lines: [[UInt8]]) -> [UInt8] { lines.flatMap { $0 + [UInt8(ascii: "\n")] } }
    static func read(_ bytes: [UInt8]) -> EvidenceLog { EvidenceReader.read(bytes, sha256: hash) }

    /// Header first, as every run has it.
    static let run = lines(EvidenceSamples.full + EvidenceSamples.full.dropFirst())

    @Test("an untouched file has all its records and no problem")
    func untouched() {
        let log = Self.read(Self.file(Self.run))
        #expect(log.records.map { $0.record } == EvidenceSamples.full + EvidenceSamples.full.dropFirst())
        #expect(log.records.map { $0.line } == Array(1...Self.run.count))
        #expect(log.problems.isEmpty && log.permitsVerdict)
        #expect(log.header == EvidenceSamples.header)
        #expect(log.lines == Self.run.count)
        #expect(log.head == Self.run.last.map(Self.hash))
    }

    @Test("a file cut anywhere in its last line is read up to there, reported and still good for a verdict")
    func cut() throws {
        let whole = Self.file(Self.run)
        let last = try #require(Self.run.last).count
        for missing in 1...last {
            let log = Self.read(Array(whole.dropLast(missing)))
            #expect(log.records.count == Self.run.count - 1)
            #expect(log.problems == [EvidenceProblem(line: Self.run.count, kind: .cutLastLine)])
            #expect(log.permitsVerdict)
        }
    }

    @Test("one changed byte in any line but the last is found", arguments: 0..<run.count - 1)
    func changed(_ index: Int) {
        for position in stride(from: 0, to: Self.run[index].count, by: 7) {
            var lines = Self.run
            lines[index][position] ^= 1
            let log = Self.read(Self.file(lines))
            #expect(!log.permitsVerdict, "byte \(position) of line \(index + 1)")
        }
    }

    @Test("a removed line is found", arguments: 0..<run.count - 1)
    func removed(_ index: Int) {
        var lines = Self.run
        lines.remove(at: index)
        let log = Self.read(Self.file(lines))
        #expect(!log.permitsVerdict)
        #expect(log.problems.contains(EvidenceProblem(line: index + 1, kind: .brokenChain)))
    }

    @Test("an added line and two lines that changed places are found")
    func reordered() {
        var added = Self.run
        added.insert(EvidenceLine.encode(.connection(Observation()), prev: Self.hash(added[1])), at: 2)
        #expect(Self.read(Self.file(added)).problems == [EvidenceProblem(line: 4, kind: .brokenChain)])
        var swapped = Self.run
        swapped.swapAt(3, 4)
        #expect(!Self.read(Self.file(swapped)).permitsVerdict)
    }

    @Test("two runs in one file are not one run")
    func concatenated() {
        let log = Self.read(Self.file(Self.run + Self.run))
        #expect(log.problems == [EvidenceProblem(line: Self.run.count + 1, kind: .brokenChain)])
        #expect(!log.permitsVerdict)
    }

    @Test("a line of a later version's kind is passed over, inside the chain, with a note")
    func unknownKind() {
        var prev = EvidenceLine.noPrevious
        var lines = [EvidenceLine.encode(.header(EvidenceSamples.header), prev: prev)]
        prev = Self.hash(lines[0])
        lines.append(Array(#"{"kind":"weather","prev":"\#(prev)","sun":true}"#.utf8))
        lines.append(EvidenceLine.encode(.connection(Observation()), prev: Self.hash(lines[1])))
        let log = Self.read(Self.file(lines))
        #expect(log.records.map { $0.line } == [1, 3])
        #expect(log.problems == [EvidenceProblem(line: 2, kind: .unreadable(.unknownKind("weather")))])
        #expect(log.permitsVerdict)
        lines[1] = Array(#"{"kind":"weather","prev":"\#(prev)","sun":fals}"#.utf8)
        #expect(!Self.read(Self.file(lines)).permitsVerdict)
    }

    @Test("a file of another schema is not read any further")
    func unknownSchema() {
        var header = EvidenceSamples.header
        header.schema = "pinproof.evidence/9"
        let log = Self.read(Self.file(Self.lines([.header(header), .connection(Observation())])))
        #expect(log.records.isEmpty && !log.permitsVerdict)
        #expect(log.problems == [EvidenceProblem(line: 1, kind: .unreadable(.unknownSchema("pinproof.evidence/9")))])
        #expect(
            log.problems.first?.description
                == #"line 1: unknown schema "pinproof.evidence/9", this version reads pinproof.evidence/1"#)
    }

    @Test("without a header there is no verdict", arguments: ["", "{", "\n"])
    func noHeader(_ text: String) {
        let log = Self.read(Array(text.utf8))
        #expect(log.problems.contains(EvidenceProblem(line: 1, kind: .noHeader)))
        #expect(!log.permitsVerdict)
    }

    @Test("a header anywhere but in line 1 does not count")
    func lateHeader() {
        let log = Self.read(Self.file(Self.lines([.connection(Observation()), .header(EvidenceSamples.header)])))
        #expect(log.header == nil && !log.permitsVerdict)
    }

    @Test("a line over the limit gives no verdict and does not stop the reading")
    func tooLong() {
        var lines = Self.run
        lines.insert([UInt8](repeating: UInt8(ascii: "x"), count: EvidenceLine.byteLimit + 1), at: 1)
        let log = Self.read(Self.file(lines))
        #expect(log.problems.first?.kind == .unreadable(.tooLong(EvidenceLine.byteLimit + 1)))
        #expect(log.records.count == Self.run.count && !log.permitsVerdict)
    }

    @Test("it does not matter how a file is cut into pieces", arguments: [1, 7, 1000])
    func pieces(size: Int) {
        let cut = Array(Self.file(Self.run).dropLast(3))
        let whole = Self.read(cut)
        var reader = EvidenceReader(sha256: Self.hash)
        for start in stride(from: 0, to: cut.count, by: size) {
            reader.read(Array(cut[start..<min(cut.count, start + size)]))
        }
        let log = reader.finish()
        #expect(log.records.map { $0.record } == whole.records.map { $0.record })
        #expect(log.problems == whole.problems && log.head == whole.head && log.lines == whole.lines)
    }

    @Test("a line without an end is counted, and not kept")
    func endless() {
        var reader = EvidenceReader(sha256: Self.hash)
        reader.read(Self.file(Array(Self.run.prefix(1))))
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: EvidenceLine.byteLimit)
        for _ in 0..<4 { reader.read(piece) }
        #expect(reader.held <= EvidenceLine.byteLimit)
        reader.read([UInt8(ascii: "\n")])
        let log = reader.finish()
        #expect(
            log.problems == [EvidenceProblem(line: 2, kind: .unreadable(.tooLong(4 * EvidenceLine.byteLimit)))])
    }

    @Test("of a file that is no evidence at all, only the first problems are kept")
    func noise() {
        let log = Self.read(Array(String(repeating: "noise\n", count: 500).utf8))
        #expect(log.problems.count == EvidenceLog.problemLimit)
        #expect(log.problemCount == 501)
    }
}
