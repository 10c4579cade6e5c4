import Facts
import Policy
import Testing

@testable import Profiles

@Suite struct ProfileReaderClientsTests {
    @Test("reads every means, in the order of the file")
    func means() throws {
        let profile = try parsed(
            """
            version: 1
            clients:
              pixel-8: { user: pixel-8, password: "1234" }
              old phone: { user: old }
              iphone-15: { listen: "127.0.0.1:0" }
              tablet: { address: 192.0.2.7 }
              v6: { address: "2001:DB8::1", listen: "[::1]:9000", user: v6 }
              mapped: { address: "::ffff:192.0.2.8" }
            """)
        #expect(
            profile.clients == [
                ClientRule(name: "pixel-8", credentials: .init(user: "pixel-8", password: "1234")),
                ClientRule(name: "old phone", credentials: .init(user: "old")),
                ClientRule(name: "iphone-15", listen: Endpoint("127.0.0.1:0")),
                ClientRule(name: "tablet", address: IPAddress("192.0.2.7")),
                ClientRule(
                    name: "v6", credentials: .init(user: "v6"), listen: Endpoint("[::1]:9000"),
                    address: IPAddress("2001:db8::1")),
                ClientRule(name: "mapped", address: IPAddress("192.0.2.8")),
            ])
        #expect(try parsed("version: 1").clients.isEmpty)
    }

    @Test(
        "what tells two clients apart cannot be the same",
        arguments: [
            ("user: p", "user: p, password: other", "24: user \"p\""),
            ("listen: 127.0.0.1:80", "listen: 127.0.0.1:80", "26: 127.0.0.1:80"),
            ("address: 192.0.2.7", "address: \"::ffff:192.0.2.7\"", "27: address 192.0.2.7"),
            ("address: \"::1\"", "address: \"0:0::1\"", "27: address ::1"),
        ])
    func taken(first: String, second: String, place: String) {
        let said = complaint(in: "clients:\n  one: { \(first) }\n  two:         { \(second) }")
        #expect(
            said == """
                4:\(place) is that of client one already, given in line 3
                hint: nobody could tell the two apart: each client needs its own
                """)
    }

    @Test("port 0 is another port for each")
    func freePorts() throws {
        let text = "version: 1\nclients:\n  a: { listen: 127.0.0.1:0 }\n  b: { listen: 127.0.0.1:0 }"
        #expect(try parsed(text).clients.count == 2)
    }

    @Test("a mistyped key has its nearest, and is not reported twice")
    func unknownKey() {
        #expect(
            complaint(in: "clients:\n  a: { usr: p }") == """
                3:8: unknown key "usr" of client a
                hint: did you mean "user"?
                """)
        #expect(
            complaint(in: "clients:\n  a: { user: p, expect: refuse }") == """
                3:17: unknown key "expect" of client a
                hint: "expect" stands in the rule of a host
                """)
        #expect(
            complaint(in: "client:\n  a: { user: p }") == """
                2:1: unknown key "client"
                hint: did you mean "clients"?
                """)
        #expect(complaint(in: "clients:\n  a: { usr: p, password: x }").contains("has a password") == false)
    }

    @Test(
        "what is no means, or no name, is told why",
        arguments: [
            (
                "a: {}",
                "3:6: nothing tells client a from the others\nhint: give it proxy credentials (user: pixel-8), "
                    + "a port of its own (listen: 127.0.0.1:0), or its address (address: 192.0.2.7)"
            ),
            (
                "a: { password: x }",
                "3:18: client a has a password, and no user\n"
                    + "hint: the user is what names it; a password is optional"
            ),
            (
                "a: { user: \"a:b\" }",
                "3:14: \"a:b\" cannot be the user of client a\n"
                    + "hint: up to 255 printable ASCII characters, without a colon"
            ),
            (
                "a: { user: p, password: größer }",
                "3:27: the password of client a cannot be sent to a proxy\n"
                    + "hint: up to 255 printable ASCII characters"
            ),
            (
                "a: { listen: 8080 }",
                "3:16: \"listen\" of client a is the number 8080, not host or host:port\n"
                    + "hint: write the host too, for instance 127.0.0.1:8443"
            ),
            (
                "a: { listen: gate.example.com:1 }",
                "3:16: \"gate.example.com:1\" is no address for client a to be listened for at\n"
                    + "hint: an address of this machine and a port, for instance 127.0.0.1:0; port 0 picks a free one"
            ),
            (
                "a: { address: 192.0.2.0/24 }",
                "3:17: \"192.0.2.0/24\" is no IP address of client a\n"
                    + "hint: one address a client: ranges are not known here"
            ),
            (
                "a: { address: phone.example.com }",
                "3:17: \"phone.example.com\" is no IP address of client a\n"
                    + "hint: the address that its connections come from, for instance 192.0.2.7; names are not looked up"
            ),
            (
                "a: 192.0.2.7",
                "3:6: \"a\" under clients is the text \"192.0.2.7\", not a map with \"user\", \"listen\" or \"address\""
            ),
            (
                "a/b: { user: p }",
                "3:3: \"a/b\" cannot be a client's name\n"
                    + "hint: up to 64 letters, digits, spaces and . _ - +, beginning with a letter or digit"
            ),
            (
                "a: { user: p, password: 1234 }",
                "3:27: \"password\" of client a is the number 1234, not text\n"
                    + "hint: if that is what it is called, put it in quotes: \"1234\""
            ),
        ])
    func faults(entry: String, expected: String) {
        #expect(complaint(in: "clients:\n  \(entry)") == expected)
    }

    @Test("the same name twice, a list, and too many are each one mistake")
    func shapes() {
        #expect(
            complaint(in: "clients:\n  a: { user: p }\n  a: { user: q }").hasPrefix(
                "4:3: \"a\" is repeated under clients, first given in line 3"))
        #expect(complaint(in: "clients: [a]").hasPrefix("2:10: \"clients\" is a list, not a map"))
        let many = (0...ProfileReader.maxClients).map { "  c\($0): { user: c\($0) }" }.joined(separator: "\n")
        #expect(complaint(in: "clients:\n\(many)").contains("\"clients\" has 257 entries, the limit is 256"))
    }

    @Test("no password is ever part of a message")
    func secrecy() {
        let said = complaint(in: "clients:\n  a: { user: p, password: \"geheim\\u00fc\" }\n  b: { password: secret }")
        #expect(!said.contains("geheim") && !said.contains("secret"))
    }
}
