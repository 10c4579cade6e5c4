import Facts

/// The files of an `.ipa`, by whoever can unpack one.
package struct IPAMembers {
    /// Hands out content until it ends or `take` wants no more; a fault where it is broken or has more than `limit`.
    package typealias Pieces = (
        _ name: String, _ limit: Int, _ take: (_ piece: [UInt8]) -> Bool
    ) throws(PinFileFault) -> Void

    /// As they stand in the archive: `Payload/App.app/Info.plist`.
    package var names: [String]
    /// Bytes of one, unpacked; nil where it is not there.
    package var size: (_ name: String) -> Int?
    package var pieces: Pieces

    package init(names: [String], size: @escaping (_ name: String) -> Int?, pieces: @escaping Pieces) {
        self.names = names
        self.size = size
        self.pieces = pieces
    }

    /// Unpacked; at most so many bytes.
    func content(_ name: String, _ limit: Int) throws(PinFileFault) -> [UInt8] {
        var content: [UInt8] = []
        try pieces(name, limit) { piece in
            content += piece
            return true
        }
        return content
    }

    /// Several parts of one, in a single pass that ends behind the last; shorter where the file ends.
    func parts(_ name: String, _ ranges: [Range<Int>], _ limit: Int) throws(PinFileFault) -> [[UInt8]] {
        var parts: [[UInt8]] = ranges.map { _ in [] }
        let end = ranges.map(\.upperBound).max() ?? 0
        var offset = 0
        try pieces(name, limit) { piece in
            for (index, range) in ranges.enumerated() {
                let wanted = range.clamped(to: offset..<(offset + piece.count))
                guard !wanted.isEmpty else { continue }
                parts[index] += piece[(wanted.lowerBound - offset)..<(wanted.upperBound - offset)]
            }
            offset += piece.count
            return offset < end
        }
        return parts
    }
}
