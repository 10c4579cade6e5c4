import Flows

/// Removes one content coding, with a limit on what comes out.
///
/// What stands before a fault comes out of the call that meets it; the fault is thrown by the next call, one without bytes
/// as well, so that nothing of the content is lost. Belongs to one thread.
final class StreamDecoder: ContentDecoder {
    /// What one step can write: large enough that calls into C do not count, small enough to be forgotten at once.
    private static let roomPerStep = 32 * 1024

    /// nil when no more will come; its memory is given back as early as that.
    private var engine: (any CodingEngine)?
    /// Bytes of content that may come out in all, and that have.
    private let limit: Int
    private var given = 0
    private var offset = 0
    private var written = 0
    /// Of an engine, beside its window.
    private static let smallest = 64 * 1024
    private var fault: DecodingFault?
    private(set) var isCut = false
    private var wasWhole = false

    init(_ engine: any CodingEngine, limit: Int) {
        self.engine = engine
        self.limit = max(0, limit)
    }

    var isWhole: Bool { engine?.isWhole ?? wasWhole }

    /// A library touches no more of its window than it has written.
    var held: Int { engine.map { Self.smallest + min(written, type(of: $0).window) } ?? 0 }

    func decode(_ bytes: ArraySlice<UInt8>, most: Int) throws(DecodingFault) -> [UInt8] {
        if let fault { throw fault }
        // Everything that earlier bytes say has come out already.
        guard let engine, !bytes.isEmpty else { return [] }
        var content: [UInt8] = []
        unsafe bytes.withUnsafeBytes { input in
            unsafe withUnsafeTemporaryAllocation(byteCount: Self.roomPerStep, alignment: 16) { room in
                unsafe run(engine, on: input, through: room, to: &content, most: min(limit, most))
            }
        }
        if content.isEmpty, let fault { throw fault }
        return content
    }

    private func run(
        _ engine: any CodingEngine, on input: UnsafeRawBufferPointer, through room: UnsafeMutableRawBufferPointer,
        to content: inout [UInt8], most: Int
    ) {
        var rest = unsafe input[...]
        while true {
            let step = unsafe engine.step(UnsafeRawBufferPointer(rebasing: rest), into: room)
            unsafe rest = rest.dropFirst(step.read)
            offset += step.read
            written += step.written
            let kept = min(step.written, max(0, most - given))
            unsafe content.append(contentsOf: room.prefix(kept))
            given += kept
            if kept < step.written {
                isCut = true
                return self.engine = nil
            }
            switch step.outcome {
            case .working: continue
            case .hungry: return
            case .failed(let reason):
                fault = DecodingFault(offset: offset, reason: reason)
                wasWhole = engine.isWhole
                return self.engine = nil
            }
        }
    }
}
