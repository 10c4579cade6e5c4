import Flows
import Testing

@testable import Coding

private func decode(_ bytes: [UInt8], _ coding: String, pieces: Int) throws -> Decoded {
    Decoded(bytes, try #require(ContentCoding.decoder(for: coding, limit: 1 << 20)), pieces: pieces)
}

@Suite("what follows the end of a coded content")
struct MembersTests {
    @Test("the members of a gzip file and the frames of Zstandard are one content", arguments: [Int.max, 1, 3])
    func several(_ pieces: Int) throws {
        for (coding, one) in [("gzip", Encoded.gzip), ("zstd", Encoded.zstd)] {
            let decoded = try decode(one + one + one, coding, pieces: pieces)
            #expect(decoded.content == Encoded.text + Encoded.text + Encoded.text)
            #expect(decoded.isWhole && decoded.fault == nil)
        }
    }

    @Test("a member that has begun has to end", arguments: [Int.max, 1])
    func begun(_ pieces: Int) throws {
        for (coding, one, size) in [("gzip", Encoded.gzip, 2), ("zstd", Encoded.zstd, 4)] {
            for end in [size, size + 10, one.count - 1] {
                let decoded = try decode(one + one.prefix(end), coding, pieces: pieces)
                #expect(decoded.content.starts(with: Encoded.text))
                #expect(!decoded.isWhole && decoded.fault == nil, "\(coding) \(end)")
            }
        }
        let broken = try decode(Encoded.gzip + hex("1f8bffff"), "gzip", pieces: pieces)
        #expect(broken.content == Encoded.text && broken.fault != nil && !broken.isWhole)
    }

    @Test("padding and rubbish after the end are passed over", arguments: [Int.max, 1])
    func trailing(_ pieces: Int) throws {
        let samples = [
            ("gzip", Encoded.gzip), ("deflate", Encoded.zlib), ("deflate", Encoded.raw), ("br", Encoded.brotli),
            ("zstd", Encoded.zstd),
        ]
        let rubbish: [[UInt8]] = [[0, 0, 0, 0, 0, 0], [0x1f], [0x1f, 0x1f, 0x8b, 8], Array("more of the page".utf8)]
        for (coding, one) in samples {
            for rest in rubbish {
                let decoded = try decode(one + rest, coding, pieces: pieces)
                #expect(decoded.content == Encoded.text && decoded.isWhole, "\(coding) \(rest)")
                #expect(decoded.fault == nil, "\(coding) \(rest)")
            }
        }
    }

    @Test("a frame of Zstandard that is to be skipped is, and one without content is whole")
    func skippable() throws {
        let skipped = hex("50 2a 4d 18 03 00 00 00 61 62 63")
        #expect(try decode(skipped + Encoded.zstd, "zstd", pieces: 1).content == Encoded.text)
        #expect(try decode(Encoded.zstd + skipped, "zstd", pieces: 5).isWhole)
    }

    /// The library decodes them, and says that it wrote what it did not: what lay in memory would be shown as content.
    @Test(
        "Zstandard's formats before RFC 8878 are refused, wherever the bytes are cut",
        arguments: 0x22...0x27 as ClosedRange<UInt8>)
    func beforeTheStandard(_ version: UInt8) throws {
        let old: [UInt8] = [version, 0xB5, 0x2F, 0xFD] + hex("00 2c 00 00 00 00 64 74 73 7a 00 85 ff")
        // Behind the first byte, behind a whole magic number, and instead of a window that is too large.
        for (before, cut) in [([], 0), ([0x28], 1), ([0x28, 0xB5, 0x2F, 0xFD], 4)] as [([UInt8], Int)] {
            let decoder = try #require(ContentCoding.decoder(for: "zstd", limit: 1 << 20))
            var content: [UInt8] = []
            let fault = #expect(throws: DecodingFault.self) {
                content += try decoder.decode((before + old).prefix(cut))
                content += try decoder.decode((before + old).dropFirst(cut))
                _ = try decoder.decode([])
            }
            #expect(content == [] && fault?.reason.hasPrefix("zstd: ") == true, "\(before)")
        }
        #expect(try decode(Encoded.zstd + old, "zstd", pieces: 3).content == Encoded.text)
    }

    @Test("a window that no content coding may ask for is refused")
    func window() throws {
        let decoded = try decode(Encoded.zstdWide, "zstd", pieces: .max)
        #expect(decoded.fault?.reason == "zstd: a window of more than 8 MiB (RFC 9659)")
        #expect(decoded.content == [])
    }

    @Test("a dictionary that is asked for is missed")
    func dictionary() throws {
        // RFC 1950 §2.2: FDICT is set, and the dictionary's checksum follows.
        let decoded = try decode(hex("78 20 00 00 00 01 00"), "deflate", pieces: .max)
        #expect(decoded.fault?.reason == "deflate: needs a dictionary that did not come with it")
    }

    @Test("empty calls change nothing, however many there are")
    func emptyCalls() throws {
        for (coding, bytes) in [
            ("gzip", Encoded.gzip), ("deflate", Encoded.raw), ("br", Encoded.brotli), ("zstd", Encoded.zstd),
        ] {
            let decoder = try #require(ContentCoding.decoder(for: coding, limit: 1 << 20))
            var content: [UInt8] = []
            for byte in bytes {
                for _ in 0..<20 { content += try decoder.decode([]) }
                content += try decoder.decode([byte])
            }
            for _ in 0..<20 { content += try decoder.decode([]) }
            #expect(content == Encoded.text && decoder.isWhole, "\(coding)")
        }
    }
}
