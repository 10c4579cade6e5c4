import Testing

@testable import Wire

@Suite("FirstBytesShape")
struct FirstBytesShapeTests {
    @Test(
        "names the protocol, and nothing of the request",
        arguments: [
            ("GET /secret?token=1 HTTP/1.1\r\nHost: a", "http/1 GET"), ("POST /", "http/1 POST"),
            ("OPTIONS * H", "http/1 OPTIONS"),
            ("VERSION-CONTROL /a", "http/1 VERSION-CONTROL"), ("GET http://a/", "http/1 GET"),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0", "h2 preface"), ("PRI * HT", "h2 preface"),
            ("GET", "3 bytes"), ("GET ", "4 bytes"), ("SSH-2.0-Go", "10 bytes"), ("get /a HTTP/1.1", "15 bytes"),
            ("USER /", "http/1 USER"), ("EHLO example.com", "16 bytes"), ("PASSWORDPASSWORDPASSWORD /", "26 bytes"),
            ("x", "1 byte"), ("", "0 bytes"), (" /", "2 bytes"),
        ])
    func shapes(text: String, expected: String) {
        #expect(FirstBytesShape.describe(Array(text.utf8)) == expected)
    }
}
