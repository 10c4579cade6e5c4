import Facts
import Testing

@testable import Wire

private func read(_ pieces: String...) -> RequestHosts {
    var reader = RequestHosts()
    for piece in pieces { reader.read(Array(piece.utf8).span) }
    return reader
}

private func hosts(_ names: String...) -> [HostName] { names.compactMap { HostName($0) } }

@Test("each request's host is read, once, behind whatever content the one before had")
func requestHosts() {
    let get = "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n"
    let post = "POST /x HTTP/1.1\r\nContent-Length: 18\r\nHOST:  b.test:443 \r\n\r\nHost: c.test\r\n\r\n!!"
    let chunked = "PUT / HTTP/1.1\r\nHost: d.test\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    let all = get + post + chunked + get
    let whole = read(all)
    #expect(whole.hosts == hosts("a.test", "b.test", "d.test") && !whole.isIncomplete)
    var bytewise = RequestHosts()
    for byte in all.utf8 { bytewise.read([byte].span) }
    #expect(bytewise.hosts == whole.hosts && !bytewise.isIncomplete)
    #expect(read("GET / HTTP/1.1\r\nHo", "st: a.test\r\n").hosts.isEmpty)
}

@Test("empty lines before a request, and a Host field that goes on in the next line, hide nobody")
func requestHostsOddlyWritten() {
    let first = "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n"
    for odd in [
        "\r\nGET / HTTP/1.1\r\nHost: b.test\r\n\r\n", "\r\n\r\nGET / HTTP/1.1\r\nHost: b.test\r\n\r\n",
        "\r\n\r\nGET http://b.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET / HTTP/1.1\r\nHost:\r\n b.test\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: \r\n\t\r\n b.test\r\nX: y\r\n\r\n",
    ] {
        let seen = read(first, odd)
        #expect(seen.hosts == hosts("a.test", "b.test") && !seen.isIncomplete, "\(odd)")
    }
    let none = read("GET / HTTP/1.1\r\nHost:\r\nX: a.test\r\n\r\n")
    #expect(none.hosts.isEmpty && none.isIncomplete)
}

@Test("whom HTTP/2 asks is read as well, from its preface on")
func requestHostsOfHTTP2() {
    // Two requests by literal fields without an index (RFC 7541 §6.2.2): `:authority` is the first of the static table.
    func request(_ stream: UInt8, _ host: String) -> [UInt8] {
        let block: [UInt8] = [0x82, 0x84, 0x01, UInt8(host.utf8.count)] + Array(host.utf8)
        return [0, 0, UInt8(block.count), 1, 5, 0, 0, 0, stream] + block
    }
    let bytes = HTTP2RequestHosts.preface + request(1, "a.test") + request(3, "b.test:443") + request(5, "a.test")
    var whole = RequestHosts()
    whole.read(bytes.span)
    var bytewise = RequestHosts()
    for byte in bytes { bytewise.read([byte].span) }
    for seen in [whole, bytewise] {
        #expect(seen.hosts == hosts("a.test", "b.test") && !seen.isIncomplete && !seen.isInHead)
    }
    // A tunnel within says nothing of whom its inside asks.
    let block: [UInt8] = [0x02, 7] + Array("CONNECT".utf8) + [0x01, 6] + Array("c.test".utf8)
    var tunnel = whole
    tunnel.read(([0, 0, UInt8(block.count), 1, 5, 0, 0, 0, 7] + block).span)
    #expect(tunnel.hosts == hosts("a.test", "b.test") && tunnel.isIncomplete)
    let connect = read("CONNECT c.test:443 HTTP/1.1\r\nHost: c.test:443\r\n\r\n")
    #expect(connect.hosts.isEmpty && connect.isIncomplete)
    // What begins like it and is none.
    let put = read("P", "UT / HTTP/1.1\r\nHost: c.test\r\n\r\n")
    #expect(put.hosts == hosts("c.test") && !put.isIncomplete && !put.isInHead)
    #expect(read("PRI * HTT").isInHead && read("GET / HTTP/1.1\r\nHost: a").isInHead)
}

@Test("a whole URL in the request line counts before the Host field")
func requestHostsOfURLs() {
    for line in [
        "GET http://a.test/x", "GET https://a.test", "POST HTTPS://a.test:8443/y?u=http://b.test/",
        "GET http://u:p@a.test?q",
    ] {
        let seen = read("\(line) HTTP/1.1\r\nHost: cdn.test\r\nContent-Length: 0\r\n\r\n")
        #expect(seen.hosts == hosts("a.test") && !seen.isIncomplete, "\(line)")
    }
    #expect(read("GET http://a.test/ HTTP/1.0\r\n\r\n").hosts == hosts("a.test"))
    // Not where the URL stands in a path.
    for target in ["/x?u=http://b.test/", "/http://b.test/", "*", "c://"] {
        let seen = read("OPTIONS \(target) HTTP/1.1\r\nHost: cdn.test\r\n\r\n")
        #expect(seen.hosts == (target == "c://" ? [] : hosts("cdn.test")), "\(target)")
        #expect(seen.isIncomplete == (target == "c://"))
    }
}

@Test("what cannot be followed is said to be incomplete, and nothing more is read of it")
func incompleteHosts() {
    let get = "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n"
    for other in [
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/1.0\r\n\r\n",
        "\u{0}\u{1}\u{2} hello there, this is no HTTP\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: b.test\r\nContent-Length: x\r\n\r\n",
    ] {
        let seen = read(get, other, get)
        #expect(seen.hosts.first == HostName("a.test") && seen.isIncomplete, "\(other)")
    }
    var many = RequestHosts()
    for number in 0...RequestHosts.hostLimit {
        many.read(Array("GET / HTTP/1.1\r\nHost: h\(number)\r\n\r\n".utf8).span)
    }
    #expect(many.hosts.count == RequestHosts.hostLimit && many.isIncomplete)
    // However many have gone before it, one request for another host is told.
    var long = RequestHosts()
    for _ in 0..<1_000 { long.read(Array(get.utf8).span) }
    long.read(Array("GET / HTTP/1.1\r\nHost: b.test\r\n\r\n".utf8).span)
    #expect(long.hosts == hosts("a.test", "b.test") && !long.isIncomplete)
    var head = RequestHosts()
    head.read(Array(("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 300 * 1024)).utf8).span)
    #expect(head.isIncomplete)
}
