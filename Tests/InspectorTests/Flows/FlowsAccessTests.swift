import Flows
import Foundation
import Testing

@testable import Inspector

@Suite struct FlowsAccessTests {
    /// "hello\n", by gzip.
    private static let gzip: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 231, 2, 0, 32, 48, 58, 54, 6, 0, 0, 0,
    ]

    private func decoding(
        _ wire: ArraySlice<UInt8>, _ coding: String? = "gzip", kept: Int? = nil, limit: Int = 1000
    ) -> Result<[UInt8], FlowsAccess.Undecoded> {
        var body = FlowBody(size: wire.count, kept: kept ?? wire.count)
        body.encoding = coding
        return FlowsAccess.decoding(Array(wire), of: body, limit: limit)
    }

    @Test("a body is decoded as a whole, and why it could not be is told apart")
    func decoding() {
        #expect(decoding(Self.gzip[...]) == .success(Array("hello\n".utf8)))
        #expect(decoding(Self.gzip[...], nil) == .success(Self.gzip))
        #expect(decoding(Self.gzip.dropLast(9)) == .failure(.cutOff(Array("hello\n".utf8))))
        #expect(decoding(Self.gzip.dropLast(18)) == .failure(.cutOff([])))
        #expect(decoding(Self.gzip.dropLast(8) + [0, 0, 0, 0, 6, 0, 0, 0]) == .failure(.broken(Array("hello\n".utf8))))
        #expect(decoding(Self.gzip[...], limit: 5) == .failure(.tooLarge))
        #expect(decoding(Array("no gzip".utf8)[...]) == .failure(.broken([])))
        #expect(decoding(Self.gzip[...], "unheard-of") == .failure(.broken([])))
    }

    @Test("text that steers no terminal may go there as it is, and nothing else")
    func harmless() {
        for text in ["", "GET / HTTP/1.1\r\nA:\tb\r\n\r\n{}\n", "é 世界 👍"] {
            #expect(FlowsShow.isHarmless(Array(text.utf8)))
        }
        for text in ["\u{1b}[2J", "\u{9b}2J", "a\u{7}", "\u{202e}txt", "\u{200b}", "\0"] {
            #expect(!FlowsShow.isHarmless(Array(text.utf8)), "\(text.unicodeScalars.map(\.value))")
        }
        #expect(!FlowsShow.isHarmless([0x41, 0x9b, 0x32]) && !FlowsShow.isHarmless([0xff]))
    }

    @Test("what answers HEAD and 304 say of a coding is of no bytes")
    func empty() {
        #expect(decoding([]) == .success([]))
    }

    @Test("of a body that was not kept as a whole, what there is is decoded")
    func kept() throws {
        let part = Self.gzip.dropLast(9)
        let decoded = try decoding(part, kept: part.count - 1).get()
        #expect("hello\n".utf8.starts(with: decoded))
    }
}
