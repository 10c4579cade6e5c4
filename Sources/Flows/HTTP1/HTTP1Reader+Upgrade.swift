import Wire

extension HTTP1Reader {
    /// What the connection goes on with.
    struct Upgrade: Hashable {
        var exchange: Int
        var kind: HTTPMessageFraming.Upgrade
        /// The first of the answer's `Upgrade` field in lower case, or `CONNECT`.
        var name: String
        var answer: AnswerHead
        /// The request's `HTTP2-Settings` field.
        var settings: String?
        /// Bytes of the client that came before the answer and belong to what follows.
        var early: [UInt8]
        /// The number of the next exchange.
        var next: Int
    }

    static func isHTTP2(_ answer: AnswerHead) -> Bool {
        answer.status == 101 && answer.fields.elements(of: "upgrade").first == "h2c"
    }
}
