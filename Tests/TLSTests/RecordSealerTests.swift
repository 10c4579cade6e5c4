import Facts
import Testing

@testable import TLS

@Suite("RecordSealer")
struct RecordSealerTests {
    @Test("records open with the keys of their secret, in their order, and say what they hold")
    func records() throws {
        let secret = [UInt8](0..<32)
        let sealer = try #require(RecordSealer(secret: secret))
        let key = HKDF.expand(secret, label: "key", count: 16)
        let iv = HKDF.expand(secret, label: "iv", count: 12)
        let contents: [(UInt8, [UInt8])] = [
            (22, [1, 2, 3]), (23, []), (23, [UInt8](repeating: 7, count: 16_384)), (21, [1, 0]),
        ]
        for (number, (type, content)) in contents.enumerated() {
            let record = sealer.seal(type, content[...])
            let length = content.count + 17
            #expect(Array(record.prefix(5)) == [23, 3, 3, UInt8(length >> 8), UInt8(length & 0xff)])
            #expect(record.count == 5 + length)
            var nonce = iv
            nonce[11] ^= UInt8(number)
            let opened = AEAD.aes128.open(
                Array(record[5..<(record.count - 16)]), tag: Array(record.suffix(16)), key: key, nonce: nonce,
                header: Array(record.prefix(5)))
            #expect(opened == content + [type])
        }
    }

    @Test("no record holds more than TLS lets it, and a secret of another length is none")
    func limits() {
        #expect(RecordSealer(secret: [UInt8](repeating: 1, count: 31)) == nil)
        let sealer = RecordSealer(secret: [UInt8](repeating: 1, count: 32))
        #expect(sealer?.seal(23, [UInt8](repeating: 0, count: 20_000)[...]).count == 5 + 16_384 + 17)
    }
}
