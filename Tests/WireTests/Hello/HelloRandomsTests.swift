import Testing

@testable import Wire

@Suite("HelloRandoms")
struct HelloRandomsTests {
    private func made(_ bytes: [UInt8], at start: Int = 0) -> HelloRandom? { HelloRandom(bytes.span, at: start) }

    private func made(ofHelloIn bytes: [UInt8]) -> HelloRandom? { HelloRandom(ofHelloIn: bytes.span) }

    private func random(_ seed: UInt8) throws -> HelloRandom {
        try #require(made((0..<32).map { $0 ^ seed }))
    }

    @Test("a hello's random is read with it, and from the bytes of a call of our own")
    func reading() throws {
        var parser = ClientHelloParser()
        guard case .complete(let hello) = parser.read(RecordedHello.go) else {
            Issue.record("no hello")
            return
        }
        #expect(hello.random.bytes == Array(RecordedHello.go[11..<43]))
        #expect(made(ofHelloIn: RecordedHello.go) == hello.random)
        #expect(try random(9).bytes == (0..<32).map { $0 ^ 9 })
    }

    @Test("bytes that are too few, or no hello, have none")
    func none() {
        for count in 0..<43 { #expect(made(ofHelloIn: Array(RecordedHello.go[..<count])) == nil) }
        var other = Array(RecordedHello.go)
        other[5] = 2
        #expect(made(ofHelloIn: other) == nil)
        other = Array(RecordedHello.go)
        other[0] = 23
        #expect(made(ofHelloIn: other) == nil)
        let bytes = [UInt8](repeating: 1, count: 40)
        #expect(made(bytes, at: 9) == nil && made(bytes, at: -1) == nil)
        #expect(made(bytes, at: .max) == nil && made(bytes, at: 8) != nil)
    }

    @Test("knows what goes out until it is over")
    func membership() throws {
        var randoms = HelloRandoms()
        #expect(try !randoms.contains(random(1)))
        #expect(try randoms.insert(random(1)))
        #expect(try randoms.contains(random(1)) && !randoms.contains(random(2)))
        // Somebody else's already: not to be removed by the second.
        #expect(try !randoms.insert(random(1)))
        try randoms.remove(random(1))
        #expect(try !randoms.contains(random(1)))
        #expect(randoms.count == 0)
    }

    @Test("takes no more than its limit, and goes on when some are over")
    func bounded() throws {
        var randoms = HelloRandoms()
        func number(_ value: Int) throws -> HelloRandom {
            try #require(made((0..<32).map { UInt8(truncatingIfNeeded: value >> ($0 % 4 * 8)) }))
        }
        for value in 0..<HelloRandoms.limit { #expect(try randoms.insert(number(value))) }
        #expect(try !randoms.insert(number(HelloRandoms.limit)))
        #expect(try !randoms.contains(number(HelloRandoms.limit)) && randoms.contains(number(5)))
        try randoms.remove(number(5))
        #expect(try randoms.insert(number(HelloRandoms.limit)))
        #expect(randoms.count == HelloRandoms.limit)
    }
}
