import Facts

/// One pin as a file declares it, with what it is a hash of.
package struct DeclaredPin: Hashable, Sendable {
    /// What is hashed.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The SubjectPublicKeyInfo (RFC 7469 §2.4), 32 bytes.
        case spkiSHA256
        /// The same, 20 bytes: OkHttp's old `sha1/`.
        case spkiSHA1
        /// The whole certificate: 32, 20 and 16 bytes.
        case certificateSHA256, certificateSHA1, certificateMD5

        /// Bytes of such a digest.
        package var size: Int {
            switch self {
            case .spkiSHA256, .certificateSHA256: 32
            case .spkiSHA1, .certificateSHA1: 20
            case .certificateMD5: 16
            }
        }
        package var isOfKey: Bool { self == .spkiSHA256 || self == .spkiSHA1 }
    }

    /// Which certificates of the verified chain it is compared with.
    package enum Part: String, Hashable, Sendable {
        case any, leaf, ca
    }

    package var kind: Kind
    package var part: Part
    /// As it stands in the file, without its algorithm.
    package var text: String
    /// The digest; nil where the text is none of that kind: such a pin matches nothing.
    package var digest: [UInt8]?
    /// From 1.
    package var line: Int

    package init(_ kind: Kind, part: Part = .any, text: String, digest: [UInt8]?, line: Int) {
        self.kind = kind
        self.part = part
        self.text = text
        self.digest = digest
        self.line = line
    }

    /// In base64, padded or not as the platform reads it.
    package init(base64 text: String, _ kind: Kind = .spkiSHA256, part: Part = .any, line: Int) {
        let bytes = Base64.decoded(Array(text.utf8)[...])
        self.init(kind, part: part, text: text, digest: bytes?.count == kind.size ? bytes : nil, line: line)
    }

    /// As reports and JSON name it: `sha256/BASE64`, and of certificates `certificate-sha256/HEX`. A malformed one as written.
    package var name: String {
        let value = digest.map { kind.isOfKey ? Base64.encode($0) : Hex.encode($0) } ?? text
        return switch kind {
        case .spkiSHA256: "sha256/\(value)"
        case .spkiSHA1: "sha1/\(value)"
        case .certificateSHA256: "certificate-sha256/\(value)"
        case .certificateSHA1: "certificate-sha1/\(value)"
        case .certificateMD5: "certificate-md5/\(value)"
        }
    }
}
