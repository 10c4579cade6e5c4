import Facts
import Foundation
import Testing

@testable import TLS

@Suite struct QUICInitialKeysTests {
    private static let identifier: [UInt8] = [0x83, 0x94, 0xc8, 0xf0, 0x3e, 0x51, 0x57, 0x08]
    /// Where the packet number begins: flags, version, two identifiers, no token, two bytes of length.
    private static let offset = 18

    private func packet() throws -> [UInt8] { Array(try #require(Data(base64Encoded: RecordedInitial.rfc9001))) }

    @Test("the sample of RFC 9001 A.2 opens, to the CRYPTO frame that the RFC prints")
    func sample() throws {
        let packet = try packet()
        #expect(packet.count == 1200)
        let frames = try #require(
            QUICInitialKeys(.v1, destinationID: Self.identifier).open(packet, packetNumberOffset: Self.offset))
        #expect(frames.count == 1162)
        #expect(Hex.encode(frames.prefix(16)) == "060040f1010000ed0303ebf8fa56f129")
        #expect(frames[245...].allSatisfy { $0 == 0 })
        #expect(String(decoding: frames, as: UTF8.self).contains("example.com"))
    }

    @Test("keys of another version or connection open nothing")
    func otherKeys() throws {
        let packet = try packet()
        let others = [
            QUICInitialKeys(.v2, destinationID: Self.identifier), QUICInitialKeys(.v1, destinationID: []),
            QUICInitialKeys(.v1, destinationID: [UInt8](repeating: 7, count: 20)),
        ]
        for keys in others { #expect(keys.open(packet, packetNumberOffset: Self.offset) == nil) }
    }

    @Test("a packet that is cut or changed anywhere opens to nothing, and never traps")
    func hostile() throws {
        let packet = try packet()
        let keys = QUICInitialKeys(.v1, destinationID: Self.identifier)
        for length in stride(from: 0, to: packet.count, by: 7) {
            #expect(keys.open(Array(packet.prefix(length)), packetNumberOffset: Self.offset) == nil)
        }
        for index in stride(from: 0, to: packet.count, by: 13) {
            var changed = packet
            changed[index] ^= 0x01
            // The lowest bits of the first byte are under the mask, and count as well.
            #expect(keys.open(changed, packetNumberOffset: Self.offset) == nil)
        }
        for offset in [-1, 0, 1, packet.count - 20, packet.count, packet.count + 1] {
            #expect(keys.open(packet, packetNumberOffset: offset) == nil)
        }
    }
}
