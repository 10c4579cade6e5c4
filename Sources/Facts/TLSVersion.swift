/// A TLS protocol version by its wire value (RFC 8446 §4.2.1).
package enum TLSVersion: UInt16, Sendable, Hashable, Comparable, CaseIterable, CustomStringConvertible {
    case ssl3 = 0x0300
    case tls10 = 0x0301
    case tls11 = 0x0302
    case tls12 = 0x0303
    case tls13 = 0x0304

    /// `"1.2"`, `"1.3"`, …; SSL 3.0 is `"ssl3"`.
    package var description: String { self == .ssl3 ? "ssl3" : "1.\(rawValue - 0x0301)" }

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension TLSVersion: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let version = Self.allCases.first(where: { $0.description == text }) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\"\(text)\" is not a TLS version"))
        }
        self = version
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
