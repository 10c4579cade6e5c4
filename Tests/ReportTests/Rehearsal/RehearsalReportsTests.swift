import Facts
import Pins
import Testing

@testable import Report

@Suite("a rehearsal in words")
struct RehearsalReportsTests {
    private static let report: RehearsalReport = {
        let leaf = DatedCertificate(
            role: .leaf, subject: "CN=<b>api.test", key: "AAAA", ends: CalendarDate(year: 2027, month: 6, day: 1))
        let root = DatedCertificate(
            chain: "next", role: .root, subject: "CN=root", key: "BBBB",
            ends: CalendarDate(year: 2099, month: 6, day: 1))
        let long = String(repeating: "by the profile's pins, not seen ", count: 6)
        let host = RehearsalReport.Host(
            host: "api.test",
            scenarios: [
                Rehearsed("next", .works, .seen, "seen: <it> sent its request", isOwn: true),
                Rehearsed("renewed-new-key", .lockedOut, .pins, long), Rehearsed("other-root", .unclear, .none, "why"),
            ], pins: ["AAAA", "CCCC"], certificates: [leaf, root],
            builds: [
                BuildSpan(name: "1.2.3", pins: ["AAAA", "CCCC"], breaks: leaf.ends, isSeen: true),
                BuildSpan(name: "1.<2>", pins: ["BBBB"], unprotected: leaf.ends, isSeen: false),
            ])
        return RehearsalReport(
            profile: "release", build: "1.2.3", today: CalendarDate(year: 2026, month: 12, day: 1), hosts: [host],
            timeline: [
                TimelineEvent(date: leaf.ends, host: "api.test", event: "leaf expires", breaks: ["1.2.3"]),
                TimelineEvent(date: root.ends, host: "api.test", event: "root of next expires", isUnclear: true),
                TimelineEvent(date: leaf.ends, host: "api.test", event: "a root leaves", isOfCA: true),
            ], run: "runs/x")
    }()

    @Test("JSON has the contract's keys")
    func json() throws {
        let json = try JSONValue.parse(RehearsalJSON.text(Self.report).utf8)
        #expect(json["schema"]?.string == "pinproof.rehearsal/1")
        let host = try #require(json["hosts"]?.array?.first)
        #expect(host["host"]?.string == "api.test")
        let scenarios = try #require(host["scenarios"]?.array)
        #expect(scenarios.compactMap { $0["name"]?.string } == ["next", "renewed-new-key", "other-root"])
        #expect(scenarios.compactMap { $0["outcome"]?.string } == ["works", "locked-out", "unclear"])
        #expect(scenarios.allSatisfy { $0["why"]?.string?.isEmpty == false })
        let event = try #require(json["timeline"]?.array?.first)
        #expect(event["date"]?.string == "2027-06-01")
        #expect(event["event"]?.string == "leaf expires")
        #expect(event["breaks"]?.array?.compactMap(\.string) == ["1.2.3"])
    }

    @Test("each build has its pins and its days")
    func builds() throws {
        let json = try JSONValue.parse(RehearsalJSON.text(Self.report).utf8)
        let builds = try #require(json["hosts"]?.array?.first?["builds"]?.array)
        #expect(builds.compactMap { $0["breaks"]?.string } == ["2027-06-01"])
        #expect(builds.compactMap { $0["unprotected"]?.string } == ["2027-06-01"])
        #expect(builds.map { $0["by"]?.string } == ["seen", "pins"])
        let text = RehearsalText(Self.report, unicode: false).text
        #expect(text.contains("pinned by 1.2.3\n"))
        #expect(text.contains("2027-06-01 out\n") && text.contains("2027-06-01 off\n"))
        #expect(text.contains("CA event"))
        let page = String(decoding: HTMLRehearsalPage(Self.report).bytes, as: UTF8.self)
        #expect(page.contains("build 1.&lt;2&gt;") && page.contains("is not protected from 2027-06-01 on"))
        #expect(page.contains("a root leaves"))
    }

    @Test("text takes no more than 80 columns, and draws ends to scale", arguments: [true, false])
    func text(unicode: Bool) {
        let text = RehearsalText(Self.report, unicode: unicode).text
        for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        #expect(text.contains("next             works       seen: <it> sent its request"))
        #expect(text.contains("with a new key there, 1.2.3 is locked out"))
        #expect(text.contains("a pin of no chain here"))
        #expect(text.contains("2027-06-01 pin"))
        #expect(unicode || text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("a bar is as long as the time that is left, and what lasts for decades ends at the edge")
    func picture() {
        let picture = TimelinePicture(Self.report.hosts[0], from: Self.report.today)
        #expect(picture.bars.map(\.isPinned) == [true, true])
        #expect(picture.bars[1].length == 1)
        #expect(abs(picture.bars[0].length - 182.0 / Double(TimelinePicture.longest)) < 0.001)
        #expect(picture.spare == ["CCCC"])
    }

    @Test("the page is whole by itself, and means nothing by what certificates say")
    func page() {
        let page = String(decoding: HTMLRehearsalPage(Self.report).bytes, as: UTF8.self)
        #expect(page.contains("CN=&lt;b&gt;api.test"))
        #expect(page.contains("seen: &lt;it&gt; sent"))
        #expect(!page.contains("<script"))
        #expect(!page.contains("src="))
        #expect(!page.contains("http"))
        #expect(page.contains("prefers-color-scheme: dark"))
        #expect(page.contains("width=device-width"))
    }
}
