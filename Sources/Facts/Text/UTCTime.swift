/// A moment in UTC, read and printed without the C library's time zones or Foundation.
package struct UTCTime: Hashable, Sendable {
    package let date: CalendarDate
    package let hour: Int
    package let minute: Int
    package let second: Int

    /// What four digits of a year can say: the years 0 to 9999.
    private static let representable = -62_167_219_200.0...253_402_300_799.0

    /// From Unix seconds; what no four digits of a year can say becomes the first or the last moment that they can.
    package init(unix seconds: Double) {
        let whole = Int(seconds.rounded(.down).clamped(to: Self.representable))
        let days = whole >= 0 ? whole / 86_400 : (whole - 86_399) / 86_400
        let rest = whole - days * 86_400
        date = CalendarDate(daysSince1970: days)
        (hour, minute, second) = (rest / 3600, rest % 3600 / 60, rest % 60)
    }

    package init(unix seconds: Int64) { self.init(unix: Double(seconds)) }

    /// `2026-01-01T00:00:00Z` (RFC 3339).
    package var rfc3339: String { text(fraction: nil) }

    /// `2026-01-01T00:00:00.123456Z`, from Unix seconds.
    package static func microseconds(unix seconds: Double) -> String {
        let whole = seconds.rounded(.down)
        let fraction = ((seconds - whole) * 1_000_000).rounded()
        // It may have become a whole second by that.
        let time = UTCTime(unix: fraction < 1_000_000 ? whole : whole + 1)
        return time.text(fraction: fraction < 1_000_000 && fraction >= 0 ? Int(fraction) : 0)
    }

    /// Every flow and every observation is written with its time: digits go straight into their places.
    private func text(fraction micros: Int?) -> String {
        var bytes = Array(micros == nil ? "0000-00-00T00:00:00Z".utf8 : "0000-00-00T00:00:00.000000Z".utf8)
        func put(_ number: Int, endingAt end: Int) {
            var (rest, place) = (number, end)
            while rest > 0 {
                bytes[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                (rest, place) = (rest / 10, place - 1)
            }
        }
        put(date.year, endingAt: 3)
        put(date.month, endingAt: 6)
        put(date.day, endingAt: 9)
        put(hour, endingAt: 12)
        put(minute, endingAt: 15)
        put(second, endingAt: 18)
        if let micros { put(micros, endingAt: 25) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Unix seconds of an RFC 3339 time, with whatever offset and fraction: `2026-01-01T01:00:00.5+01:00`.
    package static func unix(rfc3339 text: some StringProtocol) -> Double? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[10] | 0x20 == UInt8(ascii: "t"), let date = CalendarDate(text.prefix(10)),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), let hour = number(bytes[11..<13]),
            let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        var rest = bytes[19...]
        var fraction = 0.0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
            guard !digits.isEmpty, let value = Double("0." + String(decoding: digits, as: UTF8.self)) else {
                return nil
            }
            fraction = value
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let offset = offset(rest) else { return nil }
        return Double(date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset) + fraction
    }

    /// `Z`, `+01:00` or `+0100`, in seconds.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
        let bytes = Array(bytes)
        if bytes.count == 1, bytes[0] | 0x20 == UInt8(ascii: "z") { return 0 }
        guard bytes.count == 5 || bytes.count == 6 && bytes[3] == UInt8(ascii: ":"),
            bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"), let hour = number(bytes[1..<3]),
            let minute = number(bytes[(bytes.count - 2)...]), hour < 24, minute < 60
        else { return nil }
        return (bytes[0] == UInt8(ascii: "-") ? -1 : 1) * (hour * 3600 + minute * 60)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.reduce(0) { sum, byte -> Int? in
            guard let sum, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            return sum * 10 + Int(byte - UInt8(ascii: "0"))
        }
    }

    /// `20260101T000000Z` (ISO 8601, basic): sorts, and is a file name everywhere.
    package var compact: String {
        "\(date.year.digits(4))\(date.month.digits(2))\(date.day.digits(2))"
            + "T\(hour.digits(2))\(minute.digits(2))\(second.digits(2))Z"
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? 0 : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
