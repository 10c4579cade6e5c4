import Facts
import Policy
import Testing

@testable import Profiles

@Suite struct ProfileReaderHostsTests {
    private static let rule = "\"*.\" in front stands for exactly one label, \"**.\" for one or more; no other star"

    @Test(
        "what is not a host or a pattern is told why",
        arguments: [
            ("https://a.test/x", "\"https://a.test/x\" is not a host but a URL", ["write the host alone: a.test"]),
            ("a.test/x", "\"a.test/x\" is not a host but a URL", ["write the host alone: a.test"]),
            (
                "a.test:443", "\"a.test:443\" is not a host but a host with a port",
                ["a rule is for a host, whatever the port: a.test"]
            ),
            (
                "*", "\"*\" is not a host pattern: a star needs a name behind it",
                ["all hosts that have no rule: \"others: accept\", tunnel or report", rule]
            ),
            (
                "**", "\"**\" is not a host pattern: a star needs a name behind it",
                ["all hosts that have no rule: \"others: accept\", tunnel or report", rule]
            ),
            (
                "*.", "\"*.\" is not a host pattern: a star needs a name behind it",
                ["all hosts that have no rule: \"others: accept\", tunnel or report", rule]
            ),
            (
                "a.*.test", "\"a.*.test\" is not a host pattern: a star stands only in front, as \"*.\" or \"**.\"",
                [rule]
            ),
            ("*a.test", "\"*a.test\" is not a host pattern: a star stands only in front, as \"*.\" or \"**.\"", [rule]),
            (
                "***.test", "\"***.test\" is not a host pattern: a star stands only in front, as \"*.\" or \"**.\"",
                [rule]
            ),
            (
                "*.*.test", "\"*.*.test\" is not a host pattern: a star stands only in front, as \"*.\" or \"**.\"",
                [rule]
            ),
            (
                "*.127.0.0.1", "\"*.127.0.0.1\" is not a host pattern: addresses have no wildcards",
                ["name each address"]
            ),
            (".a.test", "\".a.test\" is not a host name: it begins with a dot", [rule]),
            (
                "grün.test", "\"grün.test\" is not a host name: it has characters outside ASCII",
                ["write the name as it is on the wire, in punycode (xn--…)"]
            ),
            ("a..test", "\"a..test\" is not a host name", ["letters, digits, hyphens and dots, or an IP address"]),
            ("a b.test", "\"a b.test\" is not a host name", ["letters, digits, hyphens and dots, or an IP address"]),
        ])
    func patterns(_ text: String, _ message: String, _ hints: [String]) {
        let rest = message + hints.map { "\nhint: " + $0 }.joined()
        #expect(complaint(in: "hosts: { \"\(text)\": { expect: refuse } }") == "2:10: " + rest)
        #expect(complaint(in: "controls:\n  - \"\(text)\"") == "3:5: " + rest)
        #expect(complaint(in: "resolve: { \"\(text)\": b.test }") == "2:12: " + rest)
    }

    @Test("a rule without its space is told so once")
    func missingSpace() {
        #expect(
            complaint(in: "hosts:\n  a.test:{ expect: refuse }") == """
                3:3: "a.test:{ expect" is not a host name
                hint: is the space behind the colon missing?
                """)
    }

    @Test("a rule is a map that says what is expected")
    func rules() {
        let meanings =
            "hint: refuse: the app must refuse every forged chain; accept: intercepted, expected to work; tunnel: never touched"
        #expect(
            complaint(in: "hosts:\n  \"*.a.test\": accept\n  b.test:\n  c.test: [refuse]\n  d.test: no") == """
                3:15: "*.a.test" under hosts is the text "accept", not a map with "expect"
                hint: write "*.a.test": { expect: accept }
                4:10: "b.test" under hosts is empty, not a map with "expect"
                hint: write b.test: { expect: refuse }, or accept, or tunnel
                5:11: "c.test" under hosts is a list, not a map with "expect"
                hint: write c.test: { expect: refuse }, or accept, or tunnel
                6:11: "d.test" under hosts is the text "no", not a map with "expect"
                hint: write d.test: { expect: refuse }, or accept, or tunnel
                """)
        #expect(
            complaint(in: "hosts: { a.test: { required: true } }") == """
                2:18: "expect" is missing in the rule of a.test
                hint: write a.test: { expect: refuse }, or accept, or tunnel
                \(meanings)
                """)
        #expect(
            complaint(in: "hosts: { a.test: { expect: refused } }") == """
                2:28: "expect" in the rule of a.test is "refused", not refuse, accept or tunnel
                hint: did you mean "refuse"?
                \(meanings)
                """)
        #expect(
            complaint(in: "hosts: { a.test: { expect: } }") == """
                2:28: "expect" in the rule of a.test is empty, not text
                hint: give it a value, or leave the key out
                """)
    }

    @Test("hosts that are equal once normalised are repeated, wherever they are listed")
    func repeated() {
        let hint = "hint: keep one; case and a trailing dot make no difference"
        #expect(
            complaint(in: "hosts:\n  API.example.com: { expect: refuse }\n  api.example.com.: { expect: accept }")
                == """
                4:3: host "api.example.com." is repeated under hosts, first given in line 3 (both are api.example.com)
                \(hint)
                """)
        #expect(
            complaint(in: "hosts: { \"*.A.test\": { expect: refuse }, \"*.a.test.\": { expect: refuse } }").hasPrefix(
                "2:42: host \"*.a.test.\" is repeated"))
        #expect(
            complaint(in: "hosts:\n  ::1: { expect: refuse }\n  0:0::1: { expect: refuse }").hasPrefix(
                "4:3: host \"0:0::1\" is repeated"))
        #expect(
            complaint(in: "controls: [a.test, A.test]")
                == "2:20: host \"A.test\" is repeated under controls, first given in line 2 (both are a.test)\n\(hint)")
        #expect(
            complaint(in: "resolve: { a.test: b.test, A.test: c.test }").hasPrefix(
                "2:28: host \"A.test\" is repeated under resolve"))
    }

    @Test(
        "what is not a pin is told why",
        arguments: [
            ("sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "SHA-1 is not supported"),
            ("sha256/2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "it holds 20 bytes, not the 32 of a SHA-256"),
            ("sha256/", "it holds 0 bytes, not the 32 of a SHA-256"),
            ("sha256/…", "\"…\" is not a base64 character"),
            (
                "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB=",
                "its last character carries bits that 32 bytes do not have"
            ),
            ("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA!=", "\"!\" is not a base64 character"),
            (
                "sha256/E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
                "it is hexadecimal, not base64"
            ),
            (
                "E3:B0:C4:42:98:FC:1C:14:9A:FB:F4:C8:99:6F:B9:24:27:AE:41:E4:64:9B:93:4C:A4:95:99:1B:78:52:B8:55",
                "it is hexadecimal, not base64"
            ),
            ("pin-sha256", "it does not begin with \"sha256/\""),
        ])
    func pins(_ pin: String, _ reason: String) {
        #expect(
            complaint(in: "hosts: { a.test: { expect: refuse, pins: [\"\(pin)\"] } }") == """
                2:43: "\(pin)" is not a pin: \(reason)
                hint: sha256/ and the base64 of the SHA-256 of the public key (SPKI); for a host: \
                openssl s_client -connect HOST:443 -servername HOST </dev/null | openssl x509 -pubkey -noout | \
                openssl pkey -pubin -outform DER | openssl dgst -sha256 -binary | base64
                """)
    }

    @Test("a pin that lacks little is told how to write it")
    func almostPins() {
        func hint(_ pin: String) -> String {
            String(
                complaint(in: "hosts: { a.test: { expect: refuse, pins: [\(pin)] } }").split(separator: "\n").last ?? ""
            )
        }
        let body = "+oWY7EmKgBe9D8yQ/ETGiH62Hm0WUlHodB7skGqPhvk"
        #expect(hint("sha256/\(body)") == "hint: write \"sha256/\(body)=\"")
        #expect(hint("\(body)=") == "hint: write \"sha256/\(body)=\"")
        #expect(hint("sha256/-oWY7EmKgBe9D8yQ_ETGiH62Hm0WUlHodB7skGqPhvk=") == "hint: write + for - and / for _")
        #expect(
            complaint(in: "hosts: { a.test: { expect: refuse, pins: [sha256/\(body)=, sha256//\(body)=] } }")
                == "no complaint")
    }

    @Test("resolve takes exact names, and leads to a host, with a port or without")
    func resolve() {
        #expect(
            complaint(in: "resolve: { \"*.a.test\": b.test }")
                == "2:12: \"*.a.test\" is not a host name but a pattern: only exact names can stand here\nhint: name each host"
        )
        for (destination, hint) in [
            ("http://b.test:80", "write the host alone, without \"http://\""),
            ("b.test:0", "for instance 127.0.0.1:8443"),
            ("b.test:x", "for instance 127.0.0.1:8443"), ("::1:8443:x", "for instance 127.0.0.1:8443"),
        ] {
            #expect(
                complaint(in: "resolve: { a.test: \"\(destination)\" }") == """
                    2:20: "\(destination)" is not a destination for a.test: expected host, host:port or "[v6]:port"
                    hint: \(hint)
                    """)
        }
    }

    @Test("lent material is for hosts that must refuse, complete, and there")
    func lent() {
        let hosts = "hosts: { \"*.a.test\": { expect: refuse }, b.a.test: { expect: accept } }\n"
        #expect(
            complaint(in: hosts + "lent: { c.a.test: { backup_key: k } }", files: FileState.assumed) == "no complaint")
        #expect(
            complaint(
                in: hosts + "lent: { B.a.test: { backup_key: k }, x.test: { backup_key: k } }", files: FileState.assumed
            ) == """
                3:9: lent material for b.a.test is never used: its rule expects accept
                hint: material is lent for hosts that must refuse: b.a.test: { expect: refuse } under hosts
                3:38: lent material for x.test is never used: no rule under hosts covers it
                hint: material is lent for hosts that must refuse: x.test: { expect: refuse } under hosts
                """)
        #expect(
            complaint(in: hosts + "lent: { c.a.test: {}, d.a.test: { other_host: [a] } }", files: FileState.assumed)
                == """
                3:19: nothing is lent for c.a.test
                hint: give one of backup_key, same_ca_chain, other_host, or remove the entry
                3:47: "other_host" in what is lent for d.a.test has 1 entry, not 2
                hint: write the chain and its key: [chain.pem, key.pem]
                """)
        #expect(
            complaint(in: hosts + "lent: { c.a.test: { backup_key: k, other_host: o.pem } }") == """
                3:33: "backup_key" in what is lent for c.a.test: "k" does not exist (looked for k)
                hint: paths are relative to the profile's folder
                3:48: "other_host" in what is lent for c.a.test is the text "o.pem", not a list
                hint: write a list: ["o.pem"]
                """)
        #expect(
            complaint(in: hosts + "lent: { \"*.a.test\": { backup_key: k } }", files: FileState.assumed).contains(
                "only exact names"))
    }

    @Test("anchors are files, of hosts that must refuse")
    func anchors() throws {
        let text = "version: 1\nhosts: { a.test: { expect: refuse, anchors: [own.pem, /x/other.pem] } }\n"
        let profile = try ProfileLoader.parse(text: text, path: "dir/p.yaml", files: FileState.assumed).profile
        #expect(profile.rules.first?.anchors == ["dir/own.pem", "/x/other.pem"])
        #expect(
            complaint(in: "hosts: { a.test: { expect: accept, anchors: [own.pem] } }", files: FileState.assumed) == """
                2:45: anchors of a.test are never used: its rule expects accept
                hint: anchors say of a host that must refuse which roots alone the app trusts for it; remove them
                """)
        #expect(
            complaint(in: "hosts: { a.test: { expect: refuse, anchors: [own.pem] } }") == """
                2:46: an entry of "anchors" in the rule of a.test: "own.pem" does not exist (looked for own.pem)
                hint: paths are relative to the profile's folder
                """)
    }
}
