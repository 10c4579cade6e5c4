import Facts

/// Finds what is written like a SHA-256 in one connection's answers, as they pass.
///
/// It looks at their fields, and at their content with its codings removed.
///
///     let answers = AnswerDigests(alpn: negotiated?.alpn, tools: .linked) { digest in … }   // 32 bytes
///     answers.read(bytes, .up)
///     answers.read(bytes, .down)
///     answers.end()
///
/// It keeps no more than the word that it is reading.
package final class AnswerDigests {
    /// What is open of one answer.
    private struct Content {
        /// In the order in which they are to be removed.
        var codings: [any ContentDecoder] = []
        var search = DigestSearch()
        var count = 0
    }

    /// Bytes of one answer that are looked at: a configuration has some kilobytes.
    package static let contentLimit = 4 * 1024 * 1024
    private let limit: Int
    /// Answers that are open at once; servers allow for some hundred (RFC 9113 §6.5.2). Those beyond are not looked at.
    private static let openLimit = 256
    /// Shown to a content coding at once: with the best compression there is, that makes some MiB.
    private static let pieceLength = 1024
    /// Nobody applies more than two; each holds a window of some MiB.
    private static let codingLimit = 4

    private var reader: ConnectionReader
    private var steps = ExchangeSteps()
    private var open: [Int: Content] = [:]
    /// Bytes of no protocol that is known.
    private var raw = DigestSearch()
    private let tools: DecodingTools
    private let found: ([UInt8]) -> Void

    /// - Parameters:
    ///   - alpn: what was agreed on; nil where nothing was.
    ///   - limit: bytes of one answer that are looked at.
    ///   - found: is given the 32 bytes, as often as they are found.
    package init(
        alpn: String?, tools: DecodingTools, limit: Int = AnswerDigests.contentLimit,
        _ found: @escaping ([UInt8]) -> Void
    ) {
        self.limit = limit
        reader = ConnectionReader(alpn: alpn, tools: tools)
        self.tools = tools
        self.found = found
    }

    /// The next bytes of one direction; both are to be shown in the order in which they passed.
    package func read(_ bytes: ArraySlice<UInt8>, _ direction: ExchangeDirection) {
        reader.read(bytes, direction, &steps)
        look()
    }

    /// The connection has ended.
    package func end() {
        reader.end("", &steps)
        look()
        for exchange in Array(open.keys) { close(exchange) }
        raw.end(found)
    }

    private func look() {
        for step in steps.take() {
            switch step.kind {
            case .answered(let head): begin(step.exchange, head)
            case .content(.down, let bytes): read(bytes, of: step.exchange)
            case .raw(.down, let bytes): raw.read(bytes, found)
            case .message(let message) where message.from == .down: look(message.data[...])
            case .ended(.down), .aborted: close(step.exchange)
            default: continue
            }
        }
    }

    private func begin(_ exchange: Int, _ head: AnswerHead) {
        close(exchange)
        for field in head.fields { look(field.valueBytes[...]) }
        let names = head.fields.contentCodings
        guard open.count < Self.openLimit, names.count <= Self.codingLimit else { return }
        let codings = names.reversed().compactMap { tools.content($0, limit) }
        guard codings.count == names.count else { return }
        open[exchange] = Content(codings: codings)
    }

    private func read(_ bytes: ArraySlice<UInt8>, of exchange: Int) {
        guard var content = open.removeValue(forKey: exchange) else { return }
        var rest = bytes
        while !rest.isEmpty {
            var piece = rest.prefix(Self.pieceLength)
            rest = rest.dropFirst(Self.pieceLength)
            for coding in content.codings {
                guard let decoded = try? coding.decode(piece) else { return }
                piece = decoded[...]
            }
            content.search.read(piece.prefix(limit - content.count), found)
            content.count += min(piece.count, limit - content.count)
            if content.count == limit { return }
        }
        open[exchange] = content
    }

    private func close(_ exchange: Int) {
        guard var content = open.removeValue(forKey: exchange) else { return }
        content.search.end(found)
    }

    /// A whole message, or the value of a field.
    private func look(_ bytes: ArraySlice<UInt8>) {
        var search = DigestSearch()
        search.read(bytes.prefix(limit), found)
        search.end(found)
    }
}
