import Facts
import Testing

@testable import Inspector

@Suite("ProxyAnswer")
struct ProxyAnswerTests {
    private static let about = """
        {"pinproof": "0.1.0", "ca": {"name": "pinproof root", "sha256": "AB:cd", "not_before": "2026-01-01T00:00:00Z",
        "not_after": 1798761600}, "time": 1780000000.5, "more": []}
        """

    private static func answer(_ status: String, _ body: String, _ fields: String = "") -> [UInt8] {
        Array("HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }

    @Test("pinproof says its version, its CA and its time; dates are words or numbers")
    func pinproof() {
        let about = ProxyAnswer(answer: Self.answer("200 OK", Self.about)).about
        let ca = AboutProxy.CA(name: "pinproof root", sha256: "abcd", notBefore: 1_767_225_600, notAfter: 1_798_761_600)
        #expect(about == AboutProxy(version: "0.1.0", ca: ca, time: 1_780_000_000.5))
    }

    @Test("of a CA or a time that it does not say, nothing is known")
    func sparse() {
        let about = ProxyAnswer(answer: Self.answer("200 OK", #"{"pinproof":"9","ca":{"sha256":""},"time":"x"}"#)).about
        #expect(about == AboutProxy(version: "9", ca: nil, time: nil))
    }

    @Test(
        "whoever else answers is another program, with the name that it gives itself",
        arguments: [
            (answer("200 OK", "<html>", "Server: nginx/1.2\r\n"), "nginx/1.2"),
            (answer("502 Bad Gateway", about, "server:  A  B \r\n"), "A B"),
            (answer("404 Not Found", "no"), nil), (Array("SSH-2.0-OpenSSH_9\r\n".utf8), nil), ([], nil),
            (answer("200 OK", #"{"pinproof": 1}"#), nil), ([0xff, 0x00, 0x0d, 0x0a, 0x0d, 0x0a], nil),
            (answer("400 Bad", "", "Server: a\u{1b}[2J\r\n"), "a\\u{1b}[2J"),
        ])
    func others(bytes: [UInt8], server: String?) {
        #expect(ProxyAnswer(answer: bytes) == .other(server: server))
    }

    @Test("an answer is whole with its last byte")
    func whole() {
        let bytes = Self.answer("200 OK", Self.about)
        #expect(ProxyAnswer.isWhole(bytes) && !ProxyAnswer.isWhole(bytes.dropLast()))
        #expect(!ProxyAnswer.isWhole(Array("HTTP/1.1 200 OK\r\n\r\nuntil the end".utf8)))
    }
}
