import Facts
import Flows

/// A session of TLS 1.3 that is laid out around recorded bytes.
///
/// Its secrets are none.
/// It is what makes Wireshark read HTTP on the ports that are TLS's. Nothing of it was on the wire: the client's random says so
/// in words, there is no certificate and no key exchange, and nothing verifies the two Finished. What a reader needs is there
/// (RFC 8446 §4): server name, ALPN, and the secrets for a key log.
struct TLSLayout {
    /// Makes what seals records under a traffic secret of 32 bytes; a fence has it.
    typealias Sealing = (_ secret: [UInt8]) -> Seal?
    /// One record: of a type, with at most `contentLimit` bytes.
    typealias Seal = (_ type: UInt8, _ content: ArraySlice<UInt8>) -> [UInt8]

    static let contentLimit = 16_384

    /// Lines of NSS's key log with their newlines.
    let keyLog: [UInt8]
    /// What goes first, up and down and up again.
    let flights: [(direction: ExchangeDirection, bytes: [UInt8])]
    private let up: Seal
    private let down: Seal

    /// - Parameter number: tells it from every other session of the same capture.
    init?(number: UInt64, serverName: String?, alpn: String?, _ sealing: Sealing) {
        let tail = (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        // 24 letters and the number.
        let random = Array("made by pinproof, unreal:".utf8.prefix(24)) + tail
        let secret = { (letter: UInt8) in [UInt8](repeating: letter, count: 24) + tail }
        let labels = [
            "CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET", "CLIENT_TRAFFIC_SECRET_0",
            "SERVER_TRAFFIC_SECRET_0",
        ]
        let secrets = (1...4).map { secret(UInt8($0)) }
        let seals = secrets.compactMap(sealing)
        guard seals.count == 4 else { return nil }
        keyLog = zip(labels, secrets).flatMap { label, secret in
            Array("\(label) \(Hex.encode(random)) \(Hex.encode(secret))\n".utf8)
        }
        (up, down) = (seals[2], seals[3])
        let protocols = alpn.map { Self.block16(Self.block8(Array($0.utf8))) }
        // Its length has one byte within a list of 16 bits' length: more than 255 is no protocol.
        let agreed = protocols.flatMap { ($0.count <= 258) ? Self.field(16, $0) : nil } ?? []
        let finished = Self.message(20, [UInt8](repeating: 0, count: 32))
        let hello = Self.clientHello(random: random, serverName: serverName, agreed: agreed)
        let answer = Self.message(
            2, [3, 3] + secret(5) + [0, 0x13, 0x01, 0] + Self.block16(Self.field(43, [3, 4])))
        flights = [
            (.up, [22, 3, 1] + Self.block16(hello)),
            (
                .down,
                [22, 3, 3] + Self.block16(answer)
                    + seals[1](22, (Self.message(8, Self.block16(agreed)) + finished)[...])
            ),
            (.up, seals[0](22, finished[...])),
        ]
    }

    /// As many records as the bytes need.
    func seal(_ bytes: ArraySlice<UInt8>, _ direction: ExchangeDirection) -> [UInt8] {
        var (rest, out) = (bytes, [UInt8]())
        out.reserveCapacity(bytes.count + bytes.count / 512 + 64)
        while !rest.isEmpty {
            let part = rest.prefix(Self.contentLimit)
            rest = rest.dropFirst(part.count)
            out += direction == .up ? up(23, part) : down(23, part)
        }
        return out
    }

    private static func clientHello(random: [UInt8], serverName: String?, agreed: [UInt8]) -> [UInt8] {
        let name = Array((serverName ?? "").utf8)
        // One of an address, or one that is too long for DNS, is left out (RFC 6066 §3).
        let isName = !name.isEmpty && name.count <= 255 && serverName.flatMap { IPAddress($0) } == nil
        let named = isName ? field(0, block16([0] + block16(name))) : []
        // TLS 1.3 alone, one group and one algorithm.
        let more = field(43, [2, 3, 4]) + field(10, [0, 2, 0, 29]) + field(13, [0, 2, 4, 3])
        return message(1, [3, 3] + random + [0, 0, 2, 0x13, 0x01, 1, 0] + block16(named + more + agreed))
    }

    private static func field(_ type: UInt16, _ content: [UInt8]) -> [UInt8] {
        [UInt8(type >> 8), UInt8(type & 0xff)] + block16(content)
    }

    private static func message(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
        [type, 0] + block16(content)
    }

    private static func block8(_ content: [UInt8]) -> [UInt8] { [UInt8(truncatingIfNeeded: content.count)] + content }

    private static func block16(_ content: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: content.count >> 8), UInt8(truncatingIfNeeded: content.count)] + content
    }
}
