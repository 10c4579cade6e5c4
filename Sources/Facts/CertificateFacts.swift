/// What people want to see of a certificate that somebody showed.
package struct CertificateFacts: Hashable, Sendable, Codable {
    /// In one line, most specific part first: `CN=api.example.com,O=Example`.
    package var subject: String
    package var issuer: String
    /// RFC 3339, UTC; of a date that cannot be read the first that there is, as such a certificate was never valid.
    package var notAfter: String
    /// Of the DER, lower-case hexadecimal.
    package var sha256: String
    /// Of the SubjectPublicKeyInfo, lower-case hexadecimal.
    package var spkiSHA256: String

    package init(subject: String, issuer: String, notAfter: String, sha256: String, spkiSHA256: String) {
        self.subject = subject
        self.issuer = issuer
        self.notAfter = notAfter
        self.sha256 = sha256
        self.spkiSHA256 = spkiSHA256
    }

    enum CodingKeys: String, CodingKey {
        case subject, issuer, sha256
        case notAfter = "not_after"
        case spkiSHA256 = "spki_sha256"
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("sha256", sha256)
        json.field("subject", subject)
        json.field("issuer", issuer)
        json.field("not_after", notAfter)
        json.field("spki_sha256", spkiSHA256)
        json.endObject()
    }
}
