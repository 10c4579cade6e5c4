import Testing

@testable import Filters

@Suite("What a filter finds out about texts")
struct FilterTextsTests {
    private static func filter(_ text: String) throws -> Filter {
        try Filter.parse(text, in: FilterContext(now: 0, localOffset: { _ in 0 }, regex: { _, _ in NoRegex() }))
    }

    private struct NoRegex: FilterRegex {
        func matches(_ bytes: [UInt8]) -> Bool { false }
    }

    @Test(
        "words, bodies, addresses and values of fields are texts",
        arguments: ["login", "body:x", "url:x", "path:/a", "header:cookie=x", "-header:cookie=x", "status:200 or x"])
    func texts(text: String) throws { #expect(try Self.filter(text).looksIntoTexts) }

    @Test("what else a flow has is none", arguments: ["status:200", "host:a.test", "header:cookie", "is:failed", ""])
    func others(text: String) throws {
        let filter = try Self.filter(text)
        #expect(!filter.looksIntoTexts && filter.isMonotone && filter.broadened == filter)
    }

    @Test("only what is negated can want more flows where less is seen")
    func negated() throws {
        #expect(try Self.filter("a status:200").isMonotone)
        #expect(try !Self.filter("-a").isMonotone)
        #expect(try Self.filter("-(-a)").isMonotone)
        #expect(try Self.filter("-status:200 a").isMonotone)
    }

    @Test(
        "a word that looks like a filter with an equals sign is told, as text that may be meant",
        arguments: [
            ("status=404", "status:404"), ("host:a.test METHOD==POST", "method:POST"),
            ("-(a or type!=json)", "-type:json"),
            ("status:404", nil), ("q=5", nil), ("status=", nil), ("a*status=4", nil), ("", nil),
        ])
    func wordLikeAFilter(text: String, filter: String?) throws {
        #expect(try Self.filter(text).wordLikeAFilter?.filter == filter)
    }

    @Test("the broader filter wants whatever the texts say")
    func broadened() throws {
        #expect(try Self.filter("a status:200").broadened == Self.filter("status:200"))
        #expect(try !Self.filter("-a or body:x -(b status:200)").broadened.looksIntoTexts)
    }
}
