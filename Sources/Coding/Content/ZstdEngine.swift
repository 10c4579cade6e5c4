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
    private var head = ZstdFrameHead()
    private var isInFrame = false
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
        guard unsafe decoder != nil else {
            return EngineStep(read: 0, written: 0, outcome: .failed("zstd: out of memory"))
        }
        // Where a call fails, what it has written is not told. So none goes on behind the end of a block, and none has a whole
        // frame: what stands before a fault comes out, however the bytes come.
        return isInFrame
            ? unsafe decode(min(input.count, wanted > 3 ? wanted - 3 : 1), of: input, into: output)
            : unsafe begin(input, into: output)
    }

    /// Takes the head of a frame, and gives it to the library in one piece.
    ///
    /// The library takes what is no frame of RFC 8878 for one of the formats before it, whose decoders are no longer cared for
    /// and which say that they wrote what they did not.
    private func begin(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> EngineStep {
        var read = 0
        while !head.isWhole, read < input.count {
            isWhole = false
            if unsafe head.take(input[read]) {
                read += 1
                continue
            }
            guard frames > 0 else {
                return EngineStep(
                    read: read, written: 0, outcome: .failed("zstd: \(Self.words(ZSTD_error_prefix_unknown))"))
            }
            isOver = true
            isWhole = true
            return EngineStep(read: input.count, written: 0, outcome: .hungry)
        }
        guard head.isWhole else { return EngineStep(read: read, written: 0, outcome: .hungry) }
        var step = unsafe head.bytes.withUnsafeBytes { unsafe decode($0.count, of: $0, into: output) }
        if case .failed = step.outcome {
        } else if step.read < head.bytes.count {
            step.outcome = .failed("zstd: a frame's head was not read whole")
        } else {
            step.outcome = .working
        }
        isInFrame = !isWhole
        head = ZstdFrameHead()
        return EngineStep(read: read, written: step.written, outcome: step.outcome)
    }

    private func decode(
        _ count: Int, of input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> EngineStep {
        var from = unsafe ZSTD_inBuffer(src: input.baseAddress, size: count, pos: 0)
        var to = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = unsafe ZSTD_decompressStream(decoder, &to, &from)
        let read = unsafe from.pos
        if ZSTD_isError(result) != 0 {
            return EngineStep(
                read: read, written: 0, outcome: .failed("zstd: \(Self.words(ZSTD_getErrorCode(result)))"))
        }
        let written = unsafe to.pos
        isWhole = result == 0
        wanted = max(1, result)
        if isWhole {
            frames += 1
            isInFrame = false
        }
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
