/// gzip (RFC 1952), several members one after the other as well.
///
/// What follows the last member and begins no other is passed over, as browsers and gzip itself do.
final class GzipEngine: CodingEngine {
    static let window = 1 << 15
    private enum Phase {
        case member
        /// After a member: the next one begins with 1f 8b.
        case between
        /// The first of these two bytes was read.
        case maybeMember
        /// Both were read, and are handed to zlib before anything else.
        case begun
        case over
    }

    private static let beginning: [UInt8] = [0x1f, 0x8b]

    private let stream = ZlibStream(.gzip)
    private var phase = Phase.member

    var isWhole: Bool {
        switch phase {
        case .member, .begun: false
        case .between, .maybeMember, .over: true
        }
    }

    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> EngineStep {
        switch phase {
        case .member:
            return unsafe inflate(input, into: output)
        case .between, .maybeMember:
            guard let byte = unsafe input.first else { return EngineStep(read: 0, written: 0, outcome: .hungry) }
            if case .between = phase {
                phase = byte == Self.beginning[0] ? .maybeMember : .over
            } else {
                phase = byte == Self.beginning[1] ? .begun : .over
            }
            return EngineStep(read: 1, written: 0, outcome: .working)
        case .begun:
            stream.reset()
            phase = .member
            var step = unsafe Self.beginning.withUnsafeBytes { unsafe inflate($0, into: output) }
            // These were counted when they were read.
            step.read = 0
            if step.outcome == .hungry { step.outcome = .working }
            return step
        case .over:
            return EngineStep(read: input.count, written: 0, outcome: .hungry)
        }
    }

    private func inflate(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> EngineStep {
        let (read, written, result) = unsafe stream.inflate(input, into: output)
        switch result {
        case .working: return EngineStep(read: read, written: written, outcome: .working)
        case .hungry: return EngineStep(read: read, written: written, outcome: .hungry)
        case .failed(let reason): return EngineStep(read: read, written: written, outcome: .failed("gzip: \(reason)"))
        case .ended:
            phase = .between
            return EngineStep(read: read, written: written, outcome: .working)
        }
    }
}
