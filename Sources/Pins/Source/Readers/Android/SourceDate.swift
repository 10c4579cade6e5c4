import Facts

/// A moment as code writes it: its day in UTC, where the file says it.
enum SourceDate: Equatable {
    case day(CalendarDate)
    /// So far off that it is nobody's plan.
    case never
    case unknown

    init(_ item: SourceItem) {
        self = Self.read(item, depth: 0)
    }

    private static let months = [
        "JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE", "JULY", "AUGUST", "SEPTEMBER", "OCTOBER", "NOVEMBER",
        "DECEMBER",
    ]

    private static func read(_ item: SourceItem, depth: Int) -> SourceDate {
        guard depth < 8 else { return .unknown }
        switch item.value {
        case .text(let text): return CalendarDate(text.prefix(10)).map { .day($0) } ?? .unknown
        case .number(let number): return moment(number)
        case .unknown(let text):
            return text.hasSuffix("Long.MAX_VALUE") || text.hasSuffix("Instant.MAX") || text.hasSuffix(".distantFuture")
                ? .never : .unknown
        case .call(let call): return read(call, depth: depth)
        default: return .unknown
        }
    }

    /// In milliseconds.
    private static func moment(_ number: Int) -> SourceDate {
        let days = number / 86_400_000
        // The year 9999 is what four digits can say.
        guard number >= 0 else { return .unknown }
        return days > 2_932_896 ? .never : .day(CalendarDate(daysSince1970: days))
    }

    private static func read(_ call: SourceCall, depth: Int) -> SourceDate {
        let items = call.arguments.map(\.item)
        // Foundation's, in seconds; what is told from now on is no day.
        if let seconds = call.argument("timeIntervalSince1970")
            ?? (call.method == "dateWithTimeIntervalSince1970:" ? items.first : nil)
        {
            guard case .number(let number) = seconds.value, number < Int.max / 1000 else { return .unknown }
            return moment(number &* 1000)
        }
        if call.name.contains("SinceNow") || call.name.contains("Adding")
            || call.arguments.contains(where: { $0.label?.contains("Since") == true })
        {
            return .unknown
        }
        if call.method == "distantFuture" { return .never }
        switch call.method {
        case "GregorianCalendar" where items.count >= 3: return day(items, firstMonth: 0)
        case "Date" where items.count >= 3:
            // java.util.Date counts years from 1900.
            guard case .number(let year) = items[0].value, year < 8100 else { return .unknown }
            return day([SourceItem(.number(year &+ 1900), line: 1)] + items.dropFirst(), firstMonth: 0)
        case "of" where items.count >= 3: return day(items, firstMonth: 1)
        default: break
        }
        // `SimpleDateFormat("…").parse("2027-06-01")`, `Date.from(Instant.parse("…"))`, `calendar.getTime()`.
        if let first = items.first {
            let found = read(first, depth: depth + 1)
            if found != .unknown { return found }
        }
        // The pattern of a format is no date.
        guard let receiver = call.receiver, receiver.text == nil else { return .unknown }
        return read(receiver, depth: depth + 1)
    }

    private static func day(_ items: [SourceItem], firstMonth: Int) -> SourceDate {
        guard case .number(let year) = items[0].value, case .number(let day) = items[2].value,
            (0...9999).contains(year), (1...31).contains(day)
        else { return .unknown }
        var month: Int?
        switch items[1].value {
        case .number(let number) where (0...12).contains(number): month = number - firstMonth + 1
        case .unknown(let text): month = months.firstIndex { text.hasSuffix($0) }.map { $0 + 1 }
        default: break
        }
        guard let month else { return .unknown }
        return CalendarDate("\(year.digits(4))-\(month.digits(2))-\(day.digits(2))").map { .day($0) } ?? .unknown
    }
}
