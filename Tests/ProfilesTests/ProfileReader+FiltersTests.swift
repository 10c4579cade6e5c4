import Policy
import Testing

@testable import Profiles

@Suite struct ProfileReaderFiltersTests {
    @Test("filters and mutes have names, in the order of the file, and places")
    func filters() throws {
        let loaded = try ProfileLoader.parse(
            text: """
                version: 1
                filters:
                  errors: status:>=400
                  v1.calls: "path:/v1/*"
                mutes: { noise: 'host:ads.example' }
                """, path: "p.yaml", files: noFiles)
        let errors = NamedFilter(name: "errors", text: "status:>=400")
        #expect(loaded.profile.filters == [errors, NamedFilter(name: "v1.calls", text: "path:/v1/*")])
        #expect(loaded.profile.mutes == [NamedFilter(name: "noise", text: "host:ads.example")])
        #expect(loaded.places.filters["filters.errors"] == Place(3, 11))
        #expect(loaded.places.filters["filters.v1.calls"] == Place(4, 14))
        #expect(loaded.places.filters["mutes.noise"] == Place(5, 18))
    }

    @Test(
        "what cannot be meant is told, with a hint",
        arguments: [
            ("filters: [a]", "2:10: \"filters\" is a list, not a map", "filters"),
            ("filters: { a b: x }", "2:12: \"a b\" cannot be a filter's name", "letters, digits"),
            ("mutes: { a: 500 }", "2:13: \"a\" under mutes is the number 500, not text", "quotes"),
            ("filters: { a: x, A: y }", "2:18: \"A\" is repeated under filters, first given in line 2", "remove one"),
            ("filter: { a: x }", "2:1: unknown key \"filter\"", "filters"),
        ])
    func wrong(fragment: String, message: String, hint: String) {
        let text = complaint(in: fragment)
        #expect(text.contains(message) && text.contains(hint), "\(text)")
    }
}
