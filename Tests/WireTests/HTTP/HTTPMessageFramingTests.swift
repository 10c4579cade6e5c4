import Testing

@testable import Wire

private func answer(
    _ text: String, to method: String = "GET", sourceLocation: SourceLocation = #_sourceLocation
) -> MeasuredMessage {
    measure(HTTPMessageFraming(answerTo: method), text, sourceLocation: sourceLocation)
}

private func request(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> MeasuredMessage {
    measure(HTTPMessageFraming(), text, sourceLocation: sourceLocation)
}

/// The content of an answer that is complete, and what is left for the next one.
private func parts(
    _ text: String, to method: String = "GET", sourceLocation: SourceLocation = #_sourceLocation
) -> [String]? {
    let found = answer(text, to: method, sourceLocation: sourceLocation)
    guard found.message.isComplete, found.message.fault == nil else { return nil }
    return [String(decoding: found.content, as: UTF8.self), String(text.utf8.dropFirst(found.taken)) ?? "?"]
}

@Suite("HTTPMessageFraming: answers")
struct AnswerFramingTests {
    @Test("an answer goes as far as its length says")
    func length() {
        #expect(parts("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1") == ["hello", "HTTP/1.1"])
        #expect(parts("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP") == ["", "HTTP"])
        #expect(parts("HTTP/1.1 404 Not Found\r\ncontent-length:\t 05 \r\n\r\nhello") == ["hello", ""])
        // Repeated, but equal (RFC 9112 §6.3, 5).
        #expect(parts("HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\nContent-Length: 2\r\n\r\nab") == ["ab", ""])
        let short = answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel")
        #expect(!short.message.isComplete && !short.message.endsWithConnection && !short.message.isInHead)
    }

    @Test("chunks end with the empty one, trailers and all")
    func chunked() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(parts(head + "5\r\nhello\r\n0\r\n\r\nnext") == ["hello", "next"])
        #expect(parts(head + "0\r\n\r\n") == ["", ""])
        #expect(parts(head + "2\r\nhe\r\n003\r\nllo\r\n000\r\n\r\n") == ["hello", ""])
        #expect(parts(head + "A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n") == ["01234567890123456789", ""])
        #expect(parts(head + "5;a=b;c=\"d\"\r\nhello\r\n0;x\r\n\r\n") == ["hello", ""])
        #expect(parts(head + "5  \r\nhello\r\n0 \t;x\r\n\r\n") == ["hello", ""])
        #expect(parts(head + "1\r\nx\r\n0\r\nA: b\r\nContent-Length: 9\r\n\r\nnext") == ["x", "next"])
        // Content that looks like framing is none.
        #expect(parts(head + "7\r\n0\r\n\r\n\r\n\r\n0\r\n\r\n") == ["0\r\n\r\n\r\n", ""])
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\ntransfer-encoding: CHUNKED\r\n\r\n1\r\nx\r\n0\r\n\r\n"
        #expect(parts(text) == ["x", ""])
    }

    @Test("some answers have no content, whatever their fields say")
    func none() {
        let length = "\r\nContent-Length: 5\r\n\r\nnext"
        #expect(parts("HTTP/1.1 200 OK" + length, to: "HEAD") == ["", "next"])
        #expect(parts("HTTP/1.1 204 No Content" + length) == ["", "next"])
        #expect(parts("HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked" + length) == ["", "next"])
        #expect(parts("HTTP/1.1 204 No Content\r\n\r\nnext") == ["", "next"])
        #expect(parts("HTTP/1.1 200 OK\r\n\r\nnext", to: "HEAD") == ["", "next"])
        // 205 is not one of them (RFC 9112 §6.3).
        #expect(parts("HTTP/1.1 205 Reset Content\r\nContent-Length: 2\r\n\r\nabnext") == ["ab", "next"])
    }

    @Test("an answer that says nothing of its length ends with the connection")
    func close() {
        for text in [
            "HTTP/1.1 200 OK\r\n\r\nhello", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nhello",
        ] {
            let found = answer(text)
            #expect(found.message.endsWithConnection && !found.message.isComplete && found.message.fault == nil)
            #expect(found.taken == text.utf8.count && found.content == Array("hello".utf8))
            #expect(!found.message.keepsConnection && found.message.status == 200)
        }
    }

    @Test("interim answers belong to the final one")
    func interim() {
        let text =
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\nContent-Length: 7\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        #expect(parts(text + "next") == ["ok", "next"])
        #expect(answer(text).message.status == 200)
        let waiting = answer("HTTP/1.1 100 Continue\r\n\r\n")
        #expect(waiting.message.status == nil && waiting.message.isInHead && !waiting.message.isComplete)
        #expect(parts("HTTP/1.1 102 \r\n\r\nHTTP/1.1 204 \r\n\r\nnext", to: "HEAD") == ["", "next"])
    }

    @Test("after an upgrade or CONNECT everything is opaque")
    func upgrade() {
        let socket = answer(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n\r\n\u{1}\u{2}")
        #expect(socket.message.isComplete && socket.message.upgrade == .webSocket && socket.message.status == 101)
        #expect(!socket.message.keepsConnection && socket.content.isEmpty)
        let other = answer("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n")
        #expect(other.message.upgrade == .other && other.message.isComplete)
        let tunnel = answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", to: "CONNECT")
        #expect(tunnel.message.upgrade == .other && tunnel.message.isComplete && tunnel.content.isEmpty)
        #expect(parts("HTTP/1.1 502 No\r\nContent-Length: 2\r\n\r\nno", to: "CONNECT") == ["no", ""])
        #expect(answer("HTTP/1.1 200 OK\r\nUpgrade: websocket\r\nContent-Length: 0\r\n\r\n").message.upgrade == nil)
    }

    @Test("says whether the server goes on with the connection")
    func keeping() {
        func keeps(_ version: String, _ fields: String = "") -> Bool {
            answer("HTTP/\(version) 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n").message.keepsConnection
        }
        #expect(keeps("1.1") && keeps("1.1", "Connection: keep-alive\r\n") && keeps("1.1", "Connection: x\r\n"))
        #expect(!keeps("1.1", "Connection: close\r\n") && !keeps("1.1", "connection: X, CLOSE\r\n"))
        #expect(!keeps("1.1", "Connection: keep-alive\r\nConnection: close\r\n"))
        #expect(!keeps("1.0") && keeps("1.0", "Connection: Keep-Alive\r\n"))
        #expect(!keeps("1.0", "Connection: keep-alive, close\r\n"))
        // What a folded line adds is not known.
        #expect(!keeps("1.1", "Connection: a,\r\n close\r\n"))
        #expect(!keeps("1.1", "Connection: \(String(repeating: "a,", count: 400)) close\r\n"))
        #expect(!answer("HTTP/1.1 200 OK\r\nContent-").message.keepsConnection)
        #expect(answer("HTTP/1.1 204 No\r\n\r\n").message.keepsConnection)
        let broken = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxx"
        #expect(!answer(broken).message.keepsConnection && answer(broken).message.fault == .chunkEnd)
    }

    @Test("takes what sloppy servers send")
    func sloppy() {
        #expect(parts("HTTP/1.1 200 OK\nContent-Length: 2\n\nokn") == ["ok", "n"])
        #expect(parts("HTTP/1.1 200 OK\r\nContent-Length: 2\n\r\nok") == ["ok", ""])
        #expect(parts("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok") == ["ok", ""])
        #expect(parts("HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok") == ["ok", ""])
        #expect(parts("HTTP/1.1  200   Fine  by\tme\r\nContent-Length: 2\r\n\r\nok") == ["ok", ""])
        #expect(parts("HTTP/1.7 299 \u{e9}\u{0}\r\nX: \u{e9}\u{7}\r\nContent-Length: 2\r\n\r\nok") == ["ok", ""])
        #expect(parts("HTTP/1.1 200 OK\r\nX: a\r\n  b\r\n\tc: d\r\nContent-Length: 2\r\n\r\nok") == ["ok", ""])
        #expect(parts("HTTP/1.1 200 OK\r\nno colon\r\n: no name\r\nContent-Length: 2\r\n\r\nok") == ["ok", ""])
        #expect(parts("\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") == ["ok", ""])
        #expect(parts("\n\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") == ["ok", ""])
        let long = String(repeating: "x", count: 40_000)
        var found = HTTPMessageFraming(answerTo: "GET")
        let text = "HTTP/1.1 200 \(long)\r\nSet-Cookie: \(long)\r\n\(long)\r\nContent-Length: 2\r\n\r\nok"
        #expect(found.take(Array(text.utf8)) == text.utf8.count && found.isComplete)
    }

    @Test(
        "where two readers could part ways, everything that follows belongs to it",
        arguments: [
            ("Content-Length: 5\r\nTransfer-Encoding: chunked", HTTPFramingFault.contentLengthAndTransferEncoding),
            ("Transfer-Encoding: identity\r\nContent-Length: 5", .contentLengthAndTransferEncoding),
            ("Content-Length: 5\r\nContent-Length: 6", .contentLength), ("Content-Length: 5, 6", .contentLength),
            ("Content-Length: -5", .contentLength), ("Content-Length: +5", .contentLength),
            ("Content-Length: 0x5", .contentLength), ("Content-Length: 5 5", .contentLength),
            ("Content-Length:", .contentLength), ("Content-Length: 5,", .contentLength),
            ("Content-Length: 9223372036854775808", .contentLength), ("Content-Length: 5.0", .contentLength),
            ("Content-Length: \(String(repeating: "5", count: 600))", .contentLength),
            ("Transfer-Encoding: chunked, gzip", .transferCoding), ("Transfer-Encoding: ", .transferCoding),
            ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", .transferCoding),
            ("Transfer-Encoding: \"chunked\"", .transferCoding), ("Transfer-Encoding: chunked;q=1", .transferCoding),
            ("Transfer-Encoding: \u{b}chunked", .transferCoding), ("Transfer-Encoding: chunked,", .transferCoding),
            ("Transfer-Encoding : chunked", .fieldName), ("Content-Length : 5", .fieldName),
            ("\u{0}Transfer-Encoding: chunked", .fieldName), ("Transfer\u{b}-Encoding: chunked", .fieldName),
            ("Transfer-Encoding: gzip\r\n chunked", .foldedField), ("Transfer-Encoding:\r\n chunked", .transferCoding),
            ("Content-Length: 1\r\n 2", .foldedField),
            ("X: y\r\n Transfer-Encoding: chunked", .foldedField), (" Content-Length: 5", .foldedField),
            ("X: y\rContent-Length: 5", .carriageReturn), ("X: y\r\r\nContent-Length: 5", .carriageReturn),
        ])
    func ambiguous(fields: String, fault: HTTPFramingFault) {
        let text = "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nhelloHTTP/1.1 200 OK\r\n\r\n"
        let found = answer(text)
        #expect(found.message.fault == fault, "\(fields)")
        #expect(found.message.endsWithConnection && !found.message.isComplete && !found.message.keepsConnection)
        #expect(found.taken == text.utf8.count && found.message.status == 200)
    }

    @Test("HTTP/1.0 knows no transfer codings, and methods have a case")
    func versions() {
        let chunked = "\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        #expect(answer("HTTP/1.0 200 OK" + chunked).message.fault == .transferCoding)
        let odd = answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", to: "Head").message
        #expect(odd.fault == .method && odd.endsWithConnection)
        #expect(parts("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", to: "get") == ["ok", ""])
    }

    @Test(
        "odd chunks end the connection's use",
        arguments: [
            ("\r\n", HTTPFramingFault.chunkSize), ("-1\r\n", .chunkSize), ("0x5\r\n", .chunkSize),
            (" 5\r\n", .chunkSize),
            ("5\nhello\r\n", .chunkSize), ("5 5\r\n", .chunkSize), ("5;a\n", .chunkSize), ("5;a\rb\r\n", .chunkSize),
            ("5\rhello", .chunkSize), ("1000000000000000\r\n", .chunkSize), ("ffffffffffffffffff\r\n", .chunkSize),
            ("5;\(String(repeating: "x", count: 5000))\r\n", .chunkSize),
            ("5\(String(repeating: " ", count: 5000))\r\n", .chunkSize),
            ("2\r\nhello\r\n", .chunkEnd), ("5\r\nhello\n0\r\n\r\n", .chunkEnd), ("5\r\nhello\r0\r\n", .chunkEnd),
            ("0\r\n\n", .trailers), ("0\r\nA: b\n\r\n", .trailers), ("0\r\nA: b\r\r\n", .trailers),
            ("0\r\n\rX", .trailers), ("0\r\nA: \(String(repeating: "x", count: 70_000))\r\n\r\n", .trailers),
        ])
    func oddChunks(chunks: String, fault: HTTPFramingFault) {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n\(chunks)more"
        let bytes = Array(text.utf8)
        let found = MeasuredMessage(HTTPMessageFraming(answerTo: "GET"), [bytes[...]])
        #expect(found == MeasuredMessage(HTTPMessageFraming(answerTo: "GET"), pieces(bytes, of: 1)))
        #expect(found.message.fault == fault && found.message.endsWithConnection && found.taken == bytes.count)
        #expect(!found.message.keepsConnection && found.message.status == 200)
    }

    @Test(
        "what is no HTTP/1 is opaque from where that shows",
        arguments: [
            "SSH-2.0-OpenSSH\r\n", "HTTP/2 200 OK\r\n", "HTTP/1.1 20 OK\r\n", "HTTP/1.1 2000 OK\r\n",
            "HTTP/1.1 2x0 OK\r\n", "HTTP/1.1200 OK\r\n", "HTTP/1. 200 OK\r\n", "HTTP/1.1 099 no\r\n", "HTTP/1.\r\n",
            "HTTP/1.1\r\n", "http/1.1 200 OK\r\n", " HTTP/1.1 200 OK\r\n", "\r\n\r\n\r\nHTTP/1.1 200 OK\r\n",
            "\rHTTP/1.1 200 OK\r\n", "\u{0}\u{0}\u{6}\u{4}", "ICY 200 OK\r\n", "<html>",
        ])
    func other(text: String) {
        let found = answer(text)
        #expect(found.message.fault == .notHTTP && found.message.endsWithConnection && found.message.status == nil)
        #expect(found.taken == text.utf8.count)
    }

    @Test("a head without end is given up, interim answers counted in")
    func endless() {
        for piece in ["X: \(String(repeating: "y", count: 1000))\r\n", "HTTP/1.1 100 Continue\r\n\r\n"] {
            var message = HTTPMessageFraming(answerTo: "GET")
            let start = Array((piece.hasPrefix("X") ? "HTTP/1.1 200 OK\r\n" : "").utf8)
            var fed = message.take(start)
            let bytes = Array(piece.utf8)
            while message.fault == nil, fed < 10 * HTTPHeadFraming.limit { fed += message.take(bytes) }
            #expect(message.fault == .headTooLong && fed < HTTPHeadFraming.limit + bytes.count)
            #expect(message.take(bytes) == bytes.count)
        }
    }
}

@Suite("HTTPMessageFraming: requests")
struct RequestFramingTests {
    @Test("the content of a request whose head is known", arguments: [1, 2, 3, 7, 1000])
    func content(size: Int) {
        func content(_ length: HTTPBodyLength, _ text: String) -> MeasuredMessage {
            MeasuredMessage(HTTPMessageFraming(contentOf: length), pieces(Array(text.utf8), of: size))
        }
        let none = content(.none, "GET")
        #expect(none.message.isComplete && none.taken == 0)
        let counted = content(.length(5), "helloGET / HTTP/1.1")
        #expect(counted.message.isComplete && counted.taken == 5)
        #expect(!content(.length(5), "hell").message.isComplete)
        let chunked = content(.chunked, "5\r\nhello\r\n0\r\n\r\nGET")
        #expect(chunked.message.isComplete && chunked.taken == 15 && chunked.content == Array("hello".utf8))
        #expect(content(.chunked, "x").message.fault == .chunkSize)
        #expect(content(.length(0), "x").taken == 0)
    }

    @Test("a request, head and all")
    func whole() {
        let get = request("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET")
        #expect(
            get.message.isComplete && get.taken == 28 && get.message.keepsConnection && get.message.method == .other)
        let post = request("POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nokPOST")
        #expect(post.message.isComplete && post.content == Array("ok".utf8))
        let chunked = request("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nPUT")
        #expect(chunked.message.isComplete && chunked.content == Array("ok".utf8))
        #expect(request("HEAD / HTTP/1.0\r\n\r\n").message.method == .head)
        #expect(!request("HEAD / HTTP/1.0\r\n\r\n").message.keepsConnection)
        #expect(request("CONNECT a:1 HTTP/1.1\r\n\r\n").message.method == .connect)
        #expect(request("\r\nGET / HTTP/1.1\r\n\r\n").message.isComplete)
        let long = "GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\n\r\n"
        var message = HTTPMessageFraming()
        #expect(message.take(Array(long.utf8)) == long.utf8.count && message.isComplete)
    }

    @Test(
        "a request whose length is unclear has no end",
        arguments: [
            ("POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", HTTPFramingFault.transferCoding),
            (
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
                .contentLengthAndTransferEncoding
            ),
            ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", .transferCoding),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .notHTTP), ("GET /\r\n", .notHTTP), ("\u{16}\u{3}\u{1}", .notHTTP),
            ("GET\r\n", .notHTTP), (" / HTTP/1.1\r\n", .notHTTP), ("*3\r\n$3\r\nSET\r\n", .notHTTP),
            ("\(String(repeating: "A", count: 40)) / HTTP/1.1\r\n", .notHTTP),
        ])
    func unclear(text: String, fault: HTTPFramingFault) {
        let found = request(text)
        #expect(found.message.fault == fault && found.message.endsWithConnection && found.taken == text.utf8.count)
    }
}
