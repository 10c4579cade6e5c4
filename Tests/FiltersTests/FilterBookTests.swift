import Testing

@testable import Filters

@Suite struct FilterBookTests {
    private func book(_ filters: [String: String], mutes: [String: String] = [:]) -> FilterBook {
        let entries = { (texts: [String: String]) in
            texts.sorted { $0.key < $1.key }.map { FilterBook.Entry(name: $0.key, text: $0.value) }
        }
        return FilterBook(filters: entries(filters), mutes: entries(mutes))
    }

    private func message(_ text: String, _ book: FilterBook) -> String? {
        do throws(FilterFault) {
            _ = try Filter.parse(text, in: .with(book))
            return nil
        } catch {
            return "\(error.column): \(error.message)"
        }
    }

    @Test("a saved filter stands for its text, whatever it is joined with")
    func expansion() throws {
        let book = book(["errors": "status:>=400 or is:failed", "mine": "filter:errors host:a", "none": " "])
        let written = { (text: String) throws in try Filter.parse(text, in: .with(book)).description }
        #expect(try written("filter:errors") == "status:>=400 or is:failed")
        #expect(try written("method:GET filter:Errors") == "method:GET (status:>=400 or is:failed)")
        #expect(try written("-filter:mine") == "-((status:>=400 or is:failed) host:a)")
        #expect(try written("filter:none a") == "a")
        #expect(try written("-filter:none") == "-*")
    }

    @Test("names that are unknown, or lead back to themselves")
    func faults() {
        let book = book(["a": "filter:b", "b": "x filter:a", "wrong": "host:x mehtod:y", "self": "filter:self"])
        #expect(message("filter:wrogn", book) == "8: no filter is called \"wrogn\"")
        #expect(message("x filter:wrong", book) == "10: in the filter \"wrong\", column 8: \"mehtod:\" is not known")
        #expect(
            message("filter:a", book)
                == "8: in the filter \"a\", column 8: in the filter \"b\", column 10: the filter \"a\" names itself: a → b → a"
        )
        #expect(message("filter:self", book)?.hasSuffix("the filter \"self\" names itself: self → self") == true)
        #expect(book.faults(in: .sample).map(\.name) == ["a", "b", "self", "wrong"])
    }

    @Test("filters that name each other twice do not grow without end")
    func growth() {
        var texts = ["f0": "x"]
        for level in 1...30 { texts["f\(level)"] = "filter:f\(level - 1) filter:f\(level - 1)" }
        #expect(message("filter:f5", book(texts)) == nil)
        #expect(message("filter:f30", book(texts))?.hasSuffix("there are more than 256 terms") == true)
        for level in 1...40 { texts["f\(level)"] = "filter:f\(level - 1)" }
        #expect(message("filter:f40", book(texts))?.contains("more than 32 deep") == true)
    }

    @Test("a mute can be named like a filter")
    func mutes() {
        #expect(message("filter:ads", book([:], mutes: ["ads": "host:ads.*"])) == nil)
    }

    @Test("names need no quotes")
    func names() {
        for name in ["a", "Errors", "4xx", "my.filter_2-b", "größe"] { #expect(FilterBook.isName(name), "\(name)") }
        for name in ["", "a b", "-a", "a:b", "a,b", "a)", String(repeating: "a", count: 65)] {
            #expect(!FilterBook.isName(name), "\(name)")
        }
    }
}
