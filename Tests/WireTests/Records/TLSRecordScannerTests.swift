import Support
import Testing

@testable import Wire

@Suite("TLSRecordScanner")
struct TLSRecordScannerTests {
    private func scan(_ bytes: [UInt8], by size: Int? = nil) -> (records: [TLSRecordScanner.Record], lost: Bool) {
        var scanner = TLSRecordScanner()
        var records: [TLSRecordScanner.Record] = []
        for start in stride(from: 0, to: bytes.count, by: size ?? max(1, bytes.count)) {
            scanner.scan(Array(bytes[start..<min(bytes.count, start + (size ?? bytes.count))])) { records.append($0) }
        }
        return (records, scanner.isLost)
    }

    private func record(_ type: UInt8, _ length: Int, version: UInt16 = 0x0303, alert: (UInt8, UInt8)? = nil)
        -> TLSRecordScanner.Record
    {
        TLSRecordScanner.Record(
            type: type, version: version, length: length,
            alert: alert.map { TLSRecordScanner.PlainAlert(level: $0.0, code: $0.1) })
    }

    private static let stream: [UInt8] =
        TunnelRecord("Ch300").bytes + TunnelRecord("Cc").bytes + TunnelRecord("Cd0").bytes
        + TunnelRecord("Cd16640").bytes
        + [21, 3, 3, 0, 2, 2, 48] + TunnelRecord("Ca26").bytes

    @Test("counts what is no record, however the bytes are cut", arguments: [nil, 1, 2, 3, 5, 7, 4096])
    func strays(size: Int?) {
        for text in ["", "G", "GET / HTTP/1.1\r\n\r\n", "\u{16}\u{2}", "\u{16}BSMTP", "\u{15}\u{3}\u{3}\u{0}\u{0}"] {
            let bytes = Self.stream + Array(text.utf8)
            var scanner = TLSRecordScanner()
            for start in stride(from: 0, to: bytes.count, by: size ?? bytes.count) {
                scanner.scan(Array(bytes[start..<min(bytes.count, start + (size ?? bytes.count))])) { _ in }
            }
            // Less than a header that may be one is none yet.
            #expect(scanner.strayCount == (text.hasPrefix("\u{16}\u{2}") ? 0 : text.utf8.count), "\(text)")
        }
    }

    @Test("what would be a record is told from text, wherever it is cut")
    func broken() {
        for (bytes, isBroken) in [([21, 3, 9, 0, 0, 10, 71], true), (Array("GET / HTTP".utf8), false)]
            as [([UInt8], Bool)]
        {
            for cut in 0...bytes.count {
                var scanner = TLSRecordScanner()
                scanner.scan(Array(bytes[..<cut])) { _ in }
                scanner.scan(Array(bytes[cut...])) { _ in }
                #expect(scanner.isLost && scanner.isBrokenRecord == isBroken && scanner.strayCount == bytes.count)
            }
        }
    }

    @Test("sees the same records however the bytes are cut", arguments: [nil, 1, 2, 3, 5, 7, 4096])
    func cuts(size: Int?) {
        let (records, lost) = scan(Self.stream, by: size)
        #expect(
            records == [
                record(22, 300), record(20, 1), record(23, 0), record(23, 16640), record(21, 2, alert: (2, 48)),
                record(21, 26),
            ])
        #expect(!lost)
    }

    @Test("tells a record with its header, an alert with its content")
    func early() {
        #expect(scan([22, 3, 1, 1]).records.isEmpty)
        #expect(scan([22, 3, 1, 1, 0]).records == [record(22, 256, version: 0x0301)])
        #expect(scan([21, 3, 3, 0, 2, 1]).records.isEmpty)
        #expect(scan([21, 3, 3, 0, 2, 1, 0]).records == [record(21, 2, alert: (1, 0))])
    }

    @Test(
        "is lost at nonsense and stays so",
        arguments: [
            [71], [25], [19], [22, 2, 0, 0, 5], [22, 4, 0, 0, 5], [23, 3, 5, 0, 5], [22, 3, 3, 0, 0], [20, 3, 3, 0, 0],
            [23, 3, 3, 0x48, 1], [23, 3, 3, 0xff, 0xff],
        ] as [[UInt8]])
    func lost(nonsense: [UInt8]) {
        for size in [nil, 1] as [Int?] {
            let (records, lost) = scan(TunnelRecord("Ch40").bytes + nonsense + TunnelRecord("Ch41").bytes, by: size)
            #expect(records == [record(22, 40)])
            #expect(lost)
        }
    }

    @Test("takes the longest record there is, and empty application data")
    func extremes() {
        #expect(scan([23, 3, 3, 0x48, 0]).records == [record(23, 18432)])
        #expect(scan([23, 3, 1, 0, 0, 23, 3, 1, 0, 0]).records.count == 2)
    }

    @Test("survives random bytes in random pieces")
    func random() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            var bytes = (0..<60).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if Bool.random(using: &generator) { bytes.replaceSubrange(0..<3, with: [23, 3, 3]) }
            _ = scan(bytes, by: Int.random(in: 1...9, using: &generator))
        }
    }
}
