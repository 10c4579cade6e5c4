import Flows

/// Several content codings of one body, each decoding what the one before it gives.
final class DecoderChain: ContentDecoder {
    /// The one that was applied last comes first.
    private let decoders: [any ContentDecoder]
    private var offset = 0
    private var fault: DecodingFault?

    init(_ decoders: [any ContentDecoder]) { self.decoders = decoders }

    var isCut: Bool { decoders.contains { $0.isCut } }
    var isWhole: Bool { decoders.allSatisfy { $0.isWhole } }
    var held: Int { decoders.reduce(0) { $0 + $1.held } }

    func decode(_ bytes: ArraySlice<UInt8>, most: Int) throws(DecodingFault) -> [UInt8] {
        if let fault { throw fault }
        var content = Array(bytes)
        for decoder in decoders {
            do {
                // What is not the content yet may be a little larger than it.
                let (more, overflow) = most.addingReportingOverflow(ContentCoding.slack(of: most))
                content = try decoder.decode(
                    content[...], most: decoder === decoders.last ? most : overflow ? .max : more)
            } catch {
                // Its offset counts the bytes of what came before it; of the body's own bytes only these are known good.
                fault = DecodingFault(offset: decoder === decoders.first ? error.offset : offset, reason: error.reason)
                // The one before it has decoded bytes that nobody can read: nothing comes after them.
                content = []
                break
            }
        }
        if content.isEmpty, let fault { throw fault }
        offset += bytes.count
        return content
    }
}
