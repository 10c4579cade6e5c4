import Facts

/// Dates of HTTP and of cookies (RFC 9110 §5.6.7, RFC 6265 §5.1.1).
enum HTTPDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Unix seconds of `Wed, 21 Oct 2026 07:28:00 GMT`, and of the older forms.
    static func unix(_ text: String) -> Double? {
        var (day, month, year): (Int?, Int?, Int?) = (nil, nil, nil)
        var time: String?
        let words = text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == ":")) }.map(
            String.init)
        for word in words {
            if word.contains(":") {
                time = time ?? word
            } else if let place = months.firstIndex(where: word.hasPrefix), Int(word) == nil {
                month = month ?? place + 1
            } else if let number = Int(word), (0...9999).contains(number) {
                if day == nil, word.utf8.count <= 2 { day = number } else if year == nil { year = number }
            }
        }
        guard let day, let month, var year, let time, time.utf8.count == 8 else { return nil }
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        func padded(_ number: Int, _ width: Int) -> String {
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        return UTCTime.unix(rfc3339: "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(time)Z")
    }
}
