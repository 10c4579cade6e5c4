/// What a request asks for as its request line has it (RFC 9112 §3.2), or HTTP/2's `:path`.
///
/// It is kept where a flow's URL does not tell it: `*`, an absolute address that a tunnel carries, a fragment, bytes that are no UTF-8.
package struct RequestTarget: Hashable, Sendable {
    package var text: String
    /// Its bytes were no UTF-8, and each is one character of `text` (ISO 8859-1).
    package var isLatin1: Bool

    package init(_ text: String, isLatin1: Bool = false) {
        self.text = text
        self.isLatin1 = isLatin1
    }

    /// As it was on the wire.
    package var bytes: [UInt8] {
        guard isLatin1 else { return Array(text.utf8) }
        return text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    /// Nil where the URL that `FlowURL` makes of the head ends with it.
    init?(beyondURLOf head: RequestHead) {
        if let latin1 = head.latin1Target {
            self.init(latin1, isLatin1: true)
            return
        }
        let target = head.target
        if target.hasPrefix("/") ? !target.utf8.contains(UInt8(ascii: "#")) : target.isEmpty { return nil }
        // The URL of a CONNECT is its target.
        if head.method == "CONNECT", head.connectProtocol == nil { return nil }
        self.init(target)
    }
}
