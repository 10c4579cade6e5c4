import Testing

@testable import Proxy

@Suite("FarewellRecords")
struct FarewellRecordsTests {
    private func record(_ length: Int, type: UInt8 = 23, of byte: UInt8 = 0xaa) -> [UInt8] {
        [type, 3, 3, UInt8(length >> 8), UInt8(length & 0xff)] + [UInt8](repeating: byte, count: length)
    }

    /// - Parameter alerts: whether what is asked about is one.
    private func unread(
        _ records: [[UInt8]], read: Int, in pieces: Int = 1 << 20, alerts: Bool = false
    ) -> Int {
        var seen = FarewellRecords()
        let all = Array(records.joined())
        for start in stride(from: 0, to: all.count, by: pieces) {
            seen.scan(Array(all[start..<min(all.count, start + pieces)]).span)
        }
        return seen.unread(behind: read) { asked, number in
            #expect(asked == records[number])
            return alerts
        }
    }

    @Test("what is no longer than an alert is a farewell twice; anything longer has to be shown to be one")
    func lengths() {
        #expect(unread([record(53), record(19)], read: 2) == 0)
        #expect(unread([record(53), record(19), record(19), record(19)], read: 2) == 0)
        #expect(unread([record(53), record(19), record(19), record(19), record(19)], read: 2) == 57)
        #expect(unread([record(53), record(19), record(118)], read: 2) == 118)
        #expect(unread([record(53), record(19), record(118)], read: 2, alerts: true) == 0)
        #expect(unread([record(35), record(35)], read: 1) == 35)
        #expect(unread([record(35), record(35)], read: 1, alerts: true) == 0)
        #expect(unread([record(53), record(19)] + [[UInt8]](repeating: record(18), count: 30), read: 2) == 54)
        #expect(unread([record(53), record(118, type: 21)], read: 1) == 0)
    }

    @Test(
        "records are handed over whole, wherever their bytes were cut", arguments: [1, 2, 7, 300, 2048, 4096, 1 << 20])
    func pieces(size: Int) {
        let records = [
            record(600, type: 22), record(1, type: 20), record(16_000), record(700, of: 1), record(35, of: 2),
            record(36, of: 3),
        ]
        #expect(unread(records, read: 3, in: size) == 700 + 35 + 36)
        #expect(unread(records, read: 4, in: size) == 35 + 36)
        #expect(unread(records, read: 4, in: size, alerts: true) == 0)
    }

    @Test("a record of which a part is missing is none that could be shown to be an alert")
    func cut() {
        var seen = FarewellRecords()
        seen.scan((record(53) + record(35).dropLast()).span)
        #expect(seen.unread(behind: 1) { _, _ in true } == 35)
        // As one of which the beginning has gone by.
        var late = FarewellRecords()
        late.scan((record(53) + record(4000)).span)
        #expect(late.unread(behind: 1) { _, _ in true } == 4000)
    }
}
