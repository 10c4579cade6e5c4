import Testing

@testable import Facts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct EvidenceLineTests {
    static let prev = String(repeating: "ab", count: 32)

    @Test(
        "a record comes back as it was",
        arguments: EvidenceSamples.full + EvidenceSamples.minimal + EvidenceSamples.flags)
    func roundTrip(_ record: EvidenceRecord) throws {
        let line = EvidenceLine.encode(record, prev: Self.prev)
        let back = try EvidenceLine.decode(line)
        #expect(back.record == record)
        #expect(back.prev == Self.prev)
    }

    @Test(
        "a line begins with its kind and the hash before it", arguments: EvidenceSamples.full + EvidenceSamples.minimal)
    func firstKeys(_ record: EvidenceRecord) {
        let line = String(decoding: EvidenceLine.encode(record, prev: Self.prev), as: UTF8.self)
        #expect(line.hasPrefix(#"{"kind":"\#(record.kind)","prev":"\#(Self.prev)""#))
        #expect(!line.utf8.contains(UInt8(ascii: "\n")))
    }

    @Test("a full record has exactly the keys and values that the CodingKeys say", arguments: EvidenceSamples.full)
    func keys(_ record: EvidenceRecord) throws {
        let written = try JSONDecoder().decode(Tree.self, from: Data(EvidenceLine.encode(record, prev: Self.prev)))
        guard case .object(var fields) = written else {
            Issue.record("not an object")
            return
        }
        #expect(fields.removeValue(forKey: "kind") == .text(record.kind))
        #expect(fields.removeValue(forKey: "prev") == .text(Self.prev))
        #expect(.object(fields) == (try Tree(synthesized: record)))
    }

    @Test("what is nil, empty or false by default is left out")
    func short() {
        let line = EvidenceLine.encode(.connection(Observation(connection: 1, at: 2)), prev: EvidenceLine.noPrevious)
        let rest = #""connection":1,"trial":0,"at":2,"via":"unknown","action":"none","bytes_up":0,"bytes_down":0}"#
        #expect(
            String(decoding: line, as: UTF8.self) == #"{"kind":"connection","prev":"\#(EvidenceLine.noPrevious)","#
                + rest)
    }

    @Test("text of a client cannot end its line or add a key")
    func hostileText() throws {
        var observation = Observation(connection: 1)
        observation.error = "\"}\n{\"kind\":\"run-ended\"\u{1b}[2J\u{202e}"
        observation.hello = HelloFacts(alpn: ["\n", "\",\"x\":\"", String(repeating: "\u{0}", count: 255)])
        let line = EvidenceLine.encode(.connection(observation), prev: Self.prev)
        #expect(line.allSatisfy { (0x20..<0x7f).contains($0) })
        #expect(try EvidenceLine.decode(line).record == .connection(observation))
    }

    @Test("keys of a later version are passed over")
    func laterKeys() throws {
        let line = #"{"kind":"run-ended","prev":"","seconds":1,"at":2,"colour":{"a":[1]}}"#
        #expect(
            try EvidenceLine.decode(Array(line.utf8)).record == .runEnded(RunEnd(interrupted: false, seconds: 1, at: 2))
        )
    }

    @Test("a kind that this version does not know is named")
    func unknownKind() {
        #expect(throws: EvidenceError.unknownKind("packet")) {
            try EvidenceLine.decode(Array(#"{"kind":"packet","prev":"x"}"#.utf8))
        }
    }

    @Test("a header of another schema is named before its keys are looked at")
    func unknownSchema() {
        #expect(throws: EvidenceError.unknownSchema("pinproof.evidence/2")) {
            try EvidenceLine.decode(Array(#"{"kind":"header","prev":"x","schema":"pinproof.evidence/2"}"#.utf8))
        }
    }

    @Test(
        "a line that is not a record is an error, never a trap",
        arguments: [
            "", "{", "[]", "null", "1", "\"x\"", "{}", #"{"kind":"connection"}"#, #"{"kind":1,"prev":""}"#,
            #"{"kind":"run-ended","prev":"","seconds":1e999,"at":0}"#,
            #"{"kind":"run-ended","prev":"","seconds":null,"at":0}"#,
            #"{"kind":"trial-ended","prev":"","trial":99999999999999999999,"seconds":1,"at":0}"#,
            #"{"kind":"connection","prev":"","connection":-1,"trial":0,"at":0,"via":"tls","action":"none","bytes_up":0,"bytes_down":0}"#,
            #"{"kind":"connection","prev":"","connection":1,"trial":0,"at":0,"via":"pigeon","action":"none","bytes_up":0,"bytes_down":0}"#,
            #"{"kind":"trial-started","prev":"","trial":1,"attack":"x","only":["not a host"],"at":0}"#,
            String(repeating: "[", count: 100_000), "\u{0}\u{0}",
        ])
    func unreadable(_ line: String) {
        #expect(throws: EvidenceError.self) { try EvidenceLine.decode(Array(line.utf8)) }
    }

    @Test("a line over the limit is not even parsed")
    func tooLong() {
        let line = [UInt8](repeating: UInt8(ascii: " "), count: EvidenceLine.byteLimit + 1)
        #expect(throws: EvidenceError.tooLong(line.count)) { try EvidenceLine.decode(line) }
    }

    @Test("the longest observation a peer can cause fits into a line")
    func longest() throws {
        var observation = EvidenceSamples.connection
        // A ClientHello of 64 KiB full of ALPN names that need six bytes each, and a chain of 100 KiB in tiny pieces.
        observation.hello?.alpn = Array(repeating: String(repeating: "\u{1}", count: 255), count: 256)
        observation.upstream?.chain = Array(repeating: Self.prev, count: 400)
        observation.upstream?.spki = Array(repeating: String(repeating: "A", count: 44), count: 400)
        observation.presented = Array(repeating: Self.prev, count: 800)
        let line = EvidenceLine.encode(.connection(observation), prev: Self.prev)
        #expect(try EvidenceLine.decode(line).record == .connection(observation))
    }

    @Test("the reason of an unreadable line is one line and says where")
    func reason() {
        let line = #"{"kind":"connection","prev":"","connection":1,"trial":"x","at":0,"via":"tls"}"#
        let error = #expect(throws: EvidenceError.self) { try EvidenceLine.decode(Array(line.utf8)) }
        #expect(error?.description == "cannot be read: trial: not a Int")
    }
}

/// Any JSON, for comparing two ways of writing it.
private indirect enum Tree: Decodable, Equatable {
    case null, flag(Bool), number(Double), text(String), array([Tree]), object([String: Tree])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let array = try? value.decode([Tree].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: Tree].self))
        }
    }

    /// The record as the compiler's own encoding writes it.
    init(synthesized record: EvidenceRecord) throws {
        let encoder = JSONEncoder()
        let data =
            switch record {
            case .header(let value): try encoder.encode(value)
            case .selfTest(let value): try encoder.encode(value)
            case .origin(let value): try encoder.encode(value)
            case .trialStarted(let value): try encoder.encode(value)
            case .trialEnded(let value): try encoder.encode(value)
            case .connection(let value): try encoder.encode(value.observation)
            case .flow(let value): try encoder.encode(value)
            case .networkWatched(let value): try encoder.encode(value)
            case .runEnded(let value): try encoder.encode(value)
            }
        self = try JSONDecoder().decode(Tree.self, from: data)
    }
}
