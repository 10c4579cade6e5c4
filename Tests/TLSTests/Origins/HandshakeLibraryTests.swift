import Facts
import TLSSupport
import Testing

@testable import TLS

// The library context of handshakes leaves algorithms out that no handshake asks for. Nothing that one does may be among them.

@Test("handshakes have every suite that this OpenSSL has")
func sameSuites() throws {
    let known = try AlgorithmProbe.whole.suites()
    #expect(try #require(AlgorithmProbe.forHandshakes()).suites() == known)
    #expect(known.contains("TLS_AES_128_GCM_SHA256") && known.contains("ECDHE-RSA-CHACHA20-POLY1305"))
}

@Test(
    "handshakes have every group",
    arguments: [
        "X25519", "X448", "P-256", "P-384", "P-521", "brainpoolP256r1", "secp256k1", "ffdhe2048", "ffdhe8192",
    ])
func sameGroups(group: String) throws {
    #expect(try AlgorithmProbe.whole.has(group: group))
    #expect(try #require(AlgorithmProbe.forHandshakes()).has(group: group))
}

@Test(
    "handshakes read the key of every kind of certificate that signs",
    arguments: [
        KeyType.rsa(bits: 2048), .p256, .p384, .p521, .ec(curve: "secp256k1"), .ec(curve: "brainpoolP384r1"), .ed25519,
        .other("ED448"), .other("RSA-PSS"),
    ])
func sameKeys(type: KeyType) throws {
    let key = try PrivateKey.generate(type)
    let name = DER.sequence()
    let der = try CertificateBuilder(
        serial: [1], signature: .ecdsa(.sha256), issuer: name, subject: name, notBefore: 0, notAfter: 1,
        publicKey: key.publicKeyDER, extensions: []
    ).signed(by: try PrivateKey.generate(.p256)).der
    let (whole, quick) = (try Certificate(der: der), try Certificate(der: der, isForHandshakes: true))
    #expect(quick.keyType == whole.keyType && quick.keyType != .other("unknown"))
    #expect(key.matches(quick) && key.matches(whole))
    #expect(quick.publicKeyDER == whole.publicKeyDER)
}

@Test("a certificate whose key signs no handshake is named by it", arguments: ["X25519", "X448", "SM2"])
func otherKeys(name: String) throws {
    let key = try PrivateKey.generate(.other(name))
    let der = try CertificateBuilder(
        serial: [1], signature: .ecdsa(.sha256), issuer: DER.sequence(), subject: DER.sequence(), notBefore: 0,
        notAfter: 1,
        publicKey: key.publicKeyDER, extensions: []
    ).signed(by: try PrivateKey.generate(.p256)).der
    #expect(try Certificate(der: der, isForHandshakes: true).keyType == .other(name))
}

@Test("a damaged key is of no type that can be imitated", arguments: [KeyType.p256, .ed25519])
func damagedKeys(type: KeyType) throws {
    var damaged = try PrivateKey.generate(type).publicKeyDER
    // Neither a point nor as long as one.
    if type == .p256 {
        damaged[27] ^= 1
    } else {
        damaged = DER.sequence(DER.sequence(Array(damaged[4..<9])), DER.bitString([1]))
    }
    let der = try CertificateBuilder(
        serial: [1], signature: .ecdsa(.sha256), issuer: DER.sequence(), subject: DER.sequence(), notBefore: 0,
        notAfter: 1,
        publicKey: damaged, extensions: []
    ).signed(by: try PrivateKey.generate(.p256)).der
    for isForHandshakes in [false, true] {
        let found = try Certificate(der: der, isForHandshakes: isForHandshakes).keyType
        #expect(found.description == (type == .p256 ? "unreadable prime256v1" : "unreadable ED25519"))
    }
}

@Test(
    "handshakes read of an EC key what OpenSSL does, whole or damaged",
    arguments: [KeyType.p256, .p384, .p521, .ec(curve: "secp256k1")])
func sameECKeys(type: KeyType) throws {
    let probe = try #require(AlgorithmProbe.forHandshakes())
    let whole = try PrivateKey.generate(type).publicKeyDER
    #expect(probe.describe(publicKey: whole) != nil)
    var damaged = [whole, Array(whole.dropLast()), whole + [0], Array(whole.prefix(23)), []]
    for place in whole.indices {
        for change: UInt8 in [1, 2, 0x80] {
            var other = whole
            other[place] ^= change
            damaged.append(other)
        }
    }
    for der in damaged {
        let theirs = AlgorithmProbe.whole.describe(publicKey: der)
        #expect(probe.describe(publicKey: der) == theirs, "\(Hex.encode(der))")
    }
}

@Test("handshakes read a compressed point as one")
func sameCompressedPoint() throws {
    let probe = try #require(AlgorithmProbe.forHandshakes())
    // P-256's base point (FIPS 186-4, D.1.2.3).
    let head = "3039301306072a8648ce3d020106082a8648ce3d030107032200"
    let der = try #require(Hex.decoded(head + "036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"))
    let read = try #require(probe.describe(publicKey: der))
    #expect(read == AlgorithmProbe.whole.describe(publicKey: der) && read[2] == Hex.encode(der))
}

@Test("X25519's public keys are those that OpenSSL works out by its own way")
func x25519PublicKeys() throws {
    let probe = try #require(AlgorithmProbe.forHandshakes())
    var seen: Set<[UInt8]> = []
    for _ in 0..<200 {
        let (secret, open) = try probe.x25519Key()
        // RFC 7748 §5: clamped.
        #expect(secret[0] & 7 == 0 && secret[31] & 0xC0 == 0x40)
        #expect(try AlgorithmProbe.whole.x25519Open(secret) == open)
        seen.insert(open)
    }
    #expect(seen.count == 200)
}

@Test("X25519's public keys are right for private ones of every digit and every bit")
func x25519Digits() throws {
    var secrets = (0...255).map { [UInt8](repeating: UInt8($0), count: 32) }
    for bit in 0..<256 {
        var secret = [UInt8](repeating: 0, count: 32)
        secret[bit / 8] = 1 << UInt8(bit % 8)
        secrets += [secret, secret.map { ~$0 }]
    }
    for secret in secrets {
        #expect(
            try AlgorithmProbe.ownX25519Open(secret) == AlgorithmProbe.whole.x25519Open(secret), "\(Hex.encode(secret))"
        )
    }
}

@Test("a key of X25519's that is parameters alone has no private part")
func x25519Parameters() throws {
    #expect(try !AlgorithmProbe.whole.x25519ParametersHaveKey())
    #expect(try !(#require(AlgorithmProbe.forHandshakes())).x25519ParametersHaveKey())
}
