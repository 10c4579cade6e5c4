/// Who answered for a host before the first start, asked by the gate itself.
///
/// A line of its own in the evidence: what a client met is in its `Observation`s.
package struct OriginSeen: Hashable, Sendable, Codable {
    /// Where the chain ends, as far as the machine tells.
    package enum Anchor: String, Hashable, Sendable, Codable {
        /// A root of a public store.
        case `public`
        /// A root that somebody added to this machine.
        case added
        /// A root that the profile names.
        case profile
    }

    package var host: HostName
    package var verified: Bool
    /// Leaf first, as presented.
    package var certificates: [CertificateFacts]
    /// SHA-256 (base64) of each SPKI, leaf first; up to the trust anchor where the chain verified.
    package var spki: [String]
    /// nil where it did not verify.
    package var anchor: Anchor?
    /// Why it did not verify.
    package var error: String?

    package init(
        host: HostName, verified: Bool, certificates: [CertificateFacts], spki: [String], anchor: Anchor? = nil,
        error: String? = nil
    ) {
        self.host = host
        self.verified = verified
        self.certificates = certificates
        self.spki = spki
        self.anchor = anchor
        self.error = error
    }

    func writeFields(to json: inout JSONWriter) {
        json.field("host", host.text)
        json.field("verified", verified)
        json.key("certificates")
        json.beginArray()
        for certificate in certificates { certificate.write(to: &json) }
        json.endArray()
        json.field("spki", spki)
        if let anchor { json.field("anchor", anchor.rawValue) }
        if let error { json.field("error", error) }
    }
}
