import Testing

@testable import Facts

@Suite struct NearestTests {
    /// A profile's.
    private let keys = [
        "version", "name", "hosts", "others", "controls", "attacks", "cold_starts", "resolve", "same_anchors",
        "only_pins", "lent",
        "upstream", "clients", "waivers",
    ]

    @Test("a slip of the hand leads to the word that was meant")
    func near() {
        for (typed, meant) in [
            ("hots", "hosts"), ("host", "hosts"), ("Hosts", "hosts"), ("cold-starts", "cold_starts"),
            ("coldStarts", "cold_starts"),
            ("contorls", "controls"), ("verison", "version"), ("sameanchors", "same_anchors"), ("upstraem", "upstream"),
        ] { #expect(Nearest.word(to: typed, among: keys) == meant) }
    }

    @Test("what is far from everything leads nowhere")
    func far() {
        for typed in ["", "x", "api.example.com", "zzzz", String(repeating: "h", count: 100_000)] {
            #expect(Nearest.word(to: typed, among: keys) == nil)
        }
    }

    @Test("swapped neighbours are one slip, all else one a letter")
    func distance() {
        func distance(_ a: String, _ b: String) -> Int { Nearest.distance(Array(a.utf8), Array(b.utf8)) }
        #expect(distance("ab", "ba") == 1)
        #expect(distance("", "abc") == 3)
        #expect(distance("kitten", "sitting") == 3)
        #expect(distance("same", "same") == 0)
    }
}
