import Evidence
import Facts

/// A line format and a hash that are easy to read back; the real ones are tested where they are made.
enum SimpleLines {
    static func encode(_ record: EvidenceRecord, _ previous: String) -> [UInt8] {
        Array("\(previous) \(record.kind)".utf8)
    }
    static func hash(_ line: [UInt8]) -> String {
        String(line.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }, radix: 16)
    }

    static func writer(_ path: String) throws -> EvidenceWriter {
        try EvidenceWriter(path: path, encode: encode, hash: hash)
    }
}
