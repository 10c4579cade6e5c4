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

/// After more than any dialogue before TLS has.
private func late() -> LateHello {
    var search = LateHello()
    let data = [UInt8](repeating: 7, count: LateHello.limit + 1)
    #expect(search.skips(data.span) == false)
    #expect(search.read(data.span).before == data)
    return search
}

@Test("however much has gone before, a hello is found where the server has spoken, in pieces too")
func afterMuch() {
    let hello = RecordedHello.curl
    var search = late()
    search.serverSpoke()
    #expect(search.skips(hello.span) == false)
    #expect(search.read(hello.span).hello?.sni == HostName("api.pin.test"))
    var cut = late()
    #expect(cut.skips([7, 7].span) == true)
    cut.serverSpoke()
    #expect(cut.skips(Array(hello[..<3]).span) == false)
    #expect(cut.read(Array(hello[..<3]).span).before.isEmpty && cut.holds && cut.isLikely)
    #expect(cut.skips(Array(hello[3...]).span) == false)
    let found = cut.read((Array(hello[3...]) + [20, 3, 3, 0, 1, 1]).span)
    #expect(found.hello != nil && found.rest == hello + [20, 3, 3, 0, 1, 1])
}

@Test("a hello within an upload is data: it has other bytes before or behind it, or the server has said nothing")
func withinAnUpload() {
    let hello = RecordedHello.curl
    var silent = late()
    #expect(silent.skips(hello.span) == true)
    var before = late()
    before.serverSpoke()
    #expect(before.skips(([7] + hello).span) == true)
    // It has begun to speak, and says more.
    #expect(before.skips(hello.span) == true)
    var behind = late()
    behind.serverSpoke()
    #expect(behind.skips((hello + [7]).span) == false)
    let found = behind.read((hello + [7]).span)
    #expect(found.hello == nil && found.before == hello + [7] && !behind.holds)
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

@Test("beginnings of hellos without end are given up, and no byte of them is lost")
func halfHellos() {
    // Each begins a handshake message that the records behind it never finish, until one of another kind comes.
    let header: [UInt8] = [22, 3, 1, 0, 5, 1, 0, 0xff, 0xff, 3]
    var bytes = Array("EHLO a\r\n".utf8)
    for _ in 0..<1500 { bytes += header }
    for _ in 0..<7000 { bytes += [22, 3, 1, 0, 1, 0] }
    bytes += [23, 3, 1, 0, 1, 0]
    let took = ContinuousClock().measure {
        let found = read([bytes])
        #expect(found.hello == nil && found.before == bytes)
    }
    #expect(took < .seconds(2), "\(took)")
}
