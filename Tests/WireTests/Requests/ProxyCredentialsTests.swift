import Facts
import Testing

@testable import Wire

@Suite("ProxyCredentials")
struct ProxyCredentialsTests {
    private func shown(_ fields: String...) throws -> ProxyCredentials.Shown {
        let text =
            "CONNECT a.example:443 HTTP/1.1\r\n"
            + fields.map { "Proxy-Authorization: \($0)\r\n" }.joined() + "\r\n"
        return ProxyCredentials.shown(in: try HTTPHead(Array(text.utf8)))
    }

    private func credentials(_ user: String, _ password: String) -> ProxyCredentials.Shown {
        .credentials(ProxyCredentials(user: Array(user.utf8), password: Array(password.utf8)))
    }

    @Test("reads user and password, whatever the scheme's case and the space before the token")
    func basic() throws {
        // RFC 7617, section 2.
        #expect(try shown("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==") == credentials("Aladdin", "open sesame"))
        #expect(try shown("bASIC   QWxhZGRpbjpvcGVuIHNlc2FtZQ==  ") == credentials("Aladdin", "open sesame"))
        #expect(try shown("Basic cDphOmI6") == credentials("p", "a:b:"))
        #expect(try shown("Basic cDo=") == credentials("p", ""))
        #expect(try shown("Basic cDo") == credentials("p", ""))
        #expect(try shown("Basic Og==") == credentials("", ""))
    }

    @Test("another scheme, or none, is nothing")
    func others() throws {
        #expect(try shown() == .nothing)
        for text in ["Negotiate YII=", "Digest username=\"p\"", "Bearer cDph", "Basically cDph", ""] {
            #expect(try shown(text) == .nothing, "\(text)")
        }
    }

    @Test("what can be read in no way or in two is unreadable")
    func hostile() throws {
        for text in [
            "Basic", "Basic ", "Basic cA==", "Basic c", "Basic cDph=", "Basic cDph====", "Basic =", "Basic cD ph",
            "Basic cDph,cDph", "Basic cDph_w==", "Basic \u{fc}", "Basic " + String(repeating: "A", count: 60_000),
        ] {
            #expect(try shown(text) == .unreadable, "\(text.prefix(40))")
        }
        #expect(try shown("Basic cDph", "Basic cDph") == .unreadable)
        #expect(try shown("Negotiate x", "Basic cDph") == .unreadable)
    }
}
