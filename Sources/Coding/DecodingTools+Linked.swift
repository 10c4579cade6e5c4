import Flows

extension DecodingTools {
    /// Everything that the linked libraries can decode.
    package static var linked: DecodingTools {
        DecodingTools(
            headerBlocks: { HPACKDecoder() },
            inflater: { DeflateMessages($0) },
            content: { ContentCoding.decoder(for: $0, limit: $1) })
    }
}
