/// Finds many short texts in large files in one pass.
struct ByteMarkers: Sendable {
    private let markers: [[UInt8]]
    /// By the first two bytes: whether a marker begins so.
    private let begins: [Bool]
    private let byBeginning: [UInt16: [Int]]
    /// Bytes of the longest.
    let longest: Int

    /// - Parameter markers: of two bytes at least; shorter ones are never found.
    init(_ markers: [String]) {
        self.markers = markers.map { Array($0.utf8) }
        var begins = Array(repeating: false, count: 1 << 16)
        var byBeginning: [UInt16: [Int]] = [:]
        for (index, marker) in self.markers.enumerated() where marker.count >= 2 {
            let key = UInt16(marker[0]) << 8 | UInt16(marker[1])
            begins[Int(key)] = true
            byBeginning[key, default: []].append(index)
        }
        self.begins = begins
        self.byBeginning = byBeginning
        longest = self.markers.map(\.count).max() ?? 0
    }

    /// - Parameters:
    ///   - starts: where in `bytes` one may begin.
    ///   - found: the marker's number, and where in `bytes` it ends.
    func scan(_ bytes: [UInt8], starts: Range<Int>, found: (_ marker: Int, _ end: Int) -> Void) {
        let last = min(starts.upperBound, bytes.count - 1)
        guard starts.lowerBound < last else { return }
        // Nearly all of an app's time is spent here.
        let text = bytes.span
        let begins = begins.span
        var key = Int(text[starts.lowerBound])
        var index = starts.lowerBound
        while index < last {
            key = (key & 0xff) << 8 | Int(text[index + 1])
            if begins[key] {
                for marker in byBeginning[UInt16(key)] ?? [] where Self.stands(markers[marker], in: bytes, at: index) {
                    found(marker, index + markers[marker].count)
                }
            }
            index += 1
        }
    }

    private static func stands(_ text: [UInt8], in bytes: [UInt8], at start: Int) -> Bool {
        guard text.count <= bytes.count - start else { return false }
        for offset in 2..<text.count where bytes[start + offset] != text[offset] { return false }
        return true
    }
}
