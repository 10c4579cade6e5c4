import Facts

/// What happens to public CAs, by date: past, announced, and by schedule.
package enum CACalendar {
    /// By date; what holds all the time comes last. Within a day by id.
    package static let events: [CAEvent] = (announced + byMozillasSchedule).sorted { a, b in
        switch (a.date, b.date) {
        case (let x?, let y?): x != y ? x < y : a.id < b.id
        case (nil, nil): a.id < b.id
        case (_, nil): true
        case (nil, _): false
        }
    }

    /// Those about this key, by date. SHA-256 of a SubjectPublicKeyInfo.
    package static func events(key: [UInt8]) -> [CAEvent] { byKey[key] ?? [] }

    /// Days that a certificate of a public CA may be valid for, if it is issued on that day.
    ///
    /// Source: CA/Browser Forum, Baseline Requirements §6.3.2 with ballot SC-081v3.
    package static func maximumValidity(on day: CalendarDate) -> Int {
        validity.last { $0.from <= day }?.days ?? 398
    }

    static let validity: [(from: CalendarDate, days: Int)] = [
        (CalendarDate(year: 2020, month: 9, day: 1), 398), (CalendarDate(year: 2026, month: 3, day: 15), 200),
        (CalendarDate(year: 2027, month: 3, day: 15), 100), (CalendarDate(year: 2029, month: 3, day: 15), 47),
    ]

    private static let byKey = Dictionary(
        events.flatMap { event in event.keys.map { ($0, [event]) } }, uniquingKeysWith: { $0 + $1 })

    /// Roots of today's Mozilla store, by the day on which its schedule takes them out.
    private static var byMozillasSchedule: [CAEvent] {
        let days = Dictionary(grouping: KnownRoot.all.filter { $0.mozillaUntil != nil }) { $0.mozillaUntil }
        return days.compactMap { day, roots in
            guard let day else { return nil }
            let names = roots.map(\.name).sorted()
            return CAEvent(
                "mozilla-lifecycle-\(day)", day, .leavesProgramme, by: "Mozilla",
                "by Mozilla's schedule, the trust in servers ends for \(English.some(names)): keys grow too old",
                fix: "ask the CA which root follows, and pin that key beside this one before the day",
                roots: names, source: "https://wiki.mozilla.org/CA/Root_CA_Lifecycles",
                checked: RootTable.checked, certainty: .scheduled)
        }
    }
}
