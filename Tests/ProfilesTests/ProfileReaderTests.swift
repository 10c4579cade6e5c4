import Facts
import Loop
import Policy
import Testing

@testable import Profiles

@Suite struct ProfileReaderTests {
    @Test(
        "an unknown key leads to the nearest of its level, or to where it belongs",
        arguments: [
            ("contorls: []", "2:1: unknown key \"contorls\"", "did you mean \"controls\"?"),
            (
                "hosts: { a.test: { expect: refuse, pin: [] } }", "2:36: unknown key \"pin\" in the rule of a.test",
                "did you mean \"pins\"?"
            ),
            ("upstream: { root: [] }", "2:13: unknown key \"root\" under upstream", "did you mean \"roots\"?"),
            (
                "hosts: { a.test: { expect: refuse } }\nlent: { a.test: { backup-key: k } }",
                "3:19: unknown key \"backup-key\" in what is lent for a.test", "did you mean \"backup_key\"?"
            ),
            ("expect: refuse", "2:1: unknown key \"expect\"", "\"expect\" stands in the rule of a host"),
            ("roots: []", "2:1: unknown key \"roots\"", "\"roots\" stands under upstream"),
            (
                "upstream: { same_anchors: true }", "2:13: unknown key \"same_anchors\" under upstream",
                "\"same_anchors\" stands at the top, not indented"
            ),
            (
                "other_host: []", "2:1: unknown key \"other_host\"",
                "\"other_host\" stands under lent, in the entry of a host"
            ),
            (
                "api.example.com: {}", "2:1: unknown key \"api.example.com\"",
                "hosts stand under hosts, indented: api.example.com: { expect: refuse }"
            ),
            (
                "upstream: { zzzzz: 1 }", "2:13: unknown key \"zzzzz\" under upstream",
                "known keys here: roots, proxy, client_certificates"
            ),
            (
                "hosts: { a.test: { expect refuse } }", "2:20: unknown key \"expect refuse\" in the rule of a.test",
                "write \"expect:\", and a space behind the colon"
            ),
        ])
    func unknownKeys(_ fragment: String, _ message: String, _ hint: String) {
        #expect(complaint(in: fragment) == message + "\nhint: " + hint)
    }

    @Test(
        "a wrong type is told with what was found and what is meant",
        arguments: [
            (
                "hosts: [a.test]",
                "2:8: \"hosts\" is a list, not a map of hosts\nhint: write one host a line, indented: api.example.com: { expect: refuse }"
            ),
            (
                "hosts:",
                "2:7: \"hosts\" is empty, not a map of hosts\nhint: write one host a line, indented: api.example.com: { expect: refuse }"
            ),
            (
                "controls: cdn.test",
                "2:11: \"controls\" is the text \"cdn.test\", not a list\nhint: write a list: [\"cdn.test\"]"
            ),
            (
                "controls:\n  - a.test: { expect: accept }",
                "3:5: an entry of \"controls\" is a map, not a host name\nhint: write the host alone: rules stand under hosts"
            ),
            (
                "controls: [true]",
                "2:12: an entry of \"controls\" is true, not a host name\nhint: if that is what it is called, put it in quotes: \"true\""
            ),
            (
                "hosts: { 10.1: { expect: refuse } }",
                "2:10: a key under hosts is the number 10.1, not a host name\nhint: if that is what it is called, put it in quotes: \"10.1\""
            ),
            ("hosts: { [a]: { expect: refuse } }", "2:10: a key under hosts is a list, not a host name"),
            (
                "name: 2024",
                "2:7: \"name\" is the number 2024, not text\nhint: if that is what it is called, put it in quotes: \"2024\""
            ),
            ("name: ''", "2:7: \"name\" is empty, not text\nhint: give it a value, or leave the key out"),
            ("cold_starts: three", "2:14: \"cold_starts\" is the text \"three\", not a whole number"),
            (
                "cold_starts: \"3\"",
                "2:14: \"cold_starts\" is the text \"3\", not a whole number\nhint: write it without quotes"
            ),
            (
                "same_anchors: yes",
                "2:15: \"same_anchors\" is the text \"yes\", not true or false\nhint: YAML 1.2 has only true and false: write true"
            ),
            (
                "same_anchors: Off",
                "2:15: \"same_anchors\" is the text \"Off\", not true or false\nhint: YAML 1.2 has only true and false: write false"
            ),
            (
                "same_anchors: \"true\"",
                "2:15: \"same_anchors\" is the text \"true\", not true or false\nhint: write it without quotes: true"
            ),
            ("same_anchors: FALSE", "2:15: \"same_anchors\" is FALSE, not true or false\nhint: write false"),
            ("same_anchors: 1", "2:15: \"same_anchors\" is the number 1, not true or false"),
            ("others: [tunnel]", "2:9: \"others\" is a list, not text"),
            ("upstream: root.pem", "2:11: \"upstream\" is the text \"root.pem\", not a map"),
            (
                "upstream: { roots: root.pem }",
                "2:20: \"roots\" under upstream is the text \"root.pem\", not a list\nhint: write a list: [\"root.pem\"]"
            ),
            ("upstream: { proxy: 3128 }", "2:20: \"proxy\" under upstream is the number 3128, not host:port or null"),
            ("resolve: [a.test]", "2:10: \"resolve\" is a list, not a map"),
            (
                "resolve: { a.test: 8443 }",
                "2:20: \"a.test\" under resolve is the number 8443, not host or host:port\nhint: write the host too, for instance 127.0.0.1:8443"
            ),
            (
                "resolve: { a.test: null }",
                "2:20: \"a.test\" under resolve is empty, not host or host:port\nhint: give it a value, or leave the key out"
            ),
            ("? [a]\n: b", "2:3: a key is a list, not text"),
            ("name: \"a\\0b\"", "2:7: character U+0000 is not allowed in a profile\nhint: is this really a text file?"),
        ])
    func types(_ fragment: String, _ said: String) { #expect(complaint(in: fragment) == said) }

    @Test("the profile itself is a map")
    func root() {
        let hint = "hint: a profile begins with \"version: 1\"; see docs/profile.md"
        #expect(complaint("version:1") == "1:1: the profile is one text, not a map\n" + hint)
        #expect(complaint("- version: 1") == "1:1: the profile is a list, not a map\n" + hint)
    }

    @Test("the version is 1, and must be there")
    func version() {
        let begin = "hint: a profile begins with \"version: 1\"; see docs/profile.md"
        #expect(complaint("name: x") == "1:1: \"version\" is missing\n" + begin)
        #expect(complaint("version: 2") == "1:10: version 2 is not known\nhint: this pinproof reads \"version: 1\"")
        #expect(complaint("version: 1.0") == "1:10: version 1.0 is not known\nhint: this pinproof reads \"version: 1\"")
        #expect(complaint("version: '1'") == "1:10: \"version\" is the text \"1\", not a whole number\n" + begin)
        #expect(complaint("version:") == "1:9: \"version\" is empty, not a whole number\n" + begin)
        // Mistyped is not missing.
        #expect(complaint("verison: 1") == "1:1: unknown key \"verison\"\nhint: did you mean \"version\"?")
    }

    @Test("words come from their list", arguments: ["maybe", "TUNNEL", "3", "true"])
    func others(_ word: String) {
        let hint =
            "hint: hosts not named under hosts; tunnel: untouched; accept: intercepted; report: untouched, and a finding"
        let nearest = word == "TUNNEL" ? "hint: did you mean \"tunnel\"?\n" : ""
        #expect(
            complaint(in: "others: \(word)")
                == "2:9: \"others\" is \"\(word)\", not tunnel, accept or report\n\(nearest)\(hint)")
    }

    @Test(
        "cold starts are a whole number from 1 to 1000",
        arguments: ["0", "-1", "1001", "2.5", "1e2", "0x10", "99999999999999999999", ".inf"])
    func coldStarts(_ number: String) {
        #expect(
            complaint(in: "cold_starts: \(number)") == """
                2:14: "cold_starts" is \(number), not a whole number from 1 to 1000
                hint: 3 is the default; 29 in a row bound the acceptance rate at 10 %, 59 at 5 %
                """)
    }

    @Test("a name becomes part of a folder's: nothing leads out of it, hides it or is mistaken for an option")
    func names() {
        for name in [
            "../x", "a/b", ".hidden", "-rf", "a\\\\b", "x ", "a\\tb", "a\u{202E}b", "😀",
            String(repeating: "n", count: 65),
        ] {
            #expect(complaint(in: "name: \"\(name)\"") != "no complaint", "\(name)")
        }
        for name in ["release", "Release 2", "größe", "v1.2-rc_3+4", "日本語", "7 eleven"] {
            #expect(complaint(in: "name: \(name)") == "no complaint", "\(name)")
        }
    }

    @Test("numbers, booleans and null are those of YAML 1.2")
    func coreSchema() {
        func found(_ text: String) -> ProfileError.Found? {
            Tree(place: Place(1, 1), content: .scalar(text, isPlain: true)).found
        }
        for text in ["0", "-1", "+12", "0o17", "0x1F", "1.5", ".5", "5.", "1e3", "-1.5E-3", ".inf", "-.INF", ".NaN"] {
            #expect(found(text) == .number(text), "\(text)")
        }
        for text in [
            "127.0.0.1", "1:30", "0b1", "1_000", "e5", ".", "-", "+.", "0x", "0o8", "1e", "1.2.3", "::1", "yes", "off",
            "2024-01-01",
        ] {
            #expect(found(text) == .text(text, quoted: false), "\(text)")
        }
        for text in ["", "~", "null", "NULL"] { #expect(found(text) == .nothing, "\(text)") }
        #expect(Tree(place: Place(1, 1), content: .scalar("1", isPlain: false)).found == .text("1", quoted: true))
    }

    @Test(
        "the upstream proxy is host:port, over plain HTTP, without a password, which no error shows",
        arguments: [
            ("https://p.test:1", "https proxies are not supported"),
            ("socks5://p.test:1", "socks5 proxies are not supported"),
            ("http://u:p@p.test:1", "proxies with a password are not supported"), ("p.test", "the port is missing"),
            ("http://p.test", "the port is missing"), ("p.test:0", "expected host:port or http://host:port"),
            ("p.test:1/path", "expected host:port or http://host:port"),
            ("p.test:99999", "expected host:port or http://host:port"),
        ])
    func proxies(_ proxy: String, _ reason: String) {
        #expect(
            complaint(in: "upstream: { proxy: \"\(proxy)\" }") == """
                2:20: "\(proxy.replacing("u:p", with: "…"))" cannot be the upstream proxy: \(reason)
                hint: for instance proxy.example.com:3128
                """)
    }

    @Test("no proxy can be said as null")
    func noProxy() throws {
        for word in ["null", "~", ""] {
            #expect(try parsed("version: 1\nupstream: { proxy: \(word) }").upstream.proxy == nil)
        }
    }

    @Test("files are told as written and as looked for")
    func files() {
        func state(_ state: FileState, _ path: String = "a/r.pem") -> String {
            do throws(ProfileErrors) {
                _ = try ProfileLoader.parse(text: "version: 1\nupstream: { roots: [\(path)] }", path: "dir/p.yaml") {
                    _ in state
                }
                return ""
            } catch { return error.description }
        }
        let start = "error: dir/p.yaml:2:21: an entry of \"roots\" under upstream: \"a/r.pem\""
        let looked = "(looked for dir/a/r.pem)"
        #expect(
            state(.missing) == "\(start) does not exist \(looked)\nhint: paths are relative to the profile's folder")
        #expect(state(.directory) == "\(start) is a folder, not a file \(looked)")
        #expect(state(.notReadable) == "\(start) cannot be read \(looked)")
        #expect(state(.special) == "\(start) is not a regular file \(looked)")
        #expect(
            state(.failed(SystemError("open", 24))).hasPrefix(
                "\(start) cannot be read: too many open files \(looked)\nhint: ulimit -n"))
        #expect(
            state(.missing, "~/r.pem").hasSuffix(
                "hint: ~ is not expanded here: write the path relative to the profile, or in full"))
        #expect(state(.missing, "/abs/r.pem").contains("(looked for /abs/r.pem)"))
    }

    @Test("lists and maps of hosts are bounded")
    func bounds() {
        let hosts = (0...2_000).map { "  h\($0).test: { expect: refuse }\n" }.joined()
        #expect(complaint(in: "hosts:\n" + hosts) == "3:3: \"hosts\" has 2001 entries, the limit is 2000")
        let controls = (0...2_000).map { "  - h\($0).test\n" }.joined()
        #expect(complaint(in: "controls:\n" + controls) == "3:3: \"controls\" has 2001 entries, the limit is 2000")
    }
}
