import Testing

@testable import Profiles

@Suite struct YAMLComposerTests {
    @Test("patterns without quotes are told so, each, and the rest is still read")
    func unquotedStars() {
        let text = """
            hosts:
              *.cdn.example.com: { expect: accept }
              **.example.com: { expct: refuse }
            controls: [*.img.test, "*.ok.test"]
            """
        #expect(
            complaint(in: text) == """
                3:3: "*.cdn.example.com" stands without quotes, and YAML takes a leading * for an alias
                hint: put the pattern in quotes: "*.cdn.example.com"
                4:3: "**.example.com" stands without quotes, and YAML takes a leading * for an alias
                hint: put the pattern in quotes: "**.example.com"
                4:21: unknown key "expct" in the rule of **.example.com
                hint: did you mean "expect"?
                5:12: "*.img.test" stands without quotes, and YAML takes a leading * for an alias
                hint: put the pattern in quotes: "*.img.test"
                """)
    }

    @Test("stars in quotes, in comments and inside of words stay what they are")
    func otherStars() throws {
        let profile = try parsed(
            """
            version: 1 # *x and *.y
            hosts: { "*.a.test": { expect: refuse }, '**.b.test': { expect: refuse } }
            """)
        #expect(profile.rules.map(\.pattern.description) == ["*.a.test", "**.b.test"])
        #expect(complaint(in: "na*me: 1").hasPrefix("2:1: unknown key \"na*me\""))
    }

    @Test("aliases stand for what was anchored before them")
    func aliases() throws {
        let profile = try parsed(
            """
            version: 1
            hosts:
              a.test: &strict { expect: refuse, pins: &p [sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=] }
              b.test: *strict
              c.test: { expect: tunnel, pins: *p }
              &d d.test: { expect: accept }
            controls: [*d]
            """)
        #expect(profile.rules.map(\.expect) == [.refuse, .refuse, .tunnel, .accept])
        #expect(profile.rules.map(\.pins.count) == [1, 1, 1, 0])
        #expect(profile.controls.map(\.description) == ["d.test"])
    }

    @Test("an alias without its anchor is reported, be it misspelled, later or its own")
    func unknownAliases() {
        #expect(
            complaint(in: "others: *later\nname: &later x") == """
                2:9: no anchor "&later" for the alias "*later"
                hint: if a pattern is meant, put it in quotes: "*.later"
                """)
        #expect(complaint(in: "controls: &c [*c]").hasPrefix("2:15: no anchor \"&c\""))
    }

    @Test("an alias bomb is stopped before it is written out, as a value and as a key")
    func bomb() {
        var text = "k0: &a0 [x, x]\n"
        for i in 1...60 { text += "k\(i): &a\(i) [*a\(i - 1), *a\(i - 1), *a\(i - 1)]\n" }
        let errors = { (text: String) -> [ProfileError.Fault] in
            do throws(ProfileErrors) {
                _ = try parsed("version: 1\n" + text)
                return []
            } catch { return error.errors.map(\.fault) }
        }
        #expect(errors(text).count { $0 == .tooManyNodes } == 1)
        #expect(errors(text + "*a60 : x\n*a59 : x\n*a60 : x\n").contains(.tooManyNodes))
        #expect(errors("attacks: [" + String(repeating: "x,", count: 300_000) + "]").contains(.tooManyNodes))
    }

    @Test("a star alone is no pattern, with or without quotes")
    func bareStar() {
        #expect(
            complaint(in: "hosts: { * : { expect: refuse } }") == """
                2:10: "*" stands without quotes, and YAML takes a leading * for an alias
                hint: all hosts that have no rule: "others: accept", tunnel or report
                hint: "*." in front stands for exactly one label, "**." for one or more; no other star
                """)
    }

    @Test("aliases do not stack up to more depth than nesting may have")
    func depthByAliases() {
        var text = "k0: &a0 [x]\n"
        for i in 1...100 { text += "k\(i): &a\(i) [*a\(i - 1)]\n" }
        do throws(ProfileErrors) {
            _ = try parsed("version: 1\n" + text)
            Issue.record("accepted")
        } catch {
            let places = error.errors.filter { $0.fault == .tooDeep }.map { $0.place?.line }
            // The value of k30 stands at depth 1 and ends at 32; one more is too much, and starts anew.
            #expect(places.first == 33)
        }
    }

    @Test("nesting is bounded, whatever it is made of")
    func depth() {
        for (count, open) in [(40, "["), (900, "["), (100_000, "["), (900, "? "), (100_000, "- "), (100_000, "{a: ")] {
            let close = open == "[" && count < 1_000 ? String(repeating: "]", count: count) : ""
            let text = complaint("version: 1\nname: \n " + String(repeating: open, count: count) + close)
            #expect(text.contains("nested deeper than 32 levels"), "\(count) \(open)")
        }
    }

    @Test("a repeated key is told with both lines, and hides nothing else")
    func repeatedKeys() {
        let text = """
            version: 1
            name: a
            name: b
            hosts:
              a.test: { expect: refuse, expect: accept }
              "*.b.test": { expect: refuse }
              "*.b.test": { expect: accept }
              'c.test': { expct: accept }
              "c.test": { expect: accept }
            name: c
            """
        #expect(
            complaint(text) == """
                3:1: "name" is repeated, first given in line 2
                hint: remove one of them
                5:29: "expect" is repeated in the rule of a.test, first given in line 5
                hint: remove one of them
                7:3: host "*.b.test" is repeated under hosts, first given in line 6
                hint: keep one; case and a trailing dot make no difference
                8:15: unknown key "expct" in the rule of c.test
                hint: did you mean "expect"?
                9:3: host "c.test" is repeated under hosts, first given in line 8
                hint: keep one; case and a trailing dot make no difference
                10:1: "name" is repeated, first given in line 2
                hint: remove one of them
                """)
    }

    @Test("a repeated key that cannot be told apart is still an error")
    func stubbornKeys() {
        #expect(
            complaint("\"\": 1\n\"\": 1") == "1:1: \"\" is repeated, first given in line 1\nhint: remove one of them")
        #expect(complaint(in: "\"\\x61\": 1\n\"a\": 2").hasPrefix("2:1: \"a\" is repeated"))
        #expect(complaint(in: "{a: 1}: 1\n{a: 1}: 1").hasPrefix("2:1: a key is a map, not text"))
        let many = (0..<100).map { "  h\($0 % 25).test: { expect: refuse }\n" }.joined()
        #expect(complaint(in: "hosts:\n" + many).contains("is repeated"))
    }

    @Test("tags and merge keys have no meaning here")
    func tags() {
        #expect(complaint(in: "cold_starts: !!int 3").hasPrefix("2:14: the YAML tag \"!!int\" has no meaning"))
        #expect(complaint(in: "name: !secret 'x'").hasPrefix("2:7: the YAML tag \"!secret\" has no meaning"))
        #expect(complaint(in: "hosts: !!omap {}").hasPrefix("2:8: the YAML tag \"!!omap\" has no meaning"))
        #expect(
            complaint(in: "<<: {name: x}") == """
                2:1: unknown key "<<"
                hint: YAML 1.2 has no merge keys: write the keys out
                """)
    }
}
