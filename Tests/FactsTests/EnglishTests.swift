import Testing

@testable import Facts

@Test("numbers and lists read as sentences do")
func english() {
    #expect(English.count(1, "host") == "1 host" && English.count(0, "host") == "0 hosts")
    #expect(English.count(2, "entry", plural: "entries") == "2 entries")
    #expect(English.list([]) == "" && English.list(["a"]) == "a" && English.list(["a", "b", "c"]) == "a, b and c")
    #expect(English.list(["a", "b"], "or") == "a or b")
    #expect(English.some(["a", "b", "c"]) == "a, b and c" && English.some(["a", "b", "c", "d"]) == "a, b and 2 more")
}

@Test("blanks fill a column, and never cut what is longer")
func columns() {
    #expect("ab".padded(to: 4) == "ab  " && "abc".padded(to: 2) == "abc" && "a".indented(by: 2) == "  a")
}
