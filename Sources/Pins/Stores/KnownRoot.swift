import Facts

/// A public root CA: its key, and which devices trust it.
package struct KnownRoot: Hashable, Sendable {
    /// Who runs it, in a word or two: `ISRG`.
    package var organisation: String
    /// Its common name, or its unit where the common name says only the organisation: `GlobalSign Root CA - R3`.
    package var name: String
    /// SHA-256 of its SubjectPublicKeyInfo.
    package var key: [UInt8]
    /// API levels of Android whose store has it; from 34 on, Google Play brings newer lists than these.
    package var android: [ClosedRange<Int>]
    /// Versions of iOS whose store has it; the first list is that of iOS 12, what it has may be older.
    package var apple: [ClosedRange<Int>]
    /// The day on which Mozilla's schedule takes its websites bit away; nil where it is not in that store.
    package var mozillaUntil: CalendarDate?
    /// Of the newest certificate of this key.
    package var notAfter: CalendarDate

    /// `sha256/BASE64`.
    package var pin: String { "sha256/" + Base64.encode(key) }

    /// Every one, by organisation and name.
    package static let all = RootTable.roots(in: RootTable.aToF) + RootTable.roots(in: RootTable.gToZ)

    private static let byKey = Dictionary(all.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// By the SHA-256 of its SubjectPublicKeyInfo.
    package static func of(key: [UInt8]) -> KnownRoot? { byKey[key] }

    /// By a distinguished name (RFC 4514), as a certificate has it for its issuer. What it names need not be this key.
    package static func named(_ distinguishedName: String) -> KnownRoot? {
        byName[DistinguishedName(distinguishedName).label]
    }
}
