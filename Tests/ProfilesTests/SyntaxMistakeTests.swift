import Testing

@testable import Profiles

@Suite struct SyntaxMistakeTests {
    @Test(
        "what is not YAML is told in one line, where it can be mended, with what most likely made it so",
        arguments: [
            (
                "hosts:\n\ta.test: {}", "3:1: not YAML: found character that cannot start any token",
                "YAML is indented with spaces, never with tabs"
            ),
            (
                "\tname: x",
                "2:1: not YAML: found a tab character that violates indentation, while scanning a plain scalar that begins in line 1",
                "YAML is indented with spaces, never with tabs"
            ),
            (
                "name: @x", "2:7: not YAML: found character that cannot start any token",
                "a value that begins with \"@\" needs quotes"
            ),
            (
                "name: a: b", "2:8: not YAML: mapping values are not allowed in this context",
                "is the line before indented differently? a value with \": \" in it needs quotes"
            ),
            (
                "name: a\n  others: b", "3:9: not YAML: mapping values are not allowed in this context",
                "is the line before indented differently? a value with \": \" in it needs quotes"
            ),
            (
                "name: \"x\nothers: tunnel\n",
                "2:7: not YAML: found unexpected end of stream, while scanning a quoted scalar", "is a quote missing?"
            ),
            (
                "controls: [a.test\n",
                "2:11: not YAML: did not find expected ',' or ']', while parsing a flow sequence",
                "is a bracket, a brace or a comma missing?"
            ),
            (
                "hosts:\n  a.test: {expect: refuse\n  b.test: {expect: refuse}",
                "4:9: not YAML: did not find expected ',' or '}', while parsing a flow mapping that begins in line 3",
                "is a bracket, a brace or a comma missing?"
            ),
            (
                "controls: [a.test]]",
                "2:19: not YAML: did not find expected key, while parsing a block mapping that begins in line 1",
                "keys that belong together are indented alike"
            ),
            (
                "hosts\nname: x",
                "3:1: not YAML: could not find expected ':', while scanning a simple key that begins in line 2",
                "is a colon missing, or the space behind it?"
            ),
            (
                "hosts: { ::1: { expect: refuse } }",
                "2:10: not YAML: did not find expected node content, while parsing a flow node",
                "a value that begins with \":\" needs quotes"
            ),
            (
                "resolve:\n  a.test: [::1]:8443",
                "3:12: not YAML: did not find expected node content, while parsing a flow node",
                "an IPv6 address in brackets needs quotes: \"[::1]:8443\""
            ),
        ])
    func syntax(_ fragment: String, _ message: String, _ hint: String) {
        #expect(complaint(in: fragment) == message + "\nhint: " + hint)
    }

    @Test("a second document is none of the profile")
    func documents() {
        #expect(
            complaint("version: 1\n---\nversion: 1") == """
                2:1: a second YAML document begins here
                hint: a profile is one document: remove the "---" and what follows, or give it a file of its own
                """)
        #expect(complaint("---\nversion: 1\n...\n") == "no complaint")
        #expect(complaint("%YAML 1.2\n---\nversion: 1\n") == "no complaint")
    }
}
