import Facts
import Testing

@testable import Flows

@Suite("HTTP1Reader")
struct HTTP1ReaderTests {
    private func read(_ script: [(ExchangeDirection, String)], ends: Bool = true) -> [String] {
        Conversation.lines(of: script, ends: ends)
    }

    @Test("reads a request and its answer, with fields as they came")
    func plain() {
        let lines = read([
            (.up, "GET /a?b=c HTTP/1.1\r\nHost: a.test\r\nX-One: 1\r\nx-one:  2 \r\n\r\n"),
            (.down, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n\r\nhello"),
        ])
        #expect(
            lines == [
                "0 asked GET /a?b=c HTTP/1.1 [Host=a.test|X-One=1|x-one=2]", "0 ended up",
                "0 answered 200 OK HTTP/1.1 [Content-Length=5|Set-Cookie=a|Set-Cookie=b]", "0 content down: hello",
                "0 ended down",
            ])
    }

    @Test("reads one exchange after the other on a kept connection, and pipelined ones")
    func pipelined() {
        let lines = read([
            (.up, "GET /1 HTTP/1.1\r\n\r\nPOST /2 HTTP/1.1\r\nContent-Length: 2\r\n\r\nhiHEAD /3 HTTP/1.1\r\n\r\n"),
            (.down, "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nyo"),
            (.down, "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"), (.up, "GET /4 HTTP/1.1\r\n\r\n"),
            (.down, "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n"),
        ])
        #expect(
            lines == [
                "0 asked GET /1 HTTP/1.1 []", "0 ended up", "1 asked POST /2 HTTP/1.1 [Content-Length=2]",
                "1 content up: hi", "1 ended up", "2 asked HEAD /3 HTTP/1.1 []", "2 ended up",
                "0 answered 204 No Content HTTP/1.1 []", "0 ended down",
                "1 answered 200 OK HTTP/1.1 [Content-Length=2]", "1 content down: yo", "1 ended down",
                "2 answered 200 OK HTTP/1.1 [Content-Length=99]", "2 ended down", "3 asked GET /4 HTTP/1.1 []",
                "3 ended up", "3 answered 304 Not Modified HTTP/1.1 [Content-Length=7]", "3 ended down",
            ])
    }

    @Test("takes chunks off, and shows trailers")
    func chunked() {
        let lines = read([
            (.up, "PUT /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"),
            (
                .down,
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n\n\r\n00\r\nX-Sum: 1\r\nX-Sum: 2\r\n\r\n"
            ), (.up, "GET /d HTTP/1.1\r\n\r\n"),
            (.down, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\n\r\n"),
        ])
        #expect(
            lines == [
                "0 asked PUT /c HTTP/1.1 [Transfer-Encoding=chunked]", "0 content up: abcde", "0 ended up",
                "0 answered 200 OK HTTP/1.1 [Transfer-Encoding=chunked]", "0 content down: \n",
                "0 trailers down [X-Sum=1|X-Sum=2]", "0 ended down", "1 asked GET /d HTTP/1.1 []", "1 ended up",
                "1 answered 200 OK HTTP/1.1 [Transfer-Encoding=chunked]", "1 trailers down [A=b]", "1 ended down",
            ])
    }

    @Test("shows interim answers before the one that counts")
    func interim() {
        let lines = read([
            (.up, "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n"),
            (.down, "HTTP/1.1 100 Continue\r\n\r\n"), (.up, "x"),
            (.down, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        ])
        #expect(
            lines == [
                "0 asked POST / HTTP/1.1 [Expect=100-continue|Content-Length=1]", "0 informed 100 []",
                "0 content up: x", "0 ended up", "0 informed 103 [Link=</a>]",
                "0 answered 200 OK HTTP/1.1 [Content-Length=0]", "0 ended down",
            ])
    }

    @Test("a request that asks to be told to send a body, and has none, makes nothing of the next one unclear")
    func expectsWithoutBody() {
        let asked = "GET /a HTTP/1.1\r\nExpect: 100-continue\r\n\r\n"
        for rest in ["body", "GET /b HTTP/1.1\r\n\r\n", "POST /b HTTP/1.1\r\nContent-Length: 2\r\n\r\nxy"] {
            let atOnce = read([(.up, asked + rest)])
            #expect(read([(.up, asked)] + rest.map { (.up, String($0)) }) == atOnce)
            #expect(atOnce.contains { $0.hasPrefix("1 asked ") || $0.hasPrefix("1 raw up: body") }, "\(atOnce)")
        }
    }

    @Test("a client that is refused before it sends its body asks anew, or leaves; or sends it all the same")
    func refused() {
        let asked = "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
        let refusal = "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n"
        // A server may have read it as content, and whoever looks on cannot know.
        let guess =
            "after a refused Expect this was taken for the next request, as it looks like one; if it is the refused "
            + "request's content, what follows is read wrongly (RFC 9110 §10.1.1)"
        let first = [
            "0 asked POST / HTTP/1.1 [Expect=100-continue|Content-Length=4]",
            "0 answered 417 Expectation Failed HTTP/1.1 [Content-Length=0]", "0 ended down",
        ]
        #expect(
            read([(.up, asked), (.down, refusal), (.up, "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody")])
                == first + [
                    "0 misplaced up 60: \(guess)", "0 ended up", "1 asked POST / HTTP/1.1 [Content-Length=4]",
                    "1 misplaced up 60: \(guess)", "1 content up: body", "1 ended up",
                    "1 aborted: closed",
                ])
        #expect(read([(.up, asked), (.down, refusal)]) == first + ["0 ended up"])
        for body in ["body", "GET\n", "PUT ", "GE\r\n"] {
            #expect(
                read([(.up, asked), (.down, refusal), (.up, body), (.up, "GET / HTTP/1.1\r\n\r\n")])
                    == first + [
                        "0 content up: \(body)", "0 ended up", "1 asked GET / HTTP/1.1 []", "1 ended up",
                        "1 aborted: closed",
                    ])
        }
        #expect(
            read([(.up, asked), (.down, refusal), (.up, "PU")]) == first + ["0 content up: PU", "0 aborted: closed"])
    }

    @Test("measures as receivers do: chunks with bare LF, chunks beside a length, chunks in HTTP/1.0")
    func receivers() {
        for head in [
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked",
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked",
        ] {
            for end in ["\n", "\r\n"] {
                let chunks = ["", "3", "abc", "2;x", "de", "0", "A: b", "", ""].joined(separator: end)
                let lines = read([
                    (.up, "GET / HTTP/1.1\r\n\r\n"), (.down, head + end + chunks), (.up, "GET /2 HTTP/1.1\r\n\r\n"),
                    (.down, "HTTP/1.1 204 No Content\r\n\r\n"),
                ])
                #expect(lines.contains("0 content down: abcde") && lines.contains("0 trailers down [A=b]"), "\(head)")
                #expect(lines.last == "1 ended down")
            }
        }
    }

    @Test("an answer without a length ends with its connection, and one with a length that does not come is cut off")
    func untilClose() {
        #expect(
            read([(.up, "GET / HTTP/1.0\r\n\r\n"), (.down, "HTTP/1.0 200 OK\r\n\r\nall of it")]) == [
                "0 asked GET / HTTP/1.0 []", "0 ended up", "0 answered 200 OK HTTP/1.0 []",
                "0 content down: all of it", "0 ended down",
            ])
        #expect(
            read([(.up, "GET / HTTP/1.1\r\n\r\n"), (.down, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")]) == [
                "0 asked GET / HTTP/1.1 []", "0 ended up", "0 answered 200 OK HTTP/1.1 [Content-Length=9]",
                "0 content down: half", "0 aborted: closed",
            ])
        #expect(
            read([(.up, "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf")]) == [
                "0 asked POST / HTTP/1.1 [Content-Length=9]", "0 content up: half", "0 aborted: closed",
            ])
        #expect(
            read([(.up, "GET / HTTP/1.1\r\n\r\n"), (.down, "HTTP/1.1 200 O")]) == [
                "0 asked GET / HTTP/1.1 []", "0 ended up", "0 raw down: HTTP/1.1 200 O", "0 aborted: closed",
            ])
        #expect(read([(.up, "GET / HTT")]) == ["0 raw up: GET / HTT", "0 aborted: closed"])
    }

    @Test("takes what real peers send: bare LF, folded fields, ISO 8859-1, no reason, a line without a colon")
    func sloppy() {
        var lines = read([
            (.up, "\r\nGET / HTTP/1.1\nHost: a\nX: one\n two\n\tthree\nodd line\n\n"),
            (.down, "HTTP/1.1 200\nContent-Length: 0\n\n"),
        ])
        #expect(
            lines == [
                "0 asked GET / HTTP/1.1 [Host=a|X=one two three|odd line=]", "0 ended up",
                "0 answered 200  HTTP/1.1 [Content-Length=0]", "0 ended down",
            ])
        var latin = Conversation()
        latin.say(.up, Array("GET / HTTP/1.1\r\nX: ".utf8) + [0xe9, 0xff] + Array("\r\nY: é\r\n\r\n".utf8))
        lines = latin.lines
        #expect(lines.first == "0 asked GET / HTTP/1.1 [X=éÿ|Y=é]")
    }

    @Test("a value of ISO 8859-1 can be written as it was")
    func latin1() {
        let field = HeaderField(name: Array("X".utf8), value: [0xe9, 0xff])
        #expect(field.value == "éÿ" && field.isLatin1 && field.valueBytes == [0xe9, 0xff])
        let utf8 = HeaderField(name: Array("X".utf8), value: Array("é".utf8))
        #expect(utf8.value == "é" && !utf8.isLatin1 && utf8.valueBytes == Array("é".utf8))
    }

    @Test("what is no HTTP is raw from its first byte, and nothing of it is lost")
    func other() {
        #expect(
            read([(.up, "\u{1}hello"), (.down, "world"), (.up, "more")]) == [
                "0 undecodable up 0: it does not begin as HTTP/1", "0 raw up: \u{1}hello",
                "0 undecodable down 0: it does not begin as HTTP/1", "0 raw down: world", "0 raw up: more",
                "0 ended up", "0 ended down",
            ])
        #expect(
            read([(.down, "220 ready\r\n"), (.up, "+HLO\r\n")]) == [
                "0 undecodable down 0: it does not begin as HTTP/1", "0 raw down: 220 ready\r\n",
                "0 undecodable up 0: it does not begin as HTTP/1", "0 raw up: +HLO\r\n", "0 ended up", "0 ended down",
            ])
    }

    @Test("a length that can be read in two ways is told, and what follows is raw")
    func ambiguous() {
        let lines = read([
            (.up, "GET / HTTP/1.1\r\n\r\n"),
            (.down, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcHTTP/1.1 200 OK\r\n\r\n"),
        ])
        #expect(lines[2] == "0 answered 200 OK HTTP/1.1 [Content-Length=3|Content-Length=4]")
        #expect(lines[3].hasPrefix("0 undecodable down 57: malformed or contradicting content-length"))
        #expect(lines[4] == "0 raw down: abcHTTP/1.1 200 OK\r\n\r\n")
    }

    @Test("content that was left out is counted in its place, and what follows is read")
    func shed() {
        var talk = Conversation()
        talk.up("POST /1 HTTP/1.1\r\nContent-Length: 10\r\n\r\nab")
        talk.shed(6, .up)
        talk.up("ijGET /2 HTTP/1.1\r\n\r\n")
        talk.down("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
        talk.shed(100, .down)
        talk.down("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n")
        talk.shed(5, .down)
        talk.down("\r\n0\r\n\r\n")
        #expect(
            talk.lines == [
                "0 asked POST /1 HTTP/1.1 [Content-Length=10]", "0 content up: ab", "0 shed up 6", "0 content up: ij",
                "0 ended up", "1 asked GET /2 HTTP/1.1 []", "1 ended up",
                "0 answered 200 OK HTTP/1.1 [Content-Length=100]", "0 shed down 100", "0 ended down",
                "1 answered 200 OK HTTP/1.1 [Transfer-Encoding=chunked]", "1 shed down 5", "1 ended down",
            ])
    }

    @Test("a tunnel and an unknown upgrade are raw behind their answer")
    func upgrades() {
        let lines = read([
            (.up, "GET / HTTP/1.1\r\nUpgrade: tls/9\r\nConnection: upgrade\r\n\r\n"),
            (.down, "HTTP/1.1 101 Switching\r\nUpgrade: TLS/9\r\n\r\nabc"), (.up, "def"),
        ])
        #expect(
            lines == [
                "0 asked GET / HTTP/1.1 [Upgrade=tls/9|Connection=upgrade]", "0 ended up",
                "0 answered 101 Switching HTTP/1.1 [Upgrade=TLS/9]", "0 upgraded tls/9", "0 raw down: abc",
                "0 raw up: def", "0 ended up", "0 ended down",
            ])
    }

    @Test("targets of every form are shown as they came")
    func targets() {
        let lines = read([
            (.up, "GET http://a.test:8080/x?y HTTP/1.1\r\nHost: b.test\r\n\r\nOPTIONS * HTTP/1.1\r\n\r\n"),
            (.up, "GET /a b\tc HTTP/1.0\r\n\r\n"),
        ])
        #expect(lines[0] == "0 asked GET http://a.test:8080/x?y HTTP/1.1 [Host=b.test]")
        #expect(lines[2] == "1 asked OPTIONS * HTTP/1.1 []" && lines[4] == "2 asked GET /a b\tc HTTP/1.0 []")
    }

    @Test("a tunnel's bytes belong to its CONNECT, those before the answer too; a refused one is no tunnel")
    func connect() {
        #expect(
            read([
                (.up, "CONNECT a.test:443 HTTP/1.1\r\n\r\n\u{16}\u{3}early"),
                (.down, "HTTP/1.1 200 Connection established\r\nContent-Length: 5\r\n\r\n\u{16}down"), (.up, "more"),
            ]) == [
                "0 asked CONNECT a.test:443 HTTP/1.1 []", "0 ended up", "0 raw up: \u{16}\u{3}early",
                "0 answered 200 Connection established HTTP/1.1 [Content-Length=5]", "0 upgraded CONNECT",
                "0 raw down: \u{16}down", "0 raw up: more", "0 ended up", "0 ended down",
            ])
        #expect(
            read([
                (.up, "CONNECT a.test:443 HTTP/1.1\r\n\r\n"),
                (.down, "HTTP/1.1 407 No\r\nContent-Length: 2\r\n\r\nno"),
                (.up, "CONNECT a.test:443 HTTP/1.1\r\nProxy-Authorization: x\r\n\r\n"),
                (.down, "HTTP/1.1 200\r\n\r\n"), (.up, "GET / HTTP/1.1\r\n\r\n"),
            ]).suffix(5)
                == [
                    "1 ended up", "1 answered 200  HTTP/1.1 []", "1 upgraded CONNECT",
                    "1 raw up: GET / HTTP/1.1\r\n\r\n", "1 ended up", "1 ended down",
                ].suffix(5))
    }

    @Test("an upgrade takes what follows it: early bytes are read as the new protocol, other requests have no answer")
    func early() {
        let lines = read([
            (.up, "GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\nGET /2 HTTP/1.1\r\n\r\n"), (.up, "\u{1}\u{1}a"),
            (.down, "HTTP/1.1 101 S\r\nUpgrade: websocket\r\n\r\n"), (.up, "\u{0}\u{1}b"),
        ])
        #expect(lines.contains("1 aborted: the connection became websocket before the answer"), "\(lines)")
    }

    @Test("a long poll shows its head, and each part of its body, as soon as it comes")
    func longPoll() {
        var talk = Conversation()
        talk.up("GET /poll HTTP/1.1\r\n\r\n")
        talk.down("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(talk.lines.last == "0 answered 200 OK HTTP/1.1 [Transfer-Encoding=chunked]")
        talk.down("5\r\nhal")
        #expect(talk.lines.last == "0 content down: hal")
        talk.down("f.\r\n")
        #expect(talk.lines.last == "0 content down: half.")
        talk.down("0\r\n\r\n")
        #expect(talk.lines.last == "0 ended down")
    }

    @Test("an answer may come before its request is whole")
    func earlyAnswer() {
        #expect(
            read([
                (.up, "POST /1 HTTP/1.1\r\nContent-Length: 4\r\n\r\nab"),
                (.down, "HTTP/1.1 413 Too much\r\nContent-Length: 0\r\n\r\n"), (.up, "cdGET /2 HTTP/1.1\r\n\r\n"),
                (.down, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
            ]) == [
                "0 asked POST /1 HTTP/1.1 [Content-Length=4]", "0 content up: ab",
                "0 answered 413 Too much HTTP/1.1 [Content-Length=0]", "0 ended down", "0 content up: cd", "0 ended up",
                "1 asked GET /2 HTTP/1.1 []", "1 ended up", "1 answered 200 OK HTTP/1.1 [Content-Length=0]",
                "1 ended down",
            ])
        #expect(
            read([
                (.up, "POST /1 HTTP/1.1\r\nContent-Length: 4\r\n\r\nab"),
                (.down, "HTTP/1.1 413 Too much\r\nContent-Length: 0\r\n\r\n"),
            ]).last == "0 aborted: closed")
    }

    @Test("an answer may come before the whole head is there: what there is of it was asked")
    func answerBeforeHead() {
        let answer = "HTTP/1.1 431 Too large\r\nContent-Length: 0\r\n\r\n"
        let why = "the server answered before the whole head was there"
        #expect(
            read([(.up, "GET /1 HTTP/1.1\r\nHost: a\r\nCookie: aaa"), (.down, answer), (.up, "bbb\r\n\r\n")]) == [
                "0 asked GET /1 HTTP/1.1 [Host=a]", "0 undecodable up 26: \(why)", "0 raw up: Cookie: aaa",
                "0 answered 431 Too large HTTP/1.1 [Content-Length=0]", "0 ended down", "0 raw up: bbb\r\n\r\n",
                "0 ended up",
            ])
        // Nothing that could be asked is there, or what is said is no answer.
        #expect(read([(.up, "GET /1 HT"), (.down, answer)]).allSatisfy { !$0.contains("asked") })
        #expect(read([(.up, "GET /1 HTTP/1.1\r\nHo"), (.down, "220 hello\r\n")]).allSatisfy { !$0.contains("asked") })
    }

    @Test("HTTP/1.0 ends its content with the connection, or with a length on a kept one")
    func http10() {
        #expect(
            read([
                (.up, "GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
                (.down, "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\na"),
                (.up, "HEAD /2 HTTP/1.0\r\n\r\n"), (.down, "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
            ]).suffix(5) == [
                "0 ended down", "1 asked HEAD /2 HTTP/1.0 []", "1 ended up",
                "1 answered 200 OK HTTP/1.0 [Transfer-Encoding=chunked]", "1 ended down",
            ])
    }

    @Test("nothing traps, whatever comes")
    func mutations() {
        let script: [(ExchangeDirection, [UInt8])] = [
            (.up, Array("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nT: u\r\n\r\n".utf8)),
            (.down, Array("HTTP/1.1 100 C\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbodyHTTP/1.1 200".utf8)),
        ]
        mutate(script, alpn: "http/1.1", .init(), seed: 1)
    }
}
