import Facts
import Testing

@testable import Flows

@Suite("answers that their receivers take")
struct LenientAnswerTests {
    private func read(_ script: [(ExchangeDirection, String)]) -> [String] { Conversation.lines(of: script) }

    @Test(
        "a status line is read as its framing reads it",
        arguments: ["HTTP/1.1  200 OK", "HTTP/1.1\t200 OK", "HTTP/1.1 200\tOK", "HTTP/1.1 200 OK"])
    func statusLines(line: String) {
        let lines = read([(.up, "GET / HTTP/1.1\r\n\r\n"), (.down, line + "\r\nContent-Length: 2\r\n\r\nhi")])
        #expect(
            lines.suffix(3) == ["0 answered 200 OK HTTP/1.1 [Content-Length=2]", "0 content down: hi", "0 ended down"])
    }

    @Test("chunked twice is chunked, and identity is nothing, as their receivers have it")
    func oddCodings() {
        let chunks = "2\r\nhi\r\n0\r\n\r\n"
        for (fields, body) in [
            ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", chunks),
            ("Transfer-Encoding: chunked, chunked", chunks),
            ("Transfer-Encoding: identity\r\nContent-Length: 2", "hi"),
        ] {
            let lines = read([
                (.up, "GET / HTTP/1.1\r\n\r\n"), (.down, "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(body)"),
                (.up, "GET /2 HTTP/1.1\r\n\r\n"), (.down, "HTTP/1.1 204 No Content\r\n\r\n"),
            ])
            #expect(lines.contains("0 content down: hi") && lines.suffix(1) == ["1 ended down"], "\(fields): \(lines)")
            #expect(!lines.contains { $0.contains("undecodable") }, "\(fields): \(lines)")
        }
    }

    @Test("after an answer that cannot be followed, the next ones say so, and are not cut off")
    func afterALostAnswer() {
        let lines = read([
            (.up, "GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n"), (.down, "HTTP/1.1 abc\r\n\r\n"),
            (.up, "GET /3 HTTP/1.1\r\n\r\n"), (.down, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        ])
        for number in [1, 2] {
            #expect(
                lines.contains { $0.hasPrefix("\(number) undecodable down") && $0.contains("an answer before it") },
                "\(lines)")
            #expect(lines.contains("\(number) ended down") && lines.contains("\(number) ended up"), "\(lines)")
        }
        #expect(!lines.contains { $0.contains("aborted") }, "\(lines)")
    }

    @Test("a field that is folded without end is read in no more than the time of its bytes")
    func foldedWithoutEnd() {
        let head =
            "HTTP/1.1 200 OK\r\nX-A: b\r\n" + String(repeating: " a\r\n", count: 50_000) + "Content-Length: 0\r\n\r\n"
        let took = ContinuousClock().measure {
            let answer = HTTP1Head.answer(Array(head.utf8)[...])
            #expect(answer?.fields.count == 2 && answer?.fields.first?.value.utf8.count == 1 + 2 * 50_000)
        }
        // It took two seconds and more, by the square.
        #expect(took < .seconds(1), "\(took)")
    }
}
