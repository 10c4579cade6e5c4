import Testing
import Wire

@testable import Proxy

@Suite("one plain request with its answer")
struct PlainExchangeTests {
    private func request(_ method: String, _ fields: String = "") throws -> PlainRequest {
        var reader = ProxyRequestReader(keepsConnections: true)
        let head = Array("\(method) http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\(fields)\r\n".utf8)
        guard case .complete(.http(let request), _) = reader.read(head) else { throw WireError.requestLine }
        return request
    }

    private func sent(_ text: String, _ exchange: inout PlainExchange) -> Int {
        let bytes = Array(text.utf8)
        return exchange.fromClient(bytes.span)
    }

    @discardableResult
    private func answered(_ text: String, _ exchange: inout PlainExchange) -> Int {
        let bytes = Array(text.utf8)
        return exchange.fromOrigin(bytes.span)
    }

    @Test("it is over once both messages are whole, and what follows belongs to the next request")
    func whole() throws {
        var exchange = PlainExchange(try request("POST", "Content-Length: 4\r\n"))
        #expect(sent("ab", &exchange) == 2)
        answered("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no", &exchange)
        #expect(!exchange.isOver)
        #expect(sent("cdGET ", &exchange) == 2)
        answered("k", &exchange)
        #expect(exchange.isOver)
    }

    @Test("it is not over where a side closes its connection, or the origin says more than its answer")
    func notOver() throws {
        let plain = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
        for (fields, answer) in [
            ("Connection: close\r\n", plain + "\r\nok"), ("", plain + "Connection: close\r\n\r\nok"),
            ("", plain + "\r\nokHTTP/1.1 200"), ("", plain + "\r\no"),
        ] {
            var exchange = PlainExchange(try request("GET", fields))
            answered(answer, &exchange)
            #expect(!exchange.isOver, "\(fields)\(answer)")
        }
    }

    @Test(
        "an answer whose end is not sure is over once most clients have it whole",
        arguments: [
            ("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r", "\n"),
            ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r", "\n"),
            ("Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\no", "k"),
            ("Transfer-Encoding: chunked\r\n\r\n2\nok\n0\n", "\n"),
        ])
    func unclear(beginning: String, last: String) throws {
        var exchange = PlainExchange(try request("GET"))
        answered("HTTP/1.1 200 OK\r\n" + beginning, &exchange)
        #expect(exchange.isUnmeasured && !exchange.isAnsweredUnclearly)
        answered(last, &exchange)
        #expect(exchange.isAnsweredUnclearly && !exchange.isOver)

        exchange = PlainExchange(try request("POST", "Content-Length: 1\r\n"))
        answered("HTTP/1.1 200 OK\r\n" + beginning + last, &exchange)
        #expect(!exchange.isAnsweredUnclearly, "its request is still to come")
    }

    @Test(
        "an answer that nobody can measure, and one that is sure, are not over so",
        arguments: ["+2\r\n\r\nok", "2\r\n\r\nok"])
    func clear(length: String) throws {
        var exchange = PlainExchange(try request("GET"))
        answered("HTTP/1.1 200 OK\r\nContent-Length: " + length, &exchange)
        #expect(!exchange.isAnsweredUnclearly)
    }

    @Test("a client that was not told to send its content, and has its answer, may send anything")
    func unsent() throws {
        let waiting = "Expect: 100-Continue\r\nContent-Length: 4\r\n"
        let refusal = "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n"
        var exchange = PlainExchange(try request("POST", waiting))
        answered(String(refusal.dropLast(1)), &exchange)
        #expect(!exchange.isAnsweredUnsent)
        answered("\r\n", &exchange)
        #expect(exchange.isAnsweredUnsent && !exchange.isOver)
        for (fields, first, interim) in [
            (waiting, "b", ""), (waiting, "", "HTTP/1.1 100 Continue\r\n\r\n"), ("Content-Length: 4\r\n", "", ""),
            ("Expect: 100-continue\r\n", "", ""),
        ] {
            exchange = PlainExchange(try request("POST", fields))
            #expect(sent(first, &exchange) == first.utf8.count)
            answered(interim + refusal, &exchange)
            #expect(!exchange.isAnsweredUnsent, "\(fields)\(first)\(interim)")
        }
        exchange = PlainExchange(try request("POST", waiting))
        answered("HTTP/1.1 103 Early Hints\r\n\r\n" + refusal, &exchange)
        #expect(exchange.isAnsweredUnsent, "another interim answer says nothing of the content")
    }

    @Test("what the origin says behind its answer is not the client's")
    func overrun() throws {
        var exchange = PlainExchange(try request("GET"))
        #expect(answered("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n", &exchange) == 40)
        #expect(exchange.isOverrun && !exchange.isOver)
        #expect(answered("more", &exchange) == 0)
    }

    @Test("a request's content whose end is not sure is told, and so is an answer's")
    func unsure() throws {
        for chunk in ["0x3\r\n", " 3\r\n", "-3\r\n", "\r\n", "3\n", "fffffffffffffffff\r\n"] {
            var exchange = PlainExchange(try request("POST", "Transfer-Encoding: chunked\r\n"))
            _ = sent(chunk, &exchange)
            #expect(exchange.requestFault == .chunkSize, "\(chunk)")
        }
        var exchange = PlainExchange(try request("POST", "Transfer-Encoding: chunked\r\n"))
        let zeros = String(repeating: "0", count: 1000) + "3\r\nabc\r\n0\r\n\r\n"
        #expect(sent(zeros + "GET ", &exchange) == zeros.utf8.count)
        #expect(exchange.requestFault == nil && !exchange.isUnmeasured)
        answered("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok", &exchange)
        #expect(exchange.isUnmeasured)
    }

    @Test("after an upgrade every byte is this request's")
    func upgraded() throws {
        var exchange = PlainExchange(try request("GET", "Connection: Upgrade\r\nUpgrade: websocket\r\n"))
        answered("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", &exchange)
        #expect(sent("GET http://b.test/ HTTP/1.1\r\n", &exchange) == 29)
        #expect(!exchange.isOver)
    }

    @Test("only what means the same twice, and has no content, is sent again")
    func repeatable() throws {
        for method in ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"] {
            #expect(PlainExchange.isRepeatable(try request(method)), "\(method)")
        }
        #expect(!PlainExchange.isRepeatable(try request("POST")))
        #expect(!PlainExchange.isRepeatable(try request("PATCH")))
        #expect(!PlainExchange.isRepeatable(try request("PUT", "Content-Length: 1\r\n")))
    }
}
