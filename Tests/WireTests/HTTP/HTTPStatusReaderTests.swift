import Testing

@testable import Wire

@Suite("HTTPStatusReader")
struct HTTPStatusReaderTests {
    private func status(_ text: String, pieces size: Int = .max) -> Int? {
        var reader = HTTPStatusReader()
        let bytes = Array(text.utf8)
        var at = 0
        while at < bytes.count {
            let end = min(bytes.count, at + min(size, bytes.count))
            reader.feed(Array(bytes[at..<end]).span)
            at = end
        }
        return reader.status
    }

    @Test("reads the code of the first answer in pieces of any size", arguments: [1, 3, 1000])
    func first(size: Int) {
        #expect(status("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 404 Not Found\r\n", pieces: size) == 200)
        #expect(status("HTTP/1.0 302\r\nLocation: /\r\n\r\n", pieces: size) == 302)
        #expect(status("HTTP/1.1 101 Switching Protocols\r\n", pieces: size) == 101)
    }

    @Test("passes over interim answers", arguments: [1, 3, 1000])
    func interim(size: Int) {
        let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        #expect(status("HTTP/1.1 100 Continue\r\n\r\n" + hints + hints + "HTTP/1.1 503 No\r\n", pieces: size) == 503)
        #expect(status("HTTP/1.1 100\r\n\r\nHTTP/1.1 204\r\n", pieces: size) == 204)
        #expect(status(hints, pieces: size) == nil)
    }

    @Test(
        "finds nothing in what is no HTTP/1",
        arguments: [
            "", "HTTP/1.1 20", "HTTP/2 200 OK\r\n", "HTTP/1.1 2x0 OK", "HTTP/1.1 2000 OK", "\0\0\u{12}\u{4}",
            "220 mail",
        ])
    func other(text: String) {
        #expect(status(text, pieces: 1) == nil)
    }

    @Test("gives up on interim answers without end")
    func bounded() {
        var reader = HTTPStatusReader()
        let hints = Array("HTTP/1.1 103 Early Hints\r\n\r\n".utf8)
        var fed = 0
        while !reader.isDone, fed < 10 * HTTPStatusReader.limit {
            reader.feed(hints.span)
            fed += hints.count
        }
        #expect(reader.isDone && reader.status == nil && fed < HTTPStatusReader.limit + hints.count)
    }
}
