import Wire

/// A client's records as they came, the last ones whole: nobody reads them behind its alert.
struct FarewellRecords {
    private var scanner = TLSRecordScanner()
    /// How many there were.
    private var count = 0
    /// Where the next one begins: bytes from the first one's start.
    private var nextStart = 0
    /// The last ones of application data, as TLS 1.3 calls all that is encrypted.
    private var last: [Place] = []
    /// The last bytes, and how many there were before them.
    private var tail: [UInt8] = []
    private var before = 0

    private struct Place {
        /// From 1 on, of all.
        var number: Int
        var start: Int
        var length: Int
    }

    private static let headerLength = 5
    /// An alert and a close_notify may follow an alert.
    private static let limit = 2
    /// Of the record that an encrypted alert takes without padding: level, code, type and tag (RFC 8446 §5.2, §6).
    private static let alertLength = 2 + 1 + 16
    /// Several times what the last records take: stacks pad alerts by 16 bytes, if at all.
    private static let tailLimit = 2048

    /// How many bytes were no records, from the first that was none.
    var strayCount: Int { scanner.strayCount }

    /// The first that was none would have been one.
    var isBroken: Bool { scanner.isBrokenRecord }

    mutating func scan(_ bytes: Span<UInt8>) {
        keep(bytes)
        var scanner = scanner
        scanner.scan(bytes) { note($0) }
        self.scanner = scanner
    }

    private mutating func note(_ record: TLSRecordScanner.Record) {
        count += 1
        defer { nextStart += Self.headerLength + record.length }
        guard record.type == RecordType.applicationData else { return }
        if last.count > Self.limit { last.removeFirst() }
        last.append(Place(number: count, start: nextStart, length: record.length))
    }

    private mutating func keep(_ bytes: Span<UInt8>) {
        let fresh = bytes.extracting(last: Self.tailLimit)
        let excess = tail.count + fresh.count - Self.tailLimit
        if excess > 0 {
            let gone = min(excess, tail.count)
            tail.removeFirst(gone)
            before += gone
        }
        before += bytes.count - fresh.count
        for index in fresh.indices { tail.append(fresh[index]) }
    }

    /// How many bytes stand behind what was read, in the last records; 0 where they are a farewell: at most two alerts.
    ///
    /// - Parameters:
    ///   - readCount: how many records were read.
    ///   - isAlert: whether a record, given with its header and the number of those before it, holds an alert and nothing else.
    ///     What is no longer than an alert is taken for one: it has no room for more than two bytes.
    func unread(behind readCount: Int, isAlert: ([UInt8], Int) -> Bool) -> Int {
        let unread = last.filter { $0.number > readCount }
        let isFarewell =
            unread.count <= Self.limit
            && unread.allSatisfy { place in
                place.length <= Self.alertLength || whole(place).map { isAlert($0, place.number - 1) } ?? false
            }
        return isFarewell ? 0 : unread.reduce(0) { $0 + $1.length }
    }

    /// nil: more of it has gone by, or less of it has come.
    private func whole(_ place: Place) -> [UInt8]? {
        let start = place.start - before
        let end = start + Self.headerLength + place.length
        return start >= 0 && end <= tail.count ? Array(tail[start..<end]) : nil
    }
}
