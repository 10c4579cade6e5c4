import Facts

extension FilterParser {
    /// Unix seconds, to the microsecond.
    mutating func moment(of key: FilterKey) throws(FilterFault) -> Double {
        let piece = try piece()
        guard let moment = moment(piece.text) else {
            throw fault(
                piece.range, "\"\(Printable.excerpt(piece.text))\" is no time",
                hint: "for instance \(key.word)10m (ago), \(key.word)2026-01-01, \(key.word)2026-01-01T10:00, "
                    + "\(key.word)2026-01-01T10:00:00Z, \(key.word)10:00 (today)")
        }
        // What is printed has to be what is compared.
        return UTCTime.unix(rfc3339: UTCTime.microseconds(unix: moment)) ?? moment
    }

    private func moment(_ text: String) -> Double? {
        if let ago = FilterNumberText.duration(text[...], plainIsMilliseconds: false) {
            return context.now - Double(ago) / 1e6
        }
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        guard bytes.count >= 10, let date = CalendarDate(text.prefix(10)) else {
            // A time of today.
            let today = UTCTime(unix: context.now + Double(context.localOffset(context.now))).date
            return bytes.first.map { $0 &- 0x30 < 10 } == true ? moment(today, text[...]) : nil
        }
        guard bytes.count > 10 else { return local(Double(date.daysSince1970) * 86_400) }
        guard [0x54, 0x74, 0x20].contains(bytes[10]) else { return nil }
        return moment(date, text.dropFirst(11))
    }

    /// - Parameter text: `10:00`, `10:00:00.5`, with `Z` or `+01:00` behind it or not.
    private func moment(_ date: CalendarDate, _ text: Substring) -> Double? {
        let digits = text.prefix { $0 != "Z" && $0 != "z" && $0 != "+" && $0 != "-" }
        let zone = text.dropFirst(digits.count)
        let clock = digits.count == 5 ? digits + ":00" : digits
        // `+01` is `+01:00`.
        let whole = zone.count == 3 ? zone + ":00" : zone
        guard let moment = UTCTime.unix(rfc3339: "\(date)T\(clock)\(whole.isEmpty ? "Z" : whole)") else { return nil }
        return zone.isEmpty ? local(moment) : moment
    }

    /// From what the clock on the wall shows, in seconds since it showed 1970. Where it shows that twice, the first time
    /// or the second; where it never does, a moment near it.
    private func local(_ wall: Double) -> Double {
        let near = wall - Double(context.localOffset(wall))
        return wall - Double(context.localOffset(near))
    }
}
