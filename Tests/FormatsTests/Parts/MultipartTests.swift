import Facts
import Flows
import Testing

@testable import Formats

@Suite("parts of a multipart body")
struct MultipartTests {
    private func contents(_ body: String, _ boundary: String?) -> [String] {
        let bytes = Sample.bytes(body)
        return Multipart.parts(of: bytes[...], boundary: boundary).map {
            String(decoding: bytes[$0.content], as: UTF8.self)
        }
    }

    @Test(
        "a boundary ends at blanks, the line's end or the body's, and at nothing else",
        arguments: [
            ("--b\r\n\r\none\r\n--b \t\r\n\r\ntwo\r\n--b-- \r\nrest", ["one", "two"]),
            ("--b\n\none\n--b\n\ntwo\n--b--", ["one", "two"]), ("--b\r\n\r\none\r\n--b", ["one", ""]),
            (
                "--b\r\n\r\none\r\n--bc\r\n--b-c\r\n--b--c\r\n--b\rc\r\n--b--",
                ["one\r\n--bc\r\n--b-c\r\n--b--c\r\n--b\rc"]
            ),
            ("--b\r\n\r\none\r\n--b-", ["one\r\n--b-"]), ("--bc\r\n\r\none\r\n--bc--", []),
        ] as [(String, [String])])
    func delimiters(body: String, parts: [String]) { #expect(contents(body, "b") == parts) }

    @Test("where the boundary within a part begins with its own, each is known, and so are the names of secrets")
    func nested() throws {
        let inner = "--abc-in\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n--abc-in--"
        let body =
            "--abc\r\nContent-Type: multipart/mixed; boundary=abc-in\r\n\r\n\(inner)\r\n--abc\r\n\r\nlast\r\n--abc--\r\n"
        for boundary in ["abc", nil] { #expect(contents(body, boundary) == [inner, "last"]) }
        let flow = Sample.post(Sample.bytes(body), type: "multipart/mixed; boundary=abc")
        let (clean, count) = Redaction.redacted(flow)
        let text = String(decoding: try #require(clean.request.decoded), as: UTF8.self)
        #expect(text == body.replacing("hunter2", with: "[redacted]") && count == 1)
    }
}
