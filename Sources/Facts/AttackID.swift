/// The name of what a connection was met with: `trusted-ca`, `expired`, … or `passthrough`.
package struct AttackID: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package init(_ rawValue: String) { self.rawValue = rawValue }

    package static let passthrough = AttackID("passthrough")
    package static let untrustedCA = AttackID("untrusted-ca")
    package static let trustedCA = AttackID("trusted-ca")

    package var description: String { rawValue }
    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension AttackID: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension AttackID: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self.init(value) }
}
