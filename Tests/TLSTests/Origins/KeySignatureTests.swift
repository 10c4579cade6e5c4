import Facts
import TLSSupport
import Testing

@testable import TLS

// An origin's key that verifies often does so by a table of its own. What it says has to be what OpenSSL says.

@Test("a key's table verifies what OpenSSL does", arguments: SignatureVector.all)
func tableVerifiesTheSame(vector: SignatureVector) throws {
    let whole = try PublicKeyProbe(in: .whole, x: vector.x, y: vector.y)
    #expect(try whole.holds(r: vector.r, s: vector.s, digest: vector.digest) == vector.holds)
    guard let table = PublicKeyTable(x: vector.x, y: vector.y) else { return }
    #expect(table.holds(r: vector.r, s: vector.s, digest: vector.digest) == vector.holds)
    for place in 0..<32 {
        for damaged in 0..<3 {
            var parts = [vector.r, vector.s, vector.digest]
            parts[damaged][place] ^= 1 << UInt8(place % 8)
            let theirs = try whole.holds(r: parts[0], s: parts[1], digest: parts[2])
            #expect(table.holds(r: parts[0], s: parts[1], digest: parts[2]) == theirs)
        }
    }
}

@Test("a key's table takes no r and no s that is zero, or the order or more")
func tableBounds() throws {
    let vector = try #require(SignatureVector.all.last)
    guard let table = PublicKeyTable(x: vector.x, y: vector.y) else { return }
    // SEC 2 §2.4.2.
    let order = try #require(Hex.decoded("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"))
    // That one's x is the order and three.
    var x = order
    x[31] += 3
    for bad in [[UInt8](repeating: 0, count: 32), order, x, [UInt8](repeating: 0xFF, count: 32)] {
        #expect(!table.holds(r: bad, s: vector.s, digest: vector.digest))
        #expect(!table.holds(r: vector.r, s: bad, digest: vector.digest))
    }
    #expect(table.holds(r: vector.r, s: vector.s, digest: vector.digest))
}

@Test("a key that verifies often says the same as before, on every thread, and eight have tables at most")
func keysComeToHaveTables() async throws {
    guard AlgorithmProbe.forHandshakes() != nil else { return }
    // One key is left to another test.
    for vector in SignatureVector.all.dropLast() {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let handshakes = try #require(AlgorithmProbe.forHandshakes())
                    let key = try PublicKeyProbe(in: handshakes, x: vector.x, y: vector.y)
                    var damaged = vector.s
                    for round in 0..<40 {
                        damaged[31] = vector.s[31] ^ UInt8(1 + round)
                        #expect(try key.holds(r: vector.r, s: vector.s, digest: vector.digest) == vector.holds)
                        #expect(try !key.holds(r: vector.r, s: damaged, digest: vector.digest))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(PublicKeyProbe.tables <= 8)
    }
    // None, where this machine has no numbers of 128 bits.
    let first = SignatureVector.all[0]
    #expect((PublicKeyTable(x: first.x, y: first.y) != nil) == (PublicKeyProbe.tables > 0))
}

@Test("a signature of a digest that is longer or shorter than the order is OpenSSL's to judge, or cut as it cuts it")
func otherDigests() throws {
    guard let handshakes = AlgorithmProbe.forHandshakes() else { return }
    let vector = try #require(SignatureVector.all.last)
    let (whole, often) = try (
        PublicKeyProbe(in: .whole, x: vector.x, y: vector.y), PublicKeyProbe(in: handshakes, x: vector.x, y: vector.y)
    )
    for _ in 0..<80 {
        for digest in [vector.digest + [1, 2, 3], vector.digest.dropLast(), []].map({ Array($0) }) {
            let theirs = try whole.holds(r: vector.r, s: vector.s, digest: digest)
            #expect(try often.holds(r: vector.r, s: vector.s, digest: digest) == theirs)
        }
        // Counts, and is right by a table or without one.
        #expect(try often.holds(r: vector.r, s: vector.s, digest: vector.digest))
    }
}
