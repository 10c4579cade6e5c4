import Testing

@testable import Wire

@Suite("HTTPAnswer")
struct HTTPAnswerTests {
    @Test("establishes a tunnel without a body or a length")
    func established() {
        #expect(
            String(decoding: HTTPAnswer.connectionEstablished, as: UTF8.self)
                == "HTTP/1.1 200 Connection established\r\n\r\n")
    }

    @Test("says what is wrong in a body of the right length, and closes", arguments: HTTPAnswer.Status.allCases)
    func errors(status: HTTPAnswer.Status) throws {
        let text = String(decoding: HTTPAnswer.error(status, "upstream: certificate expired — é"), as: UTF8.self)
        let end = try #require(text.firstRange(of: "\r\n\r\n"))
        let lines = text[..<end.lowerBound].split(separator: "\r\n").map(String.init)
        let body = text[end.upperBound...]
        #expect(lines[0].hasPrefix("HTTP/1.1 \(status.rawValue) ") && lines[0].count > 13)
        #expect(lines.contains("Content-Length: \(body.utf8.count)"))
        #expect(lines.contains("Connection: close"))
        #expect(body == "pinproof: upstream: certificate expired — é\n")
        #expect(!text.replacing("\r\n", with: "").dropLast().contains { $0.isNewline })
    }

    @Test("says nothing to a client that speaks no HTTP")
    func silent() {
        #expect(HTTPAnswer.error(WireError.unknownProtocol(firstByte: 0)).isEmpty)
        #expect(HTTPAnswer.error(WireError.messageTooLong(limit: 1)).isEmpty)
        #expect(!HTTPAnswer.error(WireError.requestLine).isEmpty)
    }

    @Test("never repeats the client's bytes unfiltered, and not many of them")
    func injection() {
        var reader = ProxyRequestReader()
        let request = Array("CONNECT a\u{e9}<script>\u{1b}".utf8.dropLast()) + Array(repeating: 0x61, count: 500)
        guard case .refused(_, let answer) = reader.read(request + Array(" HTTP/1.1\r\n\r\n".utf8)) else {
            Issue.record("not refused")
            return
        }
        #expect(answer.count < 300)
        #expect(answer.allSatisfy { (0x20...0x7e).contains($0) || $0 == 13 || $0 == 10 })
    }

    @Test("words every error in lower case, without a full stop")
    func wording() {
        let errors: [WireError] = [
            .messageTooLong(limit: 1), .unexpectedMessage(type: 1), .unexpectedRecord(type: 1), .recordLength(0),
            .truncated(field: "random"), .repeatedExtension(0), .unknownVersion(1), .unknownProtocol(firstByte: 1),
            .socks(.hostUnreachable), .requestLineTooLong(limit: 1), .headTooLong(limit: 1), .lineEnd,
            .controlCharacter(0), .requestLine, .requestTarget(0x20), .requestTarget(0x23), .httpVersion("x"),
            .notForAProxy, .scheme("x"), .authority("x"),
            .fieldLine(number: 1), .foldedField(number: 1), .repeatedHost, .contentLength, .transferCoding,
            .contentLengthAndTransferEncoding,
        ]
        for error in errors {
            let text = error.description
            let word = text.prefix { $0 != " " }
            #expect(word.first?.isUppercase == false || word == word.uppercased(), "\(text)")
            #expect(text.last != ".", "\(text)")
            #expect(text.count > 15, "\(text)")
        }
    }
}
