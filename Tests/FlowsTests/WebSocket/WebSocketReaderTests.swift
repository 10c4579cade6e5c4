import Facts
import Testing

@testable import Flows

@Suite("WebSocketReader")
struct WebSocketReaderTests {
    /// Gives back what it gets, behind a mark.
    private final class Marker: MessageInflater {
        func inflate(_ data: [UInt8], limit: Int) -> (data: [UInt8], isCut: Bool)? {
            data == [0xff] ? nil : (Array("inflated ".utf8) + data, false)
        }
    }

    private func opened(_ extensions: String = "") -> Conversation {
        var talk = Conversation(tools: .init(inflater: { _ in Marker() }))
        talk.up("GET /ws HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
        talk.down("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\(extensions)\r\n")
        return talk
    }

    private func frame(_ first: UInt8, _ payload: String, masked: Bool = false) -> [UInt8] {
        let bytes = Array(payload.utf8)
        let mask: [UInt8] = [1, 2, 3, 4]
        var out: [UInt8] = [first]
        let bit: UInt8 = masked ? 0x80 : 0
        switch bytes.count {
        case ..<126: out.append(bit | UInt8(bytes.count))
        case ..<65536: out += [bit | 126, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)]
        default:
            out.append(bit | 127)
            for shift in stride(from: 56, through: 0, by: -8) { out.append(UInt8(bytes.count >> shift & 0xff)) }
        }
        guard masked else { return out + bytes }
        return out + mask + bytes.enumerated().map { $1 ^ mask[$0 & 3] }
    }

    @Test("reads messages of both sides, masked or not, however they are cut", arguments: [1, 2, 5, 1000])
    func messages(_ piece: Int) {
        var talk = opened()
        talk.say(.up, frame(0x81, "hello", masked: true) + frame(0x82, "", masked: true), in: piece)
        talk.say(.down, frame(0x81, String(repeating: "a", count: 300)), in: piece)
        talk.say(.down, frame(0x82, String(repeating: "b", count: 70_000)), in: max(piece, 100))
        talk.end()
        #expect(
            talk.lines.dropFirst(2).prefix(4) == [
                "0 answered 101 Switching Protocols HTTP/1.1 [Upgrade=websocket]", "0 upgraded websocket",
                "0 message up text 5: hello", "0 message up binary 0: ",
            ])
        #expect(talk.messages.map(\.size) == [5, 0, 300, 70_000] && talk.messages.allSatisfy { !$0.isCut })
        #expect(talk.lines.last == "0 aborted: closed")
    }

    @Test("is whole once a side has said that it is done; without that it was cut off", arguments: [true, false])
    func close(isSaid: Bool) {
        var talk = opened()
        talk.say(.down, frame(0x81, "a") + (isSaid ? frame(0x88, "\u{3}\u{e8}bye") : []))
        talk.end()
        #expect(talk.lines.suffix(2).contains("0 aborted: closed") == !isSaid)
        #expect((talk.lines.suffix(2) == ["0 ended up", "0 ended down"]) == isSaid)
    }

    @Test("puts fragments together, with control frames between them")
    func fragments() {
        var talk = opened()
        talk.say(.down, frame(0x01, "one ") + frame(0x89, "ping") + frame(0x00, "two ") + frame(0x80, "three"))
        talk.say(.up, frame(0x8a, "ping", masked: true))
        talk.say(.down, frame(0x88, "\u{3}\u{e8}bye"))
        #expect(talk.messages.map(\.kind) == [.ping, .text, .pong, .close])
        #expect(String(decoding: talk.messages[1].data, as: UTF8.self) == "one two three")
    }

    @Test("inflates what is compressed, and shows the bytes of what cannot be")
    func deflate() {
        var talk = opened("Sec-WebSocket-Extensions: permessage-deflate\r\n")
        talk.say(.down, frame(0xc1, "x") + frame(0x41, "y") + frame(0x80, "z") + frame(0x81, "plain"))
        talk.say(.down, [0xc2, 1, 0xff] + frame(0xc1, "lost"))
        #expect(
            talk.messages.map { String(decoding: $0.data, as: UTF8.self) }.prefix(3) == [
                "inflated x", "inflated yz", "plain",
            ])
        #expect(talk.messages.map(\.isCut) == [false, false, false, true, true])
        #expect(talk.messages[3].data == [0xff])
        let agreed = MessageDeflate.agreed([
            HeaderField("Sec-WebSocket-Extensions", "foo, permessage-deflate; client_max_window_bits=\"10\"")
        ])
        #expect(agreed?.up == MessageDeflate(withoutTakeover: false, windowBits: 10) && agreed?.down.windowBits == 15)
        #expect(MessageDeflate.agreed([HeaderField("Sec-WebSocket-Extensions", "other")]) == nil)
    }

    @Test(
        "a message that could not be inflated takes those after it along where they build on it, and there alone",
        arguments: ["", "; server_no_context_takeover"], ["nonsense", "too long", "shed"])
    func lostMessage(agreed: String, how: String) {
        var talk = opened("Sec-WebSocket-Extensions: permessage-deflate\(agreed)\r\n")
        switch how {
        case "nonsense": talk.say(.down, [0xc2, 1, 0xff])
        case "shed":
            talk.say(.down, Array(frame(0xc2, "0123456789").prefix(7)))
            talk.shed(5, .down)
        default:
            talk.say(.down, [0xc2, 127, 0, 0, 0, 0, 1, 0x10, 0, 0])
            for _ in 0..<17 { talk.say(.down, [UInt8](repeating: 97, count: 1 << 20)) }
        }
        talk.say(.down, frame(0xc1, "next"))
        #expect(talk.messages.map(\.isCut) == [true, agreed.isEmpty])
        #expect(
            talk.messages.last.map { String(decoding: $0.data, as: UTF8.self) }
                == (agreed.isEmpty ? "next" : "inflated next"))
        // The other direction agreed on something else.
        talk.say(.up, [0xc2, 0x81, 0, 0, 0, 0, 0xff] + frame(0xc1, "next", masked: true))
        #expect(talk.messages.suffix(2).map(\.isCut) == [true, true])
    }

    @Test(
        "what is no frame is told, and raw from its first byte",
        arguments: [
            ([0xc1, 1, 0x41], "a frame with a reserved bit set"), ([0x80, 0], "a continuation of no message"),
            ([0x83, 0], "a frame of an unknown kind"), ([0x89, 126, 0, 200], "a control frame is long or in pieces"),
            ([0x09, 1, 0x41], "a control frame is long or in pieces"),
            ([0x01, 0, 0x81, 0], "a new message in the middle of another"),
            ([0x82, 127, 255, 0, 0, 0, 0, 0, 0, 0], "a frame of more than 2^63 bytes"),
        ] as [([UInt8], String)])
    func wrong(_ bytes: [UInt8], _ why: String) {
        var talk = opened()
        talk.say(.down, bytes)
        talk.down("rest")
        #expect(talk.lines.contains { $0.contains("undecodable down") && $0.hasSuffix(why) }, "\(talk.lines)")
        #expect(talk.lines.last?.hasPrefix("0 raw down: ") == true && talk.lines.last?.hasSuffix("rest") == true)
        talk.say(.up, frame(0x81, "the other side goes on", masked: true))
        #expect(talk.messages.count == 1)
    }

    @Test("of what is no frame every byte is kept, with what had come of a message", arguments: [true, false])
    func nothingLost(atOnce: Bool) {
        let broken: [(before: [UInt8], frame: [UInt8])] = [
            ([], [0x89, 0xfe, 0, 200]), ([], [0x82, 127, 255, 1, 2, 3, 4, 5, 6, 7]),
            ([0x01, 2, 0x41, 0x42], [0x81, 1, 0x43]),
        ]
        for (before, frame) in broken {
            var talk = opened()
            let bytes = before + frame + [7, 8, 9]
            if atOnce { talk.say(.down, bytes) } else { for byte in bytes { talk.say(.down, [byte]) } }
            #expect(talk.raw[.down] == frame + [7, 8, 9])
            #expect(talk.messages.map(\.data) == (before.isEmpty ? [] : [[0x41, 0x42]]))
            #expect(talk.messages.count { !$0.isCut } == 0)
        }
    }

    @Test("bytes that were left out cut their message and no other")
    func shed() {
        var talk = opened()
        talk.say(.down, Array(frame(0x82, "0123456789").prefix(7)))
        talk.shed(5, .down)
        talk.say(.down, frame(0x81, "next"))
        #expect(talk.messages.map(\.size) == [10, 4] && talk.messages.map(\.isCut) == [true, false])
    }

    @Test("a side that ends in the middle of a message is cut off")
    func cut() {
        var talk = opened()
        talk.say(.down, [0x82, 5, 1])
        talk.end()
        #expect(talk.lines.last == "0 aborted: closed")
    }

    @Test("what has come of a message, a control frame or a head when the connection ends is told, and that it is cut")
    func parts() {
        let cases: [(sent: [UInt8], messages: [[UInt8]], raw: [UInt8])] = [
            (Array(frame(0x82, "0123456789").prefix(7)), [Array("01234".utf8)], []),
            (frame(0x01, "part1") + frame(0x00, "part2"), [Array("part1part2".utf8)], []),
            (frame(0x01, "part1") + [0x80], [Array("part1".utf8)], [0x80]),
            (frame(0x01, "part1") + Array(frame(0x89, "ping").prefix(4)), [Array("part1".utf8), Array("pi".utf8)], []),
            ([0x82, 0x64], [[]], []), ([0x82], [], [0x82]), ([0x82, 127, 0, 0], [], [0x82, 127, 0, 0]),
        ]
        for one in cases {
            var talk = opened()
            talk.say(.down, frame(0x81, "whole") + one.sent)
            talk.end()
            #expect(talk.messages.dropFirst().map(\.data) == one.messages, "\(one)")
            #expect(talk.messages.map(\.isCut) == [false] + one.messages.map { _ in true })
            #expect(talk.raw[.down] ?? [] == one.raw)
            #expect(talk.lines.last == "0 aborted: closed")
        }
    }

    @Test("masks are taken off whatever the message's length, and wherever it is cut")
    func masks() {
        for length in 0..<40 {
            let text = String((0..<length).map { Character(Unicode.Scalar(UInt8(65 + $0 % 26))) })
            for piece in 1...12 {
                var talk = opened()
                talk.say(.up, frame(0x01, text, masked: true) + frame(0x80, text, masked: true), in: piece)
                #expect(talk.messages.map { String(decoding: $0.data, as: UTF8.self) } == [text + text])
            }
        }
    }

    @Test("of a message that is too long the beginning is kept, and all is counted")
    func limit() {
        var talk = opened()
        let part = [UInt8](repeating: 97, count: 1 << 20)
        talk.say(.down, [0x82, 127, 0, 0, 0, 0, 1, 0x10, 0, 0])
        for _ in 0..<17 { talk.say(.down, part) }
        talk.say(.down, frame(0x81, "next"))
        #expect(talk.messages.map(\.size) == [17 << 20, 4] && talk.messages.map(\.isCut) == [true, false])
        #expect(talk.messages.first?.data.count == ExchangeMessage.sizeLimit)
    }

    @Test("nothing traps, whatever comes")
    func mutations() {
        mutate(
            [
                (.up, Array("GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n".utf8)),
                (.down, Array("HTTP/1.1 101 S\r\nUpgrade: websocket\r\n\r\n".utf8)),
                (
                    .up,
                    frame(0x01, "hello", masked: true) + frame(0x89, "", masked: true) + frame(0x80, "x", masked: true)
                ),
                (.down, frame(0x82, String(repeating: "a", count: 130)) + frame(0x88, "\u{3}\u{e8}")),
            ], alpn: nil, .init(), seed: 9)
    }
}
