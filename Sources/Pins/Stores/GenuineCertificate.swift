import Facts

/// A certificate of a host's genuine chain, as plain values.
package struct GenuineCertificate: Hashable, Sendable {
    package enum Role: String, Hashable, Sendable { case leaf, intermediate, root }

    package var role: Role
    /// RFC 4514: `CN=YE1,O=Let's Encrypt,C=US`.
    package var subject: String
    package var issuer: String
    /// As `pinproof pins` names it: `RSA-2048`, `EC-P256`.
    package var key: String
    /// The days in UTC; the last one is still valid for a part.
    package var notBefore: CalendarDate
    package var notAfter: CalendarDate
    package var spkiSHA256: [UInt8]
    /// Empty where they are not known.
    package var spkiSHA1: [UInt8]
    package var certificateSHA256: [UInt8]
    package var certificateSHA1: [UInt8]

    package init(
        _ role: Role, subject: String, issuer: String, key: String, notBefore: CalendarDate, notAfter: CalendarDate,
        spkiSHA256: [UInt8], spkiSHA1: [UInt8] = [], certificateSHA256: [UInt8] = [], certificateSHA1: [UInt8] = []
    ) {
        self.role = role
        self.subject = subject
        self.issuer = issuer
        self.key = key
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.spkiSHA256 = spkiSHA256
        self.spkiSHA1 = spkiSHA1
        self.certificateSHA256 = certificateSHA256
        self.certificateSHA1 = certificateSHA1
    }

    /// Signed by itself, as far as names tell.
    package var isSelfIssued: Bool { subject == issuer }
    /// Days from the first to the last.
    package var lifetime: Int { notAfter.daysSince1970 - notBefore.daysSince1970 }
    /// `sha256/BASE64` of its key.
    package var pin: String { "sha256/" + Base64.encode(spkiSHA256) }

    /// Whether a pin is of this certificate; nil where its digest of that kind is not known.
    package func matches(_ pin: DeclaredPin) -> Bool? {
        guard let digest = pin.digest else { return false }
        if pin.part == .leaf, role != .leaf { return false }
        if pin.part == .ca, role == .leaf { return false }
        let own: [UInt8] =
            switch pin.kind {
            case .spkiSHA256: spkiSHA256
            case .spkiSHA1: spkiSHA1
            case .certificateSHA256: certificateSHA256
            case .certificateSHA1: certificateSHA1
            case .certificateMD5: []
            }
        return own.isEmpty ? nil : own == digest
    }
}

extension [GenuineCertificate] {
    /// The pin matches one of them; nil where that cannot be told.
    func contain(_ pin: DeclaredPin) -> Bool? {
        let answers = map { $0.matches(pin) }
        if answers.contains(true) { return true }
        return answers.contains { $0 == nil } ? nil : false
    }

    /// The public root that the last one names as its issuer, where it is not among them.
    var unshownRoot: KnownRoot? {
        guard let last, !last.isSelfIssued else { return nil }
        return KnownRoot.named(last.issuer)
    }
}

extension GenuineCertificate {
    var digests: CertificateDigests {
        var digests: [DeclaredPin.Kind: [UInt8]] = [.spkiSHA256: spkiSHA256]
        if !spkiSHA1.isEmpty { digests[.spkiSHA1] = spkiSHA1 }
        if !certificateSHA256.isEmpty { digests[.certificateSHA256] = certificateSHA256 }
        if !certificateSHA1.isEmpty { digests[.certificateSHA1] = certificateSHA1 }
        return CertificateDigests(digests)
    }
}
