import Testing

@testable import Flows

@Suite("ExchangeMessage.fault")
struct MessageFaultTests {
    private static func close(_ code: UInt16, _ reason: [UInt8] = []) -> ExchangeMessage {
        ExchangeMessage(from: .down, .close, [UInt8(code >> 8), UInt8(code & 0xff)] + reason)
    }

    @Test("close codes that may be sent", arguments: [1000...1003, 1007...1014, 3000...4999] as [ClosedRange<UInt16>])
    func usualCodes(codes: ClosedRange<UInt16>) {
        for code in codes { #expect(Self.close(code, Array("é".utf8)).fault == nil, "\(code)") }
    }

    @Test("close codes that may not be sent, or that nobody has defined")
    func otherCodes() {
        for code: UInt16 in [0, 999, 1004, 1016, 1100, 2000, 2999, 5000, 65535] {
            #expect(Self.close(code).fault == "close code \(code) is not defined")
        }
        for code: UInt16 in [1005, 1006, 1015] {
            #expect(Self.close(code).fault?.contains("may not be sent") == true, "\(code)")
        }
    }

    @Test("closes without a whole code, and reasons that are not UTF-8")
    func halves() {
        #expect(ExchangeMessage(from: .up, .close, []).fault == nil)
        #expect(ExchangeMessage(from: .up, .close, [3]).fault == "a close has no code, or one of two bytes")
        #expect(Self.close(1000, [0xc3]).fault == "the reason of this close is not UTF-8")
        // Of these, the rest was left out.
        for bytes: [UInt8] in [[3], [3, 0xe8, 0xc3]] {
            #expect(ExchangeMessage(from: .up, .close, bytes, size: 9, isCut: true).fault == nil)
        }
    }

    @Test(
        "text that is not UTF-8, unless it was cut",
        arguments: [.text, .binary, .ping, .event, .grpc] as [ExchangeMessage.Kind])
    func text(kind: ExchangeMessage.Kind) {
        let cases: [[UInt8]] = [[0x61, 0xff], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc3]]
        for bytes in cases {
            let expected = kind == .text ? "this text is not UTF-8" : nil
            #expect(ExchangeMessage(from: .up, kind, bytes).fault == expected)
            #expect(ExchangeMessage(from: .up, kind, bytes, size: 9, isCut: true).fault == nil)
        }
        #expect(ExchangeMessage(from: .up, kind, Array("né".utf8)).fault == nil)
    }

    @Test("of a name that nobody listens for a beginning is kept, also where it is one character")
    func names() {
        func kept(_ name: String) -> String? { ExchangeMessage(from: .down, .event, name: name, []).name }
        #expect(kept("delta") == "delta" && kept(String(repeating: "n", count: 1024))?.utf8.count == 1024)
        let accents = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(accents.count == 1 && (kept(accents)?.utf8.count ?? .max) <= 1024)
    }
}
