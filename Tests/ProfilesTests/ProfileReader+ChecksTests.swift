import Policy
import Testing

@testable import Profiles

@Suite struct ProfileReaderChecksTests {
    @Test("a control that a rule refuses or tunnels can never show trust")
    func controls() {
        #expect(
            complaint(
                in: "hosts:\n  a.test: { expect: refuse }\n  b.test: { expect: tunnel }\ncontrols: [a.test, B.test]")
                    == """
                    5:12: control "a.test" cannot show trust in the CA: line 3 expects refuse for "a.test"
                    hint: a control is a host that the app contacts unpinned: choose another, or change the rule
                    5:20: control "b.test" cannot show trust in the CA: line 4 expects tunnel for "b.test"
                    hint: a control is a host that the app contacts unpinned: choose another, or change the rule
                    """)
        #expect(
            complaint(in: "controls: [cdn.a.test]\nhosts: { \"**.a.test\": { expect: refuse } }") == """
                2:12: control "cdn.a.test" cannot show trust in the CA: line 3 expects refuse for "**.a.test"
                hint: if the app does not pin it, give it a rule of its own: cdn.a.test: { expect: accept }
                """)
    }

    @Test("a rule of its own makes a control of a host under a pattern")
    func ownRule() {
        let hosts = "hosts: { \"**.a.test\": { expect: refuse }, cdn.a.test: { expect: accept } }\n"
        #expect(complaint(in: hosts + "controls: [cdn.a.test]") == "no complaint")
        #expect(complaint(in: hosts + "controls: [img.a.test]") != "no complaint")
    }

    @Test("what a broken rule may have meant is not held against a control or what is lent")
    func doubt() {
        for hosts in [
            "hosts: { a.test: { expect: acept } }", "hosts: { a.test: accept }", "hosts: [a.test]", "hosts: { *x : 1 }",
            "hosts: { \"**.test\": { expect: refuse }, a.test: { expct: accept } }",
            "hosts: { \"**.test\": { expect: refuse }, \"a.test:443\": { expect: accept } }",
        ] {
            let text = complaint(
                in: hosts + "\ncontrols: [a.test]\nlent: { a.test: { backup_key: k } }", files: FileState.assumed)
            #expect(!text.contains("control") && !text.contains("lent") && text != "no complaint", "\(text)")
        }
    }

    @Test("a pattern as control is wrong only where a rule takes all of it")
    func patterns() throws {
        func covers(_ rule: String, _ pattern: String) throws -> Bool {
            ProfileReader.covers(try #require(HostPattern(rule)), try #require(HostPattern(pattern)))
        }
        for (rule, pattern, isCovered) in [
            ("*.a.test", "*.a.test", true), ("**.a.test", "*.a.test", true), ("**.test", "*.a.test", true),
            ("**.test", "**.a.test", true), ("*.test", "*.a.test", false), ("*.a.test", "**.a.test", false),
            ("x.a.test", "*.a.test", false), ("**.b.a.test", "*.a.test", false), ("*.a.test", "x.a.test", true),
            ("*.a.test", "a.test", false), ("**.a.test", "*.ba.test", false),
        ] { #expect(try covers(rule, pattern) == isCovered, "\(rule) \(pattern)") }
        let carved = "hosts: { api.a.test: { expect: refuse } }\ncontrols: [\"*.a.test\"]"
        #expect(complaint(in: carved) == "no complaint")
    }
}
