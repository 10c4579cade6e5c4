import Flows

/// A body that another program has written down as text.
///
/// That is in Unicode, whatever its bytes were.
/// Its header fields still name the charset that it had, and everything that reads the body goes by that.
package enum ImportedText {
    /// The bytes of a text in a charset (a label, as in `Content-Type`); nil where it cannot be written in that.
    package typealias Encoder = (_ text: String, _ charset: String) -> [UInt8]?

    static func bytes(_ text: String, _ contentType: String?, _ encode: Encoder) -> [UInt8] {
        let utf8 = Array(text.utf8)
        guard let charset = contentType.flatMap({ MediaType.parameter("charset", of: $0) }) else { return utf8 }
        return encode(text, charset) ?? utf8
    }
}
