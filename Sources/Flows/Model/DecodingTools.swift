/// What decoding needs of C libraries, lent by a fence (`Coding`).
///
/// Each object belongs to one direction of one connection or stream, and to one thread.
package struct DecodingTools {
    /// HPACK of one direction of a connection (RFC 7541).
    package var headerBlocks: () -> (any HeaderBlockDecoder)?
    /// For one direction of a WebSocket; nil leaves its compressed messages as they are.
    private let makeInflater: (MessageDeflate) -> (any MessageInflater)?
    /// For a content coding in lower case (`gzip`, `deflate`, `br`, `zstd`), or several in the order in which they were
    /// applied (`gzip, br`), with the most bytes that may come out of it; nil: not known.
    private let makeContent: (_ coding: String, _ limit: Int) -> (any ContentDecoder)?
    /// SHA-256 of a body that comes in pieces.
    package var digest: () -> (any BodyDigest)?
    /// Shared by all that is read with these.
    package var budget = DecodingBudget()

    package init(
        headerBlocks: @escaping () -> (any HeaderBlockDecoder)? = { nil },
        inflater: @escaping (MessageDeflate) -> (any MessageInflater)? = { _ in nil },
        content: @escaping (String, Int) -> (any ContentDecoder)? = { _, _ in nil },
        digest: @escaping () -> (any BodyDigest)? = { nil }
    ) {
        self.headerBlocks = headerBlocks
        makeInflater = inflater
        makeContent = content
        self.digest = digest
    }

    /// Within the budget of all of them.
    package func inflater(_ agreed: MessageDeflate) -> (any MessageInflater)? {
        makeInflater(agreed).map { MeteredInflater($0, budget) }
    }

    /// The same.
    package func content(_ coding: String, _ limit: Int) -> (any ContentDecoder)? {
        makeContent(coding, limit).map { MeteredDecoder($0, budget) }
    }
}

/// Reads header blocks, all of one direction in their order.
///
/// Each may change what the next one means.
package protocol HeaderBlockDecoder: AnyObject {
    /// One whole block, CONTINUATION frames joined, padding removed. Pseudo-header fields are among the fields.
    func decode(_ block: [UInt8]) throws(DecodingFault) -> [HeaderField]

    /// The other side has allowed this size of the dynamic table (SETTINGS_HEADER_TABLE_SIZE), in bytes.
    func allowTable(of size: Int)
}

/// Removes a content coding (RFC 9110 §8.4), as the bytes come.
package protocol ContentDecoder: AnyObject {
    /// What can be said of the content by now. Past its limit nothing comes any more, and `isCut` is set.
    ///
    /// - Parameter most: bytes of content that may have come out in all by then; its own limit where that is less.
    func decode(_ bytes: ArraySlice<UInt8>, most: Int) throws(DecodingFault) -> [UInt8]

    /// The limit was met: there is more than what came out.
    var isCut: Bool { get }

    /// The coding's own end was read.
    var isWhole: Bool { get }

    /// Bytes of memory that it may hold by now: what later bytes can refer back to.
    var held: Int { get }
}

extension ContentDecoder {
    package func decode(_ bytes: ArraySlice<UInt8>) throws(DecodingFault) -> [UInt8] { try decode(bytes, most: .max) }

    package var held: Int { 0 }
}

/// The SHA-256 of bytes that come in pieces.
package protocol BodyDigest: AnyObject {
    func add(_ bytes: ArraySlice<UInt8>)

    /// Of all of them, in lower-case hexadecimal digits; nothing can be added after it.
    func finish() -> String

    /// All that was added, where these bytes lie in memory already and whoever keeps them needs no copy; nil: they do not.
    /// Also after `finish`.
    var known: ArraySlice<UInt8>? { get }
}

extension BodyDigest {
    package var known: ArraySlice<UInt8>? { nil }
}

/// Why bytes do not decode.
package struct DecodingFault: Error, Hashable, Sendable {
    /// Bytes of its own input before the fault.
    package var offset: Int
    package var reason: String

    package init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }
}
