import Flows

/// How much a store may keep; the oldest flows go first.
package struct StoreLimits: Hashable, Sendable {
    /// Of the store's files together, in bytes.
    package var bytes: Int
    package var days: Double
    /// Bytes of one body; larger ones lie in files beside the store, which count for `bytes`.
    package var body: Int

    /// 4 GiB hold some million flows with their bodies; a month is longer than anyone debugs one thing.
    package init(bytes: Int = 4 << 30, days: Double = 30, body: Int = .max) {
        self.bytes = bytes
        self.days = days
        self.body = body
    }
}

/// What a store needs of C libraries, lent by fences.
package struct StoreTools: Sendable {
    /// For a content coding in lower case, with the most bytes that may come out of it; nil: not known. Without it, coded
    /// bodies are not searched.
    package var content: @Sendable (_ coding: String, _ limit: Int) -> (any ContentDecoder)?
    /// 32 bytes of the digest. Hashes that were imported are checked by it; without it, nothing imported shares bytes.
    package var sha256: (@Sendable ([UInt8]) -> [UInt8])?
    /// A body's text in UTF-8, by the charset that it was said to be in (a label of the Encoding Standard), and by a byte order
    /// mark. Without it, a body in another charset is searched as it is.
    package var text: @Sendable (_ bytes: [UInt8], _ charset: String?) -> [UInt8]
    /// Set by the store itself.
    var files = BodyFiles(beside: "")

    package init(
        content: @escaping @Sendable (String, Int) -> (any ContentDecoder)? = { _, _ in nil },
        sha256: (@Sendable ([UInt8]) -> [UInt8])? = nil,
        text: @escaping @Sendable ([UInt8], String?) -> [UInt8] = { bytes, _ in bytes }
    ) {
        self.content = content
        self.sha256 = sha256
        self.text = text
    }
}
