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

    private func answered(_ text: String, _ exchange: inout PlainExchange) {
        let bytes = Array(text.utf8)
        exchange.fromOrigin(bytes.span)
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
