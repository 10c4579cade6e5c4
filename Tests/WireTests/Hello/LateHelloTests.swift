import Facts
import Support
import Testing

@testable import Wire

/// What came through, in the clear and from the hello on, of pieces that came one after the other.
private func read(_ pieces: [[UInt8]]) -> (before: [UInt8], hello: ClientHello?, rest: [UInt8]) {
    var search = LateHello()
    var before: [UInt8] = []
    for piece in pieces {
        let found = search.read(piece.span)
        before += found.before
        if found.hello != nil { return (before, found.hello, found.rest) }
    }
    return (before + search.release(), nil, [])
}

private let startTLS = Array("EHLO x\r\nSTARTTLS\r\n".utf8)

@Test("a hello is found behind other bytes, wherever they are cut, and no byte is changed or lost")
func foundAnywhere() {
    let hello = RecordedHello.curl
    for cut in 0...hello.count {
        let whole = read([startTLS, Array(hello[..<cut]), Array(hello[cut...])].filter { !$0.isEmpty })
        #expect(whole.before == startTLS && whole.rest == hello && whole.hello?.sni == HostName("api.pin.test"))
    }
    let bytewise = read([startTLS] + hello.map { [$0] })
    #expect(bytewise.before == startTLS && bytewise.rest == hello && bytewise.hello != nil)
    let together = read([startTLS + hello + [1, 2]])
    #expect(together.before == startTLS && together.rest == hello + [1, 2] && together.hello != nil)
}

@Test("what only looks like the beginning of a hello is handed on, at the latest when nothing follows")
func lookAlikes() {
    for bytes: [UInt8] in [
        [22], [22, 3], [22, 3, 1, 0, 100], [5, 22, 3, 1], [22, 3, 1, 2, 0, 2, 0, 0, 1, 3], [22, 22, 3, 9],
        [22, 3, 1, 200, 1],
    ] {
        let seen = read([bytes])
        #expect(seen.before == bytes && seen.hello == nil)
    }
    // Of a message's last bytes nothing waits that is less than a record's header.
    var search = LateHello()
    #expect(search.read([7, 7, 22, 3].span).before == [7, 7, 22, 3] && !search.holds)
    #expect(search.read([22, 3, 1, 2].span).before.isEmpty && search.holds)
    #expect(search.read([9].span).before.isEmpty && search.holds)
    #expect(search.read([9].span).before == [22, 3, 1, 2, 9, 9] && !search.holds)
}

@Test("it looks no further than a dialogue before TLS can be long")
func searchLimit() {
    var search = LateHello()
    #expect(!search.read([UInt8](repeating: 22, count: LateHello.limit).span).isOver)
    #expect(search.read([7, 7].span).isOver)
}

@Test("any bytes come out as they went in", arguments: 0..<40)
func randomBytes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet: [UInt8] = [22, 3, 1, 0, 2, 64, 65]
    var pieces: [[UInt8]] = []
    for _ in 0..<20 {
        pieces.append(
            (0..<Int.random(in: 1...12, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 })
    }
    let seen = read(pieces)
    #expect(seen.before + seen.rest == pieces.flatMap(\.self))
}

@Test("what began as a hello and was cut is known as likely, and waits for its rest; a lone control character is not")
func likelyHello() {
    var lone = LateHello()
    _ = lone.read([22].span)
    #expect(lone.holds && !lone.isLikely)
    var cut = LateHello()
    _ = cut.read([22, 3, 1].span)
    #expect(cut.holds && cut.isLikely)
    var behind = LateHello()
    let found = behind.read((Array("STARTTLS\r\n".utf8) + [22, 3, 1, 2, 0, 1]).span)
    #expect(found.before == Array("STARTTLS\r\n".utf8) && behind.isLikely)
}
