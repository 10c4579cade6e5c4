import Facts

/// One certificate, request or key, with everything that can be pinned of it.
package struct PinnableItem: Hashable, Sendable {
    package enum Role: String, Hashable, Sendable, CaseIterable {
        case leaf, intermediate, root, key, request
    }

    /// What a certificate has beside its key.
    package struct CertificatePart: Hashable, Sendable {
        /// RFC 4514.
        package var issuer: String
        package var notBefore: UTCTime
        package var notAfter: UTCTime
        /// Of the whole certificate: 32 and 20 bytes.
        package var sha256: [UInt8]
        package var sha1: [UInt8]

        package init(issuer: String, notBefore: UTCTime, notAfter: UTCTime, sha256: [UInt8], sha1: [UInt8]) {
            self.issuer = issuer
            self.notBefore = notBefore
            self.notAfter = notAfter
            self.sha256 = sha256
            self.sha1 = sha1
        }
    }

    package var role: Role
    /// RFC 4514; nil of a bare key.
    package var subject: String?
    /// DNS names of the SAN, in its order.
    package var dnsNames: [String]
    /// Addresses of the SAN, as they are written in a URL, without brackets.
    package var addresses: [String] = []
    /// `RSA-2048`, `EC-P256`, `Ed25519`, …
    package var key: String
    /// Of the SubjectPublicKeyInfo: 32 and 20 bytes.
    package var spkiSHA256: [UInt8]
    package var spkiSHA1: [UInt8]
    package var certificate: CertificatePart?

    package init(
        role: Role, subject: String?, dnsNames: [String] = [], key: String, spkiSHA256: [UInt8], spkiSHA1: [UInt8],
        certificate: CertificatePart? = nil
    ) {
        self.role = role
        self.subject = subject
        self.dnsNames = dnsNames
        self.key = key
        self.spkiSHA256 = spkiSHA256
        self.spkiSHA1 = spkiSHA1
        self.certificate = certificate
    }

    /// As a profile and OkHttp write it: `sha256/` and base64.
    package var pin: String { "sha256/\(Base64.encode(spkiSHA256))" }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("role", role.rawValue)
        json.field("subject", orNull: subject)
        json.field("issuer", orNull: certificate?.issuer)
        json.field("not_before", orNull: certificate?.notBefore.rfc3339)
        json.field("not_after", orNull: certificate?.notAfter.rfc3339)
        json.field("key", key)
        json.field("dns_names", dnsNames)
        json.field("spki_sha256", Base64.encode(spkiSHA256))
        json.field("spki_sha256_hex", Hex.encode(spkiSHA256))
        json.field("spki_sha1", Base64.encode(spkiSHA1))
        json.field("certificate_sha256_hex", orNull: (certificate?.sha256).map { Hex.encode($0) })
        json.field("certificate_sha1_hex", orNull: (certificate?.sha1).map { Hex.encode($0) })
        json.endObject()
    }
}
