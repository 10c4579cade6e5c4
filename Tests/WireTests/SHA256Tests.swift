import Testing

@Suite("SHA-256 of the tests")
struct SHA256Tests {
    @Test("agrees with FIPS 180-4")
    func vectors() {
        let hex = { (bytes: [UInt8]) in bytes.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined() }
        #expect(hex(sha256([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(hex(sha256(Array("abc".utf8))) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let two = Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
        #expect(hex(sha256(two)) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    }
}
