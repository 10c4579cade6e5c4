import Testing

@testable import Wire

/// How many bytes lead on, and whether there are others.
private func heard(_ pieces: [UInt8]...) -> (count: Int, saysMore: Bool) {
    var talk = ClearTalk()
    for piece in pieces { talk.read(piece.span) }
    return (talk.count, talk.saysMore)
}

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

@Suite("ClearTalk")
struct ClearTalkTests {
    @Test(
        "greetings, questions, requests for TLS and good-byes say nothing of the client's own",
        arguments: [
            "EHLO x.test\r\nSTARTTLS\r\nquit\r\n", "a1 CAPABILITY\r\na2 STARTTLS\r\na3 LOGOUT\r\n",
            "CAPA\r\nSTLS\r\nQUIT\r\n",
            "FEAT\r\nAUTH TLS\r\nQUIT\r\n", "0 capability\r\n", "EHLO x\r\nQUI", "\r\n",
            "<?xml version='1.0'?><stream:stream to='x' a='>'><starttls xmlns='y'/></stream:stream>",
            "<stream:stream to='x'> <starttls xmlns='y'></starttls>\n</stream:stream>",
        ])
    func leadsOn(said: String) {
        #expect(heard(bytes(said)) == (said.utf8.count, false))
        var bytewise = ClearTalk()
        for byte in said.utf8 { bytewise.read([byte].span) }
        #expect(bytewise.count == said.utf8.count && !bytewise.saysMore)
    }

    @Test(
        "a login, a letter or a query is its own, and so is what is not known",
        arguments: [
            ("EHLO x\r\n", "AUTH PLAIN AGEAYg==\r\n"), ("EHLO x\r\n", "MAIL FROM:<a@b.test>\r\n"),
            ("", "a1 LOGIN a b\r\n"),
            ("CAPA\r\n", "USER a\r\n"), ("", "GET / HTTP/1.1\r\n"), ("FEAT\r\n", "AUTH SOMETHING\r\n"),
            ("<stream:stream to='x'>", "<auth xmlns='y'>AGEAYg==</auth>"), ("<?xml?>", "<iq/>"),
            ("", "EHLO " + String(repeating: "x", count: 5000)),
        ])
    func own(leading: String, own: String) {
        #expect(heard(bytes(leading + own)) == (leading.utf8.count, true))
        #expect(heard(bytes(leading), bytes(own), bytes("QUIT\r\n")) == (leading.utf8.count, true))
    }

    @Test("many short lines cost no more than their bytes")
    func blankLines() {
        // Moved to the front line by line these took minutes.
        let lines = [UInt8](repeating: 10, count: 4 << 20)
        #expect(heard(lines, bytes("QUIT\r\n"), bytes("own\r\n")) == (lines.count + 6, true))
    }

    @Test("of PostgreSQL's messages, a request for TLS and the end")
    func postgreSQL() {
        let request: [UInt8] = [0, 0, 0, 8, 4, 210, 22, 47]
        #expect(heard(request) == (8, false))
        #expect(heard(request, [88, 0, 0, 0, 4]) == (13, false))
        #expect(heard(request, [0, 0, 0, 9, 0, 3, 0, 0, 0]) == (8, true))
        #expect(heard([1, 2, 3], [10]) == (0, true))
    }

    @Test("of LDAP's, a request for TLS, a question to the root, and the end")
    func ldap() {
        let startTLS = [0x30, 29, 2, 1, 1, 0x77, 24, 0x80, 22] + bytes("1.3.6.1.4.1.1466.20037")
        let root: [UInt8] = [0x30, 9, 2, 1, 2, 0x63, 4, 4, 0, 10, 1]
        let end: [UInt8] = [0x30, 5, 2, 1, 3, 0x42, 0]
        #expect(heard(startTLS) == (31, false))
        #expect(heard(root, end) == (18, false))
        #expect(heard([0x30], Array(end[1...])) == (7, false))
        let bind: [UInt8] = [0x30, 12, 2, 1, 2, 0x60, 7, 2, 1, 3, 4, 0, 0x80, 0]
        #expect(heard(startTLS, bind) == (31, true))
        let search: [UInt8] = [0x30, 0x81, 9, 2, 1, 2, 0x63, 4, 4, 1, 97, 0]
        #expect(heard(search) == (0, true))
        #expect(heard([0x30, 0x84, 255, 255, 255, 255]) == (0, true))
    }
}
