import Facts
import Testing

@testable import Pins

@Suite("the CA calendar")
struct CACalendarTests {
    @Test("it is sorted, and what holds all the time comes last")
    func sorted() {
        let events = CACalendar.events
        let dated = events.prefix { $0.date != nil }
        #expect(dated.map(\.date) == dated.compactMap(\.date).sorted())
        #expect(events.dropFirst(dated.count).allSatisfy { $0.date == nil })
        #expect(Set(events.map(\.id)).count == events.count)
    }

    @Test("every event is whole: words, a source, a day on which somebody looked, and keys that exist")
    func wellFormed() {
        for event in CACalendar.events {
            #expect(!event.text.isEmpty && !event.fix.isEmpty && !event.by.isEmpty, "\(event.id)")
            #expect(event.source.hasPrefix("https://") && event.checked.year >= 2026, "\(event.id)")
            #expect(event.text.first?.isLowercase == true || event.text.first?.isUppercase == true)
            #expect(!event.text.hasSuffix(".") && !event.fix.hasSuffix("."), "\(event.id)")
            #expect(event.keys.count == event.roots.count + event.pins.count, "\(event.id)")
            #expect(event.keys.allSatisfy { $0.count == 32 }, "\(event.id)")
            #expect(event.date != nil || event.kind == .rotates || event.kind == .managed, "\(event.id)")
            #expect(!event.isGeneral || event.kind == .shorterCertificates, "\(event.id)")
        }
    }

    @Test(
        "the longest validity by day",
        arguments: [
            ("2020-01-01", 398), ("2026-03-14", 398), ("2026-03-15", 200), ("2027-03-14", 200), ("2027-03-15", 100),
            ("2029-03-14", 100), ("2029-03-15", 47), ("2040-01-01", 47),
        ])
    func validity(_ day: String, _ days: Int) throws {
        #expect(CACalendar.maximumValidity(on: try #require(CalendarDate(day))) == days)
    }

    @Test("DigiCert's first generation left on 2026-04-15, Let's Encrypt's intermediates of 2024 retired in July")
    func known() throws {
        let g1 = try #require(KnownRoot.all.first { $0.name == "DigiCert Global Root CA" })
        #expect(CACalendar.events(key: g1.key).map(\.date) == [CalendarDate(year: 2026, month: 4, day: 15)])
        let r11 = try #require(Base64.decoded(Array("bdrBhpj38ffhxpubzkINl0rG+UyossdhcBYj+Zx2fcc=".utf8)[...]))
        #expect(CACalendar.events(key: r11).map(\.kind) == [.retires, .expires, .rotates])
        let x1 = try #require(KnownRoot.all.first { $0.name == "ISRG Root X1" })
        #expect(
            CACalendar.events(key: x1.key).filter { $0.kind == .leavesProgramme }.map(\.date)
                == [CalendarDate(year: 2030, month: 6, day: 4)])
    }

    @Test("an issuer is known by its organisation, not by a word in it")
    func issuers() throws {
        let amazon = try #require(CACalendar.events.first { $0.id == "amazon-managed" })
        #expect(amazon.concerns(issuer: "CN=Amazon RSA 2048 M02,O=Amazon,C=US"))
        #expect(amazon.concerns(issuer: "C=US, O=amazon, CN=x"))
        #expect(!amazon.concerns(issuer: "CN=Amazon,O=Amazonia Ltd,C=BR"))
        #expect(!amazon.concerns(issuer: ""))
    }
}
