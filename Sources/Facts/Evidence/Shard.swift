/// Which share of one plan a run is, where several jobs share it (`--shard I/N`).
package struct Shard: Hashable, Sendable, Codable {
    /// From 1.
    package var index: Int
    package var count: Int

    /// More jobs than attacks would have nothing to do.
    package static let most = 64

    /// nil outside of 1 to `most`, or where there is no such share.
    package init?(_ index: Int, of count: Int) {
        guard (1...Self.most).contains(count), (1...count).contains(index) else { return nil }
        (self.index, self.count) = (index, count)
    }

    /// Of `2/4`; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]) else { return nil }
        self.init(index, of: count)
    }
}

extension Shard: CustomStringConvertible {
    package var description: String { "\(index)/\(count)" }
}

extension Shard {
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        let text = try value.decode(String.self)
        guard let shard = Shard(text) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "no share of a plan: \(text)")
        }
        self = shard
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }
}
