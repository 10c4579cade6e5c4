import CCodecs

/// Zstandard (RFC 8878), several frames one after the other as well. Belongs to one thread.
///
/// What follows the last frame and begins no other is passed over.
@safe final class ZstdEngine: CodingEngine {
    /// 2 to the power of that: 8 MiB, the most that a content coding may ask for (RFC 9659), and so the most that this
    /// holds for one body.
    private static let windowBits: Int32 = 23
    static let window = 1 << windowBits

    // Owned; nil when there was no memory for it.
    private let decoder: OpaquePointer?
    private var frames = 0
    private var isOver = false
    private(set) var isWhole = false
    /// Bytes up to the end of the block at hand, with the three of the next one's header, as far as that is known.
    private var wanted = 1

    init() {
        unsafe decoder = ZSTD_createDCtx()
        if let decoder = unsafe decoder { unsafe ZSTD_DCtx_setParameter(decoder, ZSTD_d_windowLogMax, Self.windowBits) }
    }

    deinit { unsafe ZSTD_freeDCtx(decoder) }

    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> EngineStep {
        if isOver { return EngineStep(read: input.count, written: 0, outcome: .hungry) }
        guard let decoder = unsafe decoder else {
            return EngineStep(read: 0, written: 0, outcome: .failed("zstd: out of memory"))
        }
        // Without this an empty call after a frame's end would count as the beginning of another.
        if isWhole, unsafe input.isEmpty { return EngineStep(read: 0, written: 0, outcome: .hungry) }
        // Where a call fails, what it has written is not told. So none goes on behind the end of a block, and none has a whole
        // frame: what stands before a fault comes out, however the bytes come.
        let count = min(input.count, wanted > 3 ? wanted - 3 : 1)
        var from = unsafe ZSTD_inBuffer(src: input.baseAddress, size: count, pos: 0)
        var to = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = unsafe ZSTD_decompressStream(decoder, &to, &from)
        let read = unsafe from.pos
        let written = unsafe to.pos
        if ZSTD_isError(result) != 0 {
            let code = ZSTD_getErrorCode(result)
            if code == ZSTD_error_prefix_unknown, frames > 0 {
                isOver = true
                isWhole = true
                return EngineStep(read: input.count, written: 0, outcome: .hungry)
            }
            return EngineStep(read: read, written: written, outcome: .failed("zstd: \(Self.words(code))"))
        }
        isWhole = result == 0
        wanted = max(1, result)
        if isWhole { frames += 1 }
        let isDry = read == input.count && written < output.count
        return EngineStep(read: read, written: written, outcome: isDry ? .hungry : .working)
    }

    private static func words(_ code: ZSTD_ErrorCode) -> String {
        switch code {
        case ZSTD_error_frameParameter_windowTooLarge: "a window of more than 8 MiB (RFC 9659)"
        case ZSTD_error_dictionary_wrong: "needs a dictionary that did not come with it"
        default: unsafe ZSTD_getErrorString(code).map { unsafe String(cString: $0) } ?? "unknown error"
        }
    }
}
