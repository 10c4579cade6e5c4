/// Why two readers could find different ends of an HTTP/1 message.
///
/// It is passed on all the same, but nothing after it can be told to be another message: the connection ends with it.
package enum HTTPFramingFault: Error, Hashable, Sendable, CaseIterable {
    /// It does not begin as a message of HTTP/1.
    case notHTTP
    case headTooLong
    /// A carriage return that ends no line; some take it for a line's end, some for white space.
    case carriageReturn
    /// White space or odd bytes in the name of a field that says how long the content is.
    case fieldName
    /// Such a field continued on the next line, or hidden in the continuation of another.
    case foldedField
    case contentLength
    case transferCoding
    case contentLengthAndTransferEncoding
    /// `Head` or `connect`: whether its answer has content depends on who reads it.
    case method
    case chunkSize
    case chunkEnd
    case trailers
}

extension HTTPFramingFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notHTTP: "it does not begin as HTTP/1"
        case .headTooLong: "its head is over \(HTTPHeadFraming.limit) bytes"
        case .carriageReturn: "a carriage return within a line of its head"
        case .fieldName: "odd bytes in the name of content-length or transfer-encoding"
        case .foldedField: "a folded content-length or transfer-encoding"
        case .contentLength: "malformed or contradicting content-length"
        case .transferCoding: "transfer-encoding does not end with one \"chunked\""
        case .contentLengthAndTransferEncoding: "both content-length and transfer-encoding"
        case .method: "a request whose method is HEAD or CONNECT but for its case"
        case .chunkSize: "malformed chunk size"
        case .chunkEnd: "a chunk does not end where its size says"
        case .trailers: "malformed trailers"
        }
    }
}
