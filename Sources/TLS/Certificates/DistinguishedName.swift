/// A subject or issuer: attributes in order, one per RDN.
struct DistinguishedName: Hashable {
    var organization: String?
    var commonName: String?

    /// Name in DER, strings as UTF8String (RFC 5280 §4.1.2.4).
    var der: [UInt8] {
        var parts: [[UInt8]] = []
        if let organization { parts.append(Self.attribute(OID.organization, organization)) }
        if let commonName { parts.append(Self.attribute(OID.commonName, commonName)) }
        return DER.sequence(parts)
    }

    private static func attribute(_ type: [UInt8], _ value: String) -> [UInt8] {
        DER.set(DER.sequence(type, DER.utf8String(value)))
    }
}
