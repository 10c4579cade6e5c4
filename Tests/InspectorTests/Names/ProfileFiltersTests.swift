import Console
import Profiles
import Testing

@testable import Inspector

@Suite struct ProfileFiltersTests {
    private static func check(_ text: String) throws {
        try ProfileFilters.check(try ProfileLoader.parse(text: text, path: "p.yaml") { FileState.assumed($0) }, now: 0)
    }

    @Test("filters and mutes of a profile may name one another")
    func good() throws {
        let text = """
            version: 1
            filters:
              errors: status:>=400 or is:failed
              mine: 'filter:errors client:pixel-8'
            mutes: { noise: "host:*.ads.example" }
            """
        try Self.check(text)
        let loaded = try ProfileLoader.parse(text: text, path: "p.yaml") { FileState.assumed($0) }
        let book = ProfileFilters.book(of: loaded)
        #expect(book.names == ["errors", "mine", "noise"])
        #expect(try book.muted(now: 0)?.description == "host:*.ads.example")
    }

    @Test("a wrong one is told at its line and column, with what was probably meant")
    func wrong() throws {
        let text = """
            version: 1
            filters:
              errors: host:a staus:4
            mutes:
              noise: "mehtod:GET"
              loop: filter:nothing
            """
        #expect {
            try Self.check(text)
        } throws: { error in
            guard let complaint = error as? Complaint else { return false }
            let text = complaint.description
            return complaint.status == .configuration && complaint.items.count == 3
                && text.contains("p.yaml:3:18: in the filter \"errors\": ")
                && text.contains("did you mean \"status:\"?")
                && text.contains("p.yaml:5:11: in the filter \"noise\": ") && text.contains("p.yaml:6:16: ")
        }
    }
}
