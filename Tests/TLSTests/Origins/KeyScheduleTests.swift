import Facts
import TLSSupport
import Testing

@testable import TLS

// Handshakes derive their secrets by code of their own, where OpenSSL's takes five times as long.

@Test("the key schedule yields the secrets of RFC 8448's first handshake")
func secretsOfRFC8448() throws {
    let probe = try #require(AlgorithmProbe.forHandshakes())
    let early = try #require(try probe.derive(KeyDerivation(.extract, "SHA256", count: 32)))
    #expect(Hex.encode(early) == "33ad0a1c607ec03b09e6cd9893680ce210adf300aa1f2660e1b22e10f170f92a")
    let shared = try #require(
        Hex.decoded("8bd4054fb55b9d63fdfbacf9f04b9f0d35e6d63f537563efd46272900f89492d"))
    let handshake = try probe.derive(KeyDerivation(.extract, "SHA256", key: shared, salt: early, count: 32))
    #expect(
        handshake.map { Hex.encode($0) } == "1dc826e93606aa6fdc0aadc12f741b01046aa6b99f691ed221a9f0ca043fbeac")
    let empty = SHA256.digest([])
    let derived = try probe.derive(KeyDerivation(.expand, "SHA256", key: early, data: empty, count: 32))
    #expect(derived.map { Hex.encode($0) } == "6f2615a108c702c5678f54fc9dbab69716c076189c48250cebeac3576c3611ba")
}

/// Every kind of request that libssl has, and such as it has not: of these, too, both do the same.
private let derivations: [KeyDerivation] = {
    func bytes(_ count: Int, _ first: UInt8) -> [UInt8] {
        (0..<count).map { first &+ UInt8(truncatingIfNeeded: 7 * $0) }
    }
    var all: [KeyDerivation] = []
    for (digest, size) in [("SHA256", 32), ("SHA2-256", 32), ("SHA384", 48), ("sha2-384", 48), ("SHA512", 64)] {
        // Shared secrets: of X25519, X448, P-521, ffdhe2048. The last two are longer than a block of SHA-256.
        for key in [nil, [], bytes(1, 3), bytes(32, 5), bytes(56, 7), bytes(66, 9), bytes(129, 8), bytes(256, 1)] {
            for salt in [nil, [], bytes(size, 2), bytes(200, 4)] {
                all.append(KeyDerivation(.extract, digest, key: key, salt: salt, count: size))
            }
            for data in [nil, [], bytes(size, 6), bytes(255, 1), bytes(256, 1)] {
                for count in [12, 16, size, size + 1] {
                    all.append(KeyDerivation(.expand, digest, key: key, data: data, count: count))
                }
            }
        }
        all.append(KeyDerivation(.extract, digest, key: bytes(32, 5), salt: bytes(size, 2), count: size - 1))
        all.append(KeyDerivation(.expand, digest, key: bytes(size, 5), data: bytes(size, 2), count: 0))
        for (index, label) in ["", String(repeating: "l", count: 249), String(repeating: "l", count: 250)].enumerated()
        {
            var long = KeyDerivation(.expand, digest, key: bytes(size, UInt8(index)), count: size)
            long.label = label
            all.append(long)
        }
    }
    return all
}()

@Test("the key schedule does what OpenSSL's does, however it is asked", arguments: [false, true])
func sameSecrets(isInTwoCalls: Bool) throws {
    let probe = try #require(AlgorithmProbe.forHandshakes())
    var seen: Set<[UInt8]> = []
    for var derivation in derivations {
        derivation.isInTwoCalls = isInTwoCalls
        let theirs = try AlgorithmProbe.whole.derive(derivation)
        #expect(try probe.derive(derivation) == theirs, "\(derivation)")
        if let theirs { seen.insert(theirs) }
    }
    // Something was derived, and not always the same.
    #expect(seen.count > derivations.count / 4)
}

// RFC 5246 has no examples of its function; this one was posted to the TLS working group's list for it.
@Test("the pseudorandom function of TLS 1.2 yields what its known example has")
func knownPseudorandomBytes() throws {
    let probe = try #require(AlgorithmProbe.forHandshakes())
    let secret = try #require(Hex.decoded("9bbe436ba940f017b17652849a71db35"))
    let seed = try #require(Hex.decoded("a0ba9f936cda311827a6f796ffd5198c"))
    let out = try probe.derive(
        PseudorandomDerivation("SHA256", secret: secret, seeds: [Array("test label".utf8), seed], count: 100))
    #expect(
        out.map { Hex.encode($0) }
            == "e3f229ba727be17b8d122620557cd453c2aab21d07c3d495329b52d4e61edb5a6b301791e90d35c9c9a46b4e14baf9af0fa0"
            + "22f7077def17abfd3797c0564bab4fbc91666e9def9b97fce34f796789baa48082d122ee42c5a72e5a5110fff70187347b66")
}

/// Such as libssl asks for, and such as it does not.
private let pseudorandomDerivations: [PseudorandomDerivation] = {
    func bytes(_ count: Int, _ first: UInt8) -> [UInt8] {
        (0..<count).map { first &+ UInt8(truncatingIfNeeded: 7 * $0) }
    }
    var all: [PseudorandomDerivation] = []
    for digest in ["SHA256", "SHA2-256", "SHA384", "sha2-384", "SHA512", "MD5-SHA1", "SHA1"] {
        // Shared secrets of X25519, P-384 and ffdhe2048, a master secret, one as long as a block and one longer, and none.
        for secret in [nil, [], bytes(1, 3), bytes(32, 5), bytes(48, 7), bytes(64, 2), bytes(65, 9), bytes(256, 1)] {
            for seeds in [
                [], [[]], [bytes(15, 3), bytes(32, 1), [], bytes(32, 2), []], [bytes(22, 4), [], bytes(48, 1)],
                [bytes(128, 5), bytes(128, 6)], [bytes(128, 5), bytes(129, 6)], [bytes(1024, 5)], [bytes(1025, 5)],
            ] {
                for count in [0, 1, 12, 31, 32, 33, 40, 48, 96, 97, 200] {
                    all.append(PseudorandomDerivation(digest, secret: secret, seeds: seeds, count: count))
                }
            }
        }
    }
    return all
}()

@Test("the pseudorandom function does what OpenSSL's does, however it is asked", arguments: [false, true])
func samePseudorandomBytes(isInTwoCalls: Bool) throws {
    let probe = try #require(AlgorithmProbe.forHandshakes())
    var seen: Set<[UInt8]> = []
    for var derivation in pseudorandomDerivations {
        derivation.isInTwoCalls = isInTwoCalls
        let theirs = try AlgorithmProbe.whole.derive(derivation)
        #expect(try probe.derive(derivation) == theirs, "\(derivation)")
        if let theirs { seen.insert(theirs) }
    }
    #expect(seen.count > pseudorandomDerivations.count / 4)
}
