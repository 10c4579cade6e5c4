import Facts
import Policy
import Testing

@testable import Profiles

@Suite struct ProfileReaderClientCertificatesTests {
    private func readable(_ path: String) -> FileState { path.contains("none") ? .missing : .readable }

    private func said(_ entry: String) -> String {
        complaint(in: "upstream:\n  client_certificates:\n    - \(entry)", files: readable)
    }

    @Test("reads every form, relative to the profile, in the order of the file")
    func forms() throws {
        let profile = try parsed(
            """
            version: 1
            upstream:
              client_certificates:
                - { host: API.example.com, pkcs12: a.p12, password: "1234" }
                - { host: "*.example.com", pkcs12: /b.p12, password_file: b.secret }
                - { host: "**.example.com", pkcs12: c.p12, password_env: C_SECRET }
                - { host: 192.0.2.7, pkcs12: d.p12 }
                - { host: e.example.com, certificate: e.pem, key: e.key }
            """, files: readable)
        let expected: [(String, ClientCertificateRule.Material)] = [
            ("api.example.com", .pkcs12("a.p12", .text("1234"))),
            ("*.example.com", .pkcs12("/b.p12", .file("b.secret"))),
            ("**.example.com", .pkcs12("c.p12", .variable("C_SECRET"))), ("192.0.2.7", .pkcs12("d.p12", .none)),
            ("e.example.com", .pair(certificate: "e.pem", key: "e.key")),
        ]
        #expect(
            try profile.upstream.clientCertificates
                == expected.map { pattern, material in
                    ClientCertificateRule(pattern: try #require(HostPattern(pattern)), material: material)
                })
        #expect(try parsed("version: 1\nupstream: {}").upstream.clientCertificates.isEmpty)
    }

    @Test(
        "what is wrong is said where it stands",
        arguments: [
            ("{ pkcs12: a.p12 }", "4:7: \"host\" is missing in an entry of client_certificates"),
            ("{ host: a.test }", "4:7: the client certificate for a.test has no file"),
            ("{ host: a.test, certificate: a.pem }", "4:7: the client certificate for a.test has no key"),
            ("{ host: a.test, key: a.key }", "4:7: the client certificate for a.test is a key without a certificate"),
            (
                "{ host: a.test, pkcs12: a.p12, key: a.key }",
                "4:7: the client certificate for a.test is given twice, as \"pkcs12\" and as \"certificate\" and \"key\""
            ),
            (
                "{ host: a.test, certificate: a.pem, key: a.key, password: x }",
                "4:7: the client certificate for a.test has a password, and no \"pkcs12\" that it could open"
            ),
            (
                "{ host: a.test, pkcs12: a.p12, password: x, password_env: X }",
                "4:65: the client certificate for a.test has more than one password"
            ),
            (
                "{ host: a.test, pkcs12: none.p12 }",
                "4:31: \"pkcs12\" in an entry of client_certificates: \"none.p12\" does not exist (looked for none.p12)"
            ),
            ("{ host: a.test:443, pkcs12: a.p12 }", "4:15: \"a.test:443\" is not a host but a host with a port"),
            (
                "{ host: a.test, pkcs12: a.p12, password: 1234 }",
                "4:48: \"password\" in an entry of client_certificates is the number 1234, not text"
            ),
            (
                "{ host: a.test, pkcs12: a.p12, pkcs8: x }",
                "4:38: unknown key \"pkcs8\" in an entry of client_certificates"
            ),
            (
                "a.p12",
                "4:7: an entry of \"client_certificates\" under upstream is the text \"a.p12\", not a map with \"host\" and "
                    + "\"pkcs12\", or \"certificate\" and \"key\""
            ),
        ])
    func mistakes(entry: String, message: String) {
        #expect(said(entry).hasPrefix(message))
    }

    @Test("a pattern stands once, a mistyped key is told once, and a password never")
    func more() {
        let twice = "{ host: a.test, pkcs12: a.p12 }\n    - { host: A.test., pkcs12: b.p12 }"
        #expect(
            said(twice).hasPrefix("5:15: host \"A.test.\" is repeated under client_certificates, first given in line 4")
        )
        #expect(said("{ hots: a.test, pkcs12: a.p12 }").split(separator: "\n").count == 2)
        #expect(!said("{ host: a.test, certificate: a.pem, key: a.key, password: hidden }").contains("hidden"))
        #expect(complaint(in: "pkcs12: a.p12").contains("stands under upstream, in an entry of client_certificates"))
    }
}
