/// What a SETTINGS frame asks of the other side (RFC 9113 §6.5.2).
///
/// As far as reading depends on it.
struct HTTP2Settings: Hashable {
    static let entryLength = 6

    /// SETTINGS_HEADER_TABLE_SIZE: the smallest and the last, as both have their meaning (RFC 7541 §4.2).
    private(set) var smallestTable: Int?
    private(set) var table: Int?
    private(set) var frameLimit: Int?

    init() {}

    /// - Parameter bytes: a SETTINGS frame's payload; what is no whole entry is left out.
    init(payload bytes: [UInt8]) {
        for start in stride(from: 0, to: bytes.count - bytes.count % Self.entryLength, by: Self.entryLength) {
            take(Array(bytes[start..<(start + Self.entryLength)]))
        }
    }

    mutating func take(_ entry: [UInt8]) {
        guard entry.count == Self.entryLength else { return }
        let value = entry[2...].reduce(0) { $0 << 8 | Int($1) }
        switch Int(entry[0]) << 8 | Int(entry[1]) {
        case 1:
            smallestTable = min(smallestTable ?? value, value)
            table = value
        case 5: frameLimit = max(frameLimit ?? value, value)
        default: break
        }
    }
}
