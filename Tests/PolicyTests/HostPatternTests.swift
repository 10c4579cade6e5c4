import Facts
import Policy
import Testing

private func pattern(_ text: String) throws -> HostPattern { try #require(HostPattern(text)) }
private func host(_ text: String) throws -> HostName { try #require(HostName(text)) }

@Test("*. stands for exactly one label, **. for one or more")
func wildcards() throws {
    #expect(try pattern("*.example.com").matches(host("a.example.com")))
    #expect(try !pattern("*.example.com").matches(host("a.b.example.com")))
    #expect(try !pattern("*.example.com").matches(host("example.com")))
    #expect(try !pattern("*.example.com").matches(host("badexample.com")))
    #expect(try pattern("**.example.com").matches(host("a.b.example.com")))
    #expect(try !pattern("**.example.com").matches(host("example.com")))
    #expect(try pattern("127.0.0.1").matches(host("127.0.0.1")))
}

@Test("a wildcard over an address, a bare star and a star inside are no patterns")
func noPatterns() {
    for text in ["*.127.0.0.1", "*", "**", "a.*.com", "*a.com", "***.com", "*."] { #expect(HostPattern(text) == nil) }
}

@Test("the most specific rule wins")
func specificity() throws {
    let profile = Profile(
        name: "p",
        rules: [
            HostRule(pattern: try pattern("**.example.com"), expect: .tunnel),
            HostRule(pattern: try pattern("*.example.com"), expect: .accept),
            HostRule(pattern: try pattern("api.example.com"), expect: .refuse),
            HostRule(pattern: try pattern("**.cdn.example.com"), expect: .refuse),
        ])
    #expect(profile.rule(for: try host("api.example.com"))?.expect == .refuse)
    #expect(profile.rule(for: try host("www.example.com"))?.expect == .accept)
    #expect(profile.rule(for: try host("a.b.example.com"))?.expect == .tunnel)
    #expect(profile.rule(for: try host("x.cdn.example.com"))?.expect == .refuse)
    #expect(profile.rule(for: try host("example.com")) == nil)
}

@Test("a pin is the base64 of exactly 32 bytes")
func pins() {
    #expect(Pin("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=") != nil)
    #expect(Pin("sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")?.base64.count == 44)
    #expect(Pin("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB=") == nil)
    #expect(Pin("sha256/AAAA") == nil)
    #expect(Pin("sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=") == nil)
}
