import Facts

/// A QR code (ISO/IEC 18004, model 2) of bytes, with error correction of level M.
///
///     QRCode("http://192.168.1.5:8080/")?.svg(label: "…")
///
/// A URL of this machine has some 30 bytes. Versions 1 to 10 hold up to 213 of them, which is far more, and a larger
/// code would fit neither a terminal nor a camera's patience.
package struct QRCode: Hashable, Sendable {
    /// Modules on a side, without the quiet zone.
    package let size: Int
    /// Row by row; true is dark.
    private let modules: [Bool]

    /// Light modules around the code (§9.1): without them cameras do not find it.
    package static let quietZone = 4

    /// nil for a text that is too long.
    package init?(_ text: String) { self.init(text, mask: nil) }

    /// - Parameter mask: 0 to 7; nil: the one with the least penalty (§7.8.3).
    init?(_ text: String, mask: Int?) {
        let bytes = Array(text.utf8)
        guard let version = QRVersion.all.first(where: { $0.byteCapacity >= bytes.count }) else { return nil }
        let empty = QRMatrix(version, codewords: version.codewords(of: bytes))
        let masked = (mask.map { [$0] } ?? Array(0..<8)).map { empty.masked($0) }
        guard let best = masked.min(by: { $0.penalty < $1.penalty }) else { return nil }
        size = best.size
        modules = best.modules
    }

    /// Whether a module is dark; those around the code are light.
    package subscript(x: Int, y: Int) -> Bool {
        (0..<size).contains(x) && (0..<size).contains(y) && modules[y * size + x]
    }
}
