/// A short name for a longer one, the same wherever it is worked out.
///
/// FNV-1a, twice: code hosts compare fingerprints from run to run. Nothing is protected by it.
struct Fingerprint: Hashable {
    private let high: UInt64
    private let low: UInt64

    init(of text: String) {
        high = Self.hash(text.utf8, from: 0xcbf2_9ce4_8422_2325)
        low = Self.hash(text.utf8.reversed(), from: 0x6c62_272e_07bb_0142)
    }

    /// 32 hexadecimal digits.
    var hex: String { Self.digits(high) + Self.digits(low) }

    /// The same in the form of a UUID, of the version for what is made up by whoever uses it (RFC 9562 §5.8).
    var uuid: String {
        var digits = Array(hex)
        digits[12] = "8"
        digits[16] = "8"
        let parts = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
        return parts.map { String($0) }.joined(separator: "-")
    }

    private static func hash(_ bytes: some Sequence<UInt8>, from basis: UInt64) -> UInt64 {
        bytes.reduce(basis) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
