import CCodecs

/// Brotli (RFC 7932). What follows the end is passed over. Belongs to one thread.
///
/// Its window is at most 16 MiB: larger ones are an extension that has to be asked for, and is not. Less is allocated for
/// a small content.
@safe final class BrotliEngine: CodingEngine {
    static let window = 1 << 24
    /// Bytes read per step: a fault takes with it what the same step has decoded and not written yet.
    private static let readPerStep = 4096

    // Owned; nil when there was no memory for it.
    private let decoder: OpaquePointer?
    private(set) var isWhole = false

    init() { unsafe decoder = BrotliDecoderCreateInstance(nil, nil, nil) }

    deinit { unsafe BrotliDecoderDestroyInstance(decoder) }

    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> EngineStep {
        if isWhole { return EngineStep(read: input.count, written: 0, outcome: .hungry) }
        guard let decoder = unsafe decoder else {
            return EngineStep(read: 0, written: 0, outcome: .failed("br: out of memory"))
        }
        let size = min(input.count, Self.readPerStep)
        var waiting = size
        var room = output.count
        var from = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var to = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let result = unsafe BrotliDecoderDecompressStream(decoder, &waiting, &from, &room, &to, nil)
        let read = size - waiting
        let written = output.count - room
        switch result {
        case BROTLI_DECODER_RESULT_SUCCESS:
            isWhole = true
            return EngineStep(read: read, written: written, outcome: .working)
        case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
            return EngineStep(read: read, written: written, outcome: read == input.count ? .hungry : .working)
        case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT:
            return EngineStep(read: read, written: written, outcome: .working)
        default:
            let code = unsafe BrotliDecoderGetErrorCode(decoder)
            let name = unsafe BrotliDecoderErrorString(code).map { unsafe String(cString: $0) } ?? "unknown error"
            return EngineStep(read: read, written: written, outcome: .failed("br: \(Self.words(name))"))
        }
    }

    /// Brotli's names of its errors: `_ERROR_FORMAT_PADDING_1`, `FORMAT_PADDING_1`.
    private static func words(_ name: String) -> String {
        let parts = name.split(separator: "_").map { $0.lowercased() }
        return parts.drop { $0 == "error" }.joined(separator: " ")
    }
}
