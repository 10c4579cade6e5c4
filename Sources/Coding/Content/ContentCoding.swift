import Flows

/// The content codings that can be removed (RFC 9110 §8.4.1, RFC 7932, RFC 8878).
package enum ContentCoding {
    /// Codings of one body: nobody sends more than two, and each costs up to 16 MiB of memory.
    static let mostCodings = 4

    /// For the value of a Content-Encoding field: a coding, or a list of them (`gzip, br`).
    /// - Parameter limit: the most bytes of content that come out.
    /// - Returns: nil for `identity`, for no coding at all, and where one of them is not known.
    package static func decoder(for coding: String, limit: Int) -> (any ContentDecoder)? {
        decoder(for: [HeaderField("content-encoding", coding)].contentCodings, limit: limit)
    }

    /// For codings in the order in which the body was coded, so that the last one is removed first.
    /// - Returns: nil for none, for more than `mostCodings`, and where one of them is not known.
    package static func decoder(for codings: [String], limit: Int) -> (any ContentDecoder)? {
        guard !codings.isEmpty, codings.count <= mostCodings else { return nil }
        let limit = max(0, limit)
        var chain: [any ContentDecoder] = []
        for (place, name) in codings.enumerated() {
            guard let engine = engine(for: name) else { return nil }
            let (more, overflow) = limit.addingReportingOverflow(slack(of: limit))
            chain.append(StreamDecoder(engine, limit: place == 0 ? limit : overflow ? .max : more))
        }
        return chain.count == 1 ? chain.first : DecoderChain(chain.reversed())
    }

    /// How much larger than the content one of its codings may be, where it could not be made smaller.
    static func slack(of limit: Int) -> Int { limit / 8 + 64 * 1024 }

    private static func engine(for coding: String) -> (any CodingEngine)? {
        switch coding {
        case "gzip", "x-gzip": GzipEngine()
        case "deflate": DeflateEngine()
        case "br": BrotliEngine()
        case "zstd": ZstdEngine()
        default: nil
        }
    }
}
