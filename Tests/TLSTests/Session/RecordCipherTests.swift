import Facts
import Foundation
import TLSSupport
import Testing

@testable import TLS

// Records go through AES-GCM of our own where the processor has instructions for it that OpenSSL 3.0 does not use. It has to do
// what OpenSSL's does.

private let ciphers = [("AES-128-GCM", 16), ("AES-256-GCM", 32)]

#if os(Linux) && arch(x86_64)
    @Test(
        "they do where the processor has the instructions, and OpenSSL's where it has better ones", arguments: ciphers)
    func isInUse(cipher: (String, Int)) throws {
        let facts = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
        let line = facts.split(separator: "\n").first { $0.hasPrefix("flags") } ?? ""
        let flags = Set(line.split(separator: " "))
        let hasBetter = AlgorithmProbe.hasCodeForAVX512 && flags.contains("avx512vl")
        let isExpected = flags.isSuperset(of: ["aes", "vaes", "vpclmulqdq", "avx2"]) && !hasBetter
        // OpenSSL's takes nonces of any length.
        let probe = try #require(AlgorithmProbe.forHandshakes())
        #expect(try probe.cipher(cipher.0).setNonceLength(13) != isExpected)
        #expect(try AlgorithmProbe.whole.cipher(cipher.0).setNonceLength(13))
    }
#endif

private func bytes(_ count: Int, _ first: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: first + 167 * $0 + $0 / 256) }
}

private func call(_ cipher: (name: String, keyCount: Int), _ seed: Int, aad: Int, content: Int) -> RecordCall {
    RecordCall(
        cipher.name, key: bytes(cipher.keyCount, seed), nonce: bytes(12, 3 * seed + 1), aad: bytes(aad, 5 * seed + 2),
        content: bytes(content, 7 * seed + 3))
}

@Test("AES-GCM yields what its authors say")
func vectorsOfGCM() throws {
    // McGrew and Viega, The Galois/Counter Mode of Operation, test cases 3 and 15.
    let content = try #require(
        Hex.decoded(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255"))
    let key = try #require(Hex.decoded("feffe9928665731c6d6a8f9467308308"))
    let nonce = try #require(Hex.decoded("cafebabefacedbaddecaf888"))
    let sealed = try [
        RecordCall("AES-128-GCM", key: key, nonce: nonce, aad: [], content: content),
        RecordCall("AES-256-GCM", key: key + key, nonce: nonce, aad: [], content: content),
    ].map { try #require(AlgorithmProbe.forHandshakes()).seal($0) }
    #expect(
        sealed[0].map { Hex.encode($0) } == "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
            + "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985" + "4d5c2af327cd64a62cf35abd2ba6fab4")
    #expect(
        sealed[1].map { Hex.encode($0) } == "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
            + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad" + "b094dac5d93471bdec1a502270e3cc6c")
}

@Test("records of every length are sealed as OpenSSL seals them, and opened again", arguments: ciphers)
func sealedAlike(cipher: (String, Int)) throws {
    let probe = try #require(AlgorithmProbe.forHandshakes())
    var lengths = Array(0...600)
    lengths += [1023, 1024, 1025, 4095, 4096, 4097, 16383, 16384, 16385, 16400]
    for (index, length) in lengths.enumerated() {
        var record = call(cipher, index, aad: index % 17, content: length)
        record.isInPlace = index % 3 != 0
        let theirs = try #require(try AlgorithmProbe.whole.seal(record))
        #expect(try probe.seal(record) == theirs, "\(record)")
        #expect(try probe.open(record, sealed: theirs) == record.content, "\(record)")
    }
}

@Test("a record is not opened of which one bit is another", arguments: ciphers)
func damagedRecord(cipher: (String, Int)) throws {
    let probe = try #require(AlgorithmProbe.forHandshakes())
    for length in [0, 1, 17, 130, 300] {
        let record = call(cipher, length, aad: 5, content: length)
        let sealed = try #require(try probe.seal(record))
        for place in sealed.indices {
            var damaged = sealed
            damaged[place] ^= 1 << UInt8(place % 8)
            #expect(try probe.open(record, sealed: damaged) == nil, "\(length), \(place)")
        }
        var other = record
        other.aad[4] ^= 1
        #expect(try probe.open(other, sealed: sealed) == nil)
        other = record
        other.nonce[11] ^= 1
        #expect(try probe.open(other, sealed: sealed) == nil)
    }
}

/// The number, type, version and length of a record, as libssl hands them over: with what the nonce and the tag take.
private func head(_ number: UInt8, count: Int) -> [UInt8] {
    [0, 0, 0, 0, 0, 0, 0, number, 23, 3, 3, UInt8(count >> 8), UInt8(count & 0xFF)]
}

@Test("records of TLS 1.2 are sealed by one and opened by the other", arguments: ciphers)
func recordsOfTLS12(cipher: (String, Int)) throws {
    let probe = try #require(AlgorithmProbe.forHandshakes())
    for (sealer, opener) in [(probe, AlgorithmProbe.whole), (AlgorithmProbe.whole, probe), (probe, probe)] {
        let (from, to) = (try sealer.cipher(cipher.0), try opener.cipher(cipher.0))
        let key = bytes(cipher.1, 9)
        #expect(from.setKey(key, encrypts: true) && from.setFixed([1, 2, 3, 4]))
        #expect(to.setKey(key, encrypts: false) && to.setFixed([1, 2, 3, 4]))
        var nonces: [[UInt8]] = []
        for (number, length) in [0, 1, 15, 16, 127, 128, 129, 1000, 16384].enumerated() {
            let content = bytes(length, number)
            #expect(from.setHead(head(UInt8(number), count: length + 8)) == 16)
            let sealed = try #require(from.transform(bytes(8, 0) + content + bytes(16, 0)))
            #expect(sealed.count == length + 24)
            nonces.append(Array(sealed.prefix(8)))
            #expect(to.setHead(head(UInt8(number), count: length + 24)) == 16)
            // The content stays where it was: behind the nonce.
            let opened = try #require(to.transformRecord(sealed))
            #expect(opened.count == length && Array(opened.bytes[8..<8 + length]) == content)
            var damaged = sealed
            damaged[length + 10] ^= 4
            #expect(to.setHead(head(UInt8(number), count: length + 24)) == 16)
            #expect(to.transform(damaged) == nil)
        }
        // Each one is the last one's successor.
        let numbers = nonces.map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 &+ 1 == $1 })
    }
}

@Test("nothing is sealed twice with one nonce, or without a key", arguments: ciphers)
func misuse(cipher: (String, Int)) throws {
    let probe = try #require(AlgorithmProbe.forHandshakes())
    let one = try probe.cipher(cipher.0)
    #expect(one.transform([1]) == nil)
    #expect(one.setNonce(bytes(12, 1), encrypts: true))
    #expect(one.transform([1]) == nil && !one.finish())
    #expect(one.setKey(bytes(cipher.1, 2), encrypts: true) && one.setNonce(bytes(12, 1), encrypts: true))
    #expect(one.authenticate(bytes(5, 1)) && one.transform(bytes(9, 1)) != nil && one.finish())
    #expect(one.tag()?.count == 16)
    #expect(one.transform(bytes(9, 1)) == nil)
    // A record's tag has to be given before it is opened.
    #expect(one.setNonce(bytes(12, 1), encrypts: false) && one.transform(bytes(9, 1)) != nil && !one.finish())
    #expect(one.setHead(head(0, count: 7)) == nil)
    // The two ways of having a nonce do not meet in ours; OpenSSL's lets them.
    guard try !probe.cipher(cipher.0).setNonceLength(13) else { return }
    let both = try probe.cipher(cipher.0)
    #expect(both.setKey(bytes(cipher.1, 2), encrypts: true) && both.setFixed([1, 2, 3, 4]))
    #expect(both.setNonce(bytes(12, 1), encrypts: true) && both.setHead(head(0, count: 40)) == 16)
    #expect(both.transform(bytes(56, 0)) == nil && both.transform(bytes(9, 0)) == nil)
    #expect(both.setFixed([1, 2, 3, 4]) && both.setHead(head(0, count: 40)) == 16)
    #expect(both.transform(bytes(56, 0)) != nil && both.transform(bytes(9, 0)) == nil)
    let turned = try probe.cipher(cipher.0)
    #expect(turned.setKey(bytes(cipher.1, 2), encrypts: false) && turned.setFixed([1, 2, 3, 4]))
    #expect(turned.setKey(bytes(cipher.1, 2), encrypts: true) && turned.setHead(head(0, count: 40)) == 16)
    #expect(turned.transform(bytes(56, 0)) == nil)
}
