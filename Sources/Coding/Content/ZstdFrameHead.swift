/// The beginning of a Zstandard or skippable frame (RFC 8878 §3.1), byte by byte.
struct ZstdFrameHead {
    private static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
    /// Of skippable frames, whose first byte is 50 to 5F.
    private static let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18]

    /// At most 18.
    private(set) var bytes: [UInt8] = []

    var isWhole: Bool { bytes.count >= size }

    /// Takes the next byte; false where no frame has it there.
    mutating func take(_ byte: UInt8) -> Bool {
        let isSkippable = (bytes.first ?? byte) & 0xF0 == 0x50
        switch bytes.count {
        case 0: guard byte == Self.magic[0] || isSkippable else { return false }
        case 1..<4: guard byte == (isSkippable ? Self.skippable : Self.magic)[bytes.count] else { return false }
        default: break
        }
        bytes.append(byte)
        return true
    }

    /// In bytes, as far as it is known: the descriptor, which says how long the rest is, is the fifth.
    private var size: Int {
        guard let first = bytes.first else { return 5 }
        if first & 0xF0 == 0x50 { return 8 }
        guard bytes.count > 4 else { return 5 }
        let descriptor = bytes[4]
        let isSingleSegment = descriptor & 0x20 != 0
        let window = isSingleSegment ? 0 : 1
        let dictionary = [0, 1, 2, 4][Int(descriptor & 3)]
        let content = [isSingleSegment ? 1 : 0, 2, 4, 8][Int(descriptor >> 6)]
        return 5 + window + dictionary + content
    }
}
