/// `deflate`: the zlib format (RFC 9110 §8.4.1.2), or bare deflate.
///
/// Many servers send the latter under that name. The first two bytes say which one it is. What follows the end is passed over.
final class DeflateEngine: CodingEngine {
    static let window = 1 << 15
    private var stream: ZlibStream?
    /// The first bytes, until they are enough to tell and have been handed to zlib.
    private var held: [UInt8] = []
    private(set) var isWhole = false

    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> EngineStep {
        if isWhole { return EngineStep(read: input.count, written: 0, outcome: .hungry) }
        guard let stream else {
            guard let byte = unsafe input.first else { return EngineStep(read: 0, written: 0, outcome: .hungry) }
            held.append(byte)
            if held.count == 2 { stream = ZlibStream(Self.isZlib(held[0], held[1]) ? .zlib : .none) }
            return EngineStep(read: 1, written: 0, outcome: .working)
        }
        guard !held.isEmpty else { return unsafe inflate(stream, input, into: output) }
        var step = unsafe held.withUnsafeBytes { unsafe inflate(stream, $0, into: output) }
        held.removeFirst(min(step.read, held.count))
        // These were counted when they were read.
        step.read = 0
        if step.outcome == .hungry { step.outcome = .working }
        return step
    }

    /// RFC 1950 §2.2: the method is deflate, the window is no larger than it may be, and both bytes are a multiple of 31.
    private static func isZlib(_ first: UInt8, _ second: UInt8) -> Bool {
        first & 0x0f == 8 && first >> 4 <= 7 && (Int(first) << 8 | Int(second)) % 31 == 0
    }

    private func inflate(
        _ stream: ZlibStream, _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> EngineStep {
        let (read, written, result) = unsafe stream.inflate(input, into: output)
        switch result {
        case .working: return EngineStep(read: read, written: written, outcome: .working)
        case .hungry: return EngineStep(read: read, written: written, outcome: .hungry)
        case .failed(let reason):
            return EngineStep(read: read, written: written, outcome: .failed("deflate: \(reason)"))
        case .ended:
            isWhole = true
            return EngineStep(read: read, written: written, outcome: .working)
        }
    }
}
