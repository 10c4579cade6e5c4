import Facts
import Testing

@testable import Wire

@Suite("SOCKS5")
struct SOCKS5Tests {
    /// Plays a client that sends all it has, in pieces; returns what it was answered, and the end.
    private func play(_ bytes: [UInt8], by size: Int? = nil) -> (
        answers: [[UInt8]], end: ProxyRequestReader.Progress, left: [UInt8]
    ) {
        var reader = ProxyRequestReader()
        var waiting = bytes
        var buffer: [UInt8] = []
        var answers: [[UInt8]] = []
        while true {
            let progress = reader.read(buffer)
            switch progress {
            case .answer(let answer, let consumed):
                answers.append(answer)
                buffer.removeFirst(consumed)
            case .needMore:
                if waiting.isEmpty { return (answers, progress, buffer) }
                let step = min(size ?? waiting.count, waiting.count)
                buffer += waiting.prefix(step)
                waiting.removeFirst(step)
            case .complete(_, let consumed):
                return (answers, progress, Array(buffer.dropFirst(consumed)) + waiting)
            case .refused, .challenge: return (answers, progress, buffer)
            }
        }
    }

    private static func domain(_ name: String, port: UInt16 = 443) -> [UInt8] {
        [5, 1, 0, 3, UInt8(name.utf8.count)] + Array(name.utf8) + HelloBuilder.be(port)
    }

    @Test("connects to a name, an IPv4 and an IPv6 address, however the bytes are cut", arguments: [nil, 1, 2, 3])
    func targets(size: Int?) throws {
        let v4: [UInt8] = [5, 1, 0, 1, 127, 0, 0, 1, 0x1f, 0x90]
        let v6: [UInt8] = [5, 1, 0, 4] + [UInt8](repeating: 0, count: 15) + [1, 0, 80]
        for (request, expected) in [
            (Self.domain("API.example.com"), "api.example.com:443"), (v4, "127.0.0.1:8080"), (v6, "[::1]:80"),
            (Self.domain("192.0.2.1"), "192.0.2.1:443"),
        ] {
            let (answers, end, left) = play([5, 1, 0] + request + RecordedHello.go, by: size)
            #expect(answers == [[5, 0]])
            guard case .complete(let result, request.count) = end else {
                Issue.record("\(end)")
                continue
            }
            #expect(result.target?.description == expected && result.via == .socks5)
            #expect(left == RecordedHello.go)
        }
    }

    @Test("takes any user and password, but asks for none where none is needed")
    func authentication() throws {
        let login: [UInt8] = [1, 4] + Array("user".utf8) + [6] + Array("secret".utf8)
        let (answers, end, _) = play([5, 1, 2] + login + Self.domain("a.example"), by: 1)
        #expect(answers == [[5, 2], [1, 0]])
        #expect(end == .complete(.socks(Endpoint(try #require(HostName("a.example")), 443)), consumed: 16))
        #expect(play([5, 1, 2, 1, 0, 0]).answers == [[5, 2], [1, 0]])
        #expect(play([5, 3, 1, 2, 0]).answers == [[5, 0]])
        #expect(play([5, 1, 1]).end == .refused(.socksAuthentication, answer: [5, 0xff]))
        #expect(play([5, 0]).end == .refused(.socksAuthentication, answer: [5, 0xff]))
        #expect(play([5, 1, 2, 5]).end == .refused(.socksAuthentication, answer: [1, 1]))
    }

    @Test("refuses other commands, address types and names with the code for it")
    func refusals() {
        let refused = { (reply: SOCKS5.Reply) in
            ProxyRequestReader.Progress.refused(.socks(reply), answer: [5, reply.rawValue, 0, 1, 0, 0, 0, 0, 0, 0])
        }
        #expect(play([5, 1, 0, 5, 2]).end == refused(.commandNotSupported))
        #expect(play([5, 1, 0, 5, 3]).end == refused(.commandNotSupported))
        #expect(play([5, 1, 0, 5, 1, 0, 2]).end == refused(.addressTypeNotSupported))
        #expect(play([5, 1, 0, 4]).end == refused(.generalFailure))
        #expect(play([5, 1, 0] + Self.domain("a b")).end == refused(.hostUnreachable))
        #expect(play([5, 1, 0] + Self.domain("")).end == refused(.hostUnreachable))
        #expect(play([5, 1, 0] + Self.domain("a.example", port: 0)).end == refused(.hostUnreachable))
    }

    @Test("asks for more at every prefix")
    func prefixes() {
        let bytes = [5, 1, 0] + Self.domain("a.example.com")
        for end in 0..<bytes.count { #expect(play(Array(bytes[..<end])).end == .needMore) }
    }

    @Test("replies with every code")
    func replies() {
        #expect(SOCKS5.reply(.succeeded) == [5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
        #expect(SOCKS5.Reply.allCases.map { SOCKS5.reply($0)[1] } == [0, 1, 2, 4, 5, 7, 8])
    }
}
