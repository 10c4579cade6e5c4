import Flows
import Testing

@testable import Coding

private let samples: [(coding: String, bytes: [UInt8])] = [
    ("gzip", Encoded.gzip), ("deflate", Encoded.zlib), ("deflate", Encoded.raw), ("br", Encoded.brotli),
    ("zstd", Encoded.zstd), ("gzip, br", Encoded.gzipThenBrotli),
]

private func decode(
    _ bytes: [UInt8], _ coding: String, limit: Int = 1 << 20, pieces: Int = .max
) throws -> Decoded {
    Decoded(bytes, try #require(ContentCoding.decoder(for: coding, limit: limit)), pieces: pieces)
}

@Suite("content codings")
struct ContentCodingTests {
    @Test("every coding gives the same text at once, byte by byte, and in pieces", arguments: samples.indices)
    func whole(_ index: Int) throws {
        let (coding, bytes) = samples[index]
        for pieces in [Int.max, 1, 2, 7, 100] {
            let decoded = try decode(bytes, coding, pieces: pieces)
            #expect(decoded.content == Encoded.text && decoded.fault == nil, "\(coding) in pieces of \(pieces)")
            #expect(decoded.isWhole && !decoded.isCut)
        }
    }

    @Test("cut anywhere, what is there is given, and it is not whole", arguments: samples.indices)
    func truncated(_ index: Int) throws {
        let (coding, bytes) = samples[index]
        var most = 0
        for end in 0..<bytes.count {
            let decoded = try decode(Array(bytes[..<end]), coding)
            #expect(decoded.fault == nil && !decoded.isWhole && !decoded.isCut, "\(coding) cut at \(end)")
            #expect(Encoded.text.starts(with: decoded.content))
            most = max(most, decoded.content.count)
        }
        // Brotli holds the last few bytes back until it has seen the end.
        #expect(most > Encoded.text.count - 100)
    }

    @Test("each call gives what can be said by now")
    func incremental() throws {
        // Two halves of a text, each flushed by its sender: a stored block each.
        let halves = [hex("00 05 00 fa ff 48 65 6c 6c 6f"), hex("01 01 00 fe ff 21")]
        let decoder = try #require(ContentCoding.decoder(for: "deflate", limit: 100))
        #expect(try decoder.decode(halves[0][...]) == Array("Hello".utf8))
        #expect(!decoder.isWhole)
        #expect(try decoder.decode(halves[1][...]) == Array("!".utf8))
        #expect(decoder.isWhole)
    }

    @Test("a limit that is just met cuts nothing, and one byte less does", arguments: samples.indices)
    func limits(_ index: Int) throws {
        let (coding, bytes) = samples[index]
        for pieces in [Int.max, 1] {
            let exact = try decode(bytes, coding, limit: Encoded.text.count, pieces: pieces)
            #expect(exact.content == Encoded.text && exact.isWhole && !exact.isCut)
            for limit in [Encoded.text.count - 1, 1, 0, -1] {
                let cut = try decode(bytes, coding, limit: limit, pieces: pieces)
                #expect(cut.content == Array(Encoded.text.prefix(max(0, limit))), "\(coding) \(limit)")
                #expect(cut.isCut && !cut.isWhole && cut.fault == nil)
            }
            #expect(try decode(bytes, coding, limit: .max, pieces: pieces).content == Encoded.text)
        }
    }

    @Test("changed bytes never trap, and never give more than the limit", arguments: samples.indices)
    func mutated(_ index: Int) throws {
        let (coding, bytes) = samples[index]
        var generator = SeededGenerator(seed: 8 + UInt64(index))
        var faults = 0
        for _ in 0..<1500 {
            let changed = generator.mutated(bytes)
            let atOnce = try decode(changed, coding, limit: 4000)
            let inPieces = try decode(changed, coding, limit: 4000, pieces: Int.random(in: 1...40, using: &generator))
            #expect(atOnce.content.count <= 4000 && inPieces.content.count <= 4000)
            #expect((atOnce.fault == nil) == (inPieces.fault == nil), "\(coding) \(changed)")
            #expect(atOnce.fault.map { (0...changed.count).contains($0.offset) } ?? true)
            if atOnce.fault != nil { faults += 1 }
        }
        #expect(faults > 100)
    }

    @Test("nonsense is a fault that says which coding it is not")
    func nonsense() throws {
        let page = Array("<!DOCTYPE html><title>not coded at all</title>".utf8)
        for coding in ["gzip", "deflate", "br", "zstd"] {
            let decoded = try decode(page, coding)
            #expect(decoded.fault?.reason.hasPrefix("\(coding): ") == true, "\(decoded)")
            #expect(!decoded.isWhole)
        }
    }

    @Test("what stands before a fault is given, and the fault stays")
    func contentBeforeAFault() throws {
        var bytes = Encoded.gzip
        // The checksum, after all of the content.
        bytes[bytes.count - 8] ^= 1
        let decoder = try #require(ContentCoding.decoder(for: "gzip", limit: 1 << 20))
        #expect(try decoder.decode(bytes[...]) == Encoded.text)
        for _ in 0..<2 {
            #expect(throws: DecodingFault(offset: bytes.count - 4, reason: "gzip: incorrect data check")) {
                try decoder.decode([])
            }
        }
        #expect(!decoder.isWhole)
    }

    @Test("a gibibyte of zeros is cut at the limit before long", arguments: ["gzip", "deflate", "br", "zstd"])
    func bombs(_ coding: String) throws {
        let bomb: [UInt8] =
            switch coding {
            case "gzip": hex("1f8b0800000000000003") + deflatedZeros(1 << 30)
            case "deflate": deflatedZeros(1 << 30)
            case "br": Encoded.brotliZeros
            default: Array(repeatElement(Encoded.zstdZeros, count: 1024).joined())
            }
        let limit = 16 << 20
        var decoded: Decoded?
        let time = try ContinuousClock().measure { decoded = try decode(bomb, coding, limit: limit) }
        #expect(decoded?.content == Array(repeating: 0, count: limit))
        #expect(decoded?.isCut == true && decoded?.isWhole == false && decoded?.fault == nil)
        #expect(time < .seconds(10), "\(time)")
    }

    @Test("no more comes out than is asked for by then, of a coding in a coding as well")
    func most() throws {
        for (bomb, coding) in [(Encoded.brotliZeros, "br"), (Encoded.gzipThriceZeros, "gzip, gzip, gzip")] {
            let decoder = try #require(ContentCoding.decoder(for: coding, limit: 1 << 30))
            #expect(try decoder.decode(bomb[...], most: 1 << 20).count == 1 << 20)
            #expect(decoder.isCut)
        }
    }

    @Test("a bomb inside a bomb is cut as well", arguments: [1 << 16, 1 << 20, 16 << 20])
    func nestedBomb(limit: Int) throws {
        // A gibibyte of zeros, thrice: 265 bytes, then 2 KB, then 1 MB.
        var decoded: Decoded?
        let time = try ContinuousClock().measure {
            decoded = try decode(Encoded.gzipThriceZeros, "gzip, gzip, gzip", limit: limit)
        }
        #expect(decoded?.content == Array(repeating: 0, count: limit))
        #expect(decoded?.isCut == true && decoded?.isWhole == false && decoded?.fault == nil)
        #expect(time < .seconds(10), "\(time)")
    }

    @Test("what is no coding within a coding is told, also behind a bomb")
    func noInnerCoding() throws {
        // Zeros are no gzip: the inner one faults as soon as the outer one has given it a few.
        let decoded = try decode(hex("1f8b0800000000000003") + deflatedZeros(1 << 26), "gzip, gzip", limit: 1 << 20)
        #expect(decoded.content == [] && decoded.fault?.reason == "gzip: incorrect header check")
    }

    @Test("a list is removed from its end, and identity is none")
    func lists() throws {
        let fields = [
            HeaderField("Content-Encoding", "identity, GZIP"), HeaderField("content-type", "text/plain"),
            HeaderField("content-encoding", " Br ,"),
        ]
        #expect(fields.contentCodings == ["gzip", "br"])
        let decoder = try #require(ContentCoding.decoder(for: fields.contentCodings, limit: 1 << 20))
        #expect(Decoded(Encoded.gzipThenBrotli, decoder, pieces: 3).content == Encoded.text)
        #expect(try decode(Encoded.gzip, "X-GZip").content == Encoded.text)
        #expect(try decode(Encoded.gzipThenBrotli, "br, gzip").fault?.reason == "gzip: incorrect header check")
        for unknown in ["", "identity", "compress", "gzip, foo", "dcb", "gzip, gzip, gzip, gzip, gzip"] {
            #expect(ContentCoding.decoder(for: unknown, limit: 1) == nil, "\(unknown)")
        }
    }

    @Test("the tools that are handed on decode")
    func linked() throws {
        let tools = DecodingTools.linked
        #expect(Decoded(Encoded.zstd, try #require(tools.content("zstd", 1 << 20))).content == Encoded.text)
        #expect(try tools.headerBlocks()?.decode([0x82]) == [HeaderField(":method", "GET")])
        let inflater = tools.inflater(MessageDeflate(withoutTakeover: true, windowBits: 15))
        #expect(inflater?.inflate(hex("f248cdc9c90700"), limit: 10)?.data == Array("Hello".utf8))
    }
}
