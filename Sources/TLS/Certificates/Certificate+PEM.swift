import COpenSSL
import Facts

/// What PEM text is told by (RFC 7468).
package enum PEM {
    /// Whether the bytes hold PEM at all, wherever in them it begins.
    package static func isIn(_ bytes: [UInt8]) -> Bool { contains("-----BEGIN ", in: bytes) }

    package static func holdsPrivateKey(_ bytes: [UInt8]) -> Bool { contains("PRIVATE KEY-----", in: bytes) }

    package static func isEncrypted(_ bytes: [UInt8]) -> Bool { contains("ENCRYPTED", in: bytes) }

    static func contains(_ text: String, in bytes: [UInt8]) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first, bytes.count >= wanted.count else { return false }
        return (0...bytes.count - wanted.count).contains {
            bytes[$0] == first && bytes[$0..<$0 + wanted.count].elementsEqual(wanted)
        }
    }
}

extension Certificate {
    /// The first certificate of PEM text.
    package convenience init(pem: [UInt8]) throws(OpenSSLError) {
        let memory = MemoryBIO(pem)
        let x509 = try unsafe OpenSSLError.trying("read a certificate") {
            unsafe PEM_read_bio_X509(memory.bio, nil, nil, nil)
        }
        try unsafe self.init(adopting: x509)
    }

    /// PEM text of this certificate, with its line breaks.
    package var pem: String {
        let text = Array(Base64.encode(der).utf8)
        var out = "-----BEGIN CERTIFICATE-----\n"
        for start in stride(from: 0, to: text.count, by: 64) {
            out += String(decoding: text[start..<min(start + 64, text.count)], as: UTF8.self) + "\n"
        }
        return out + "-----END CERTIFICATE-----\n"
    }

    /// Every certificate in the bytes, in order: PEM with one or many (other blocks between them are passed over), or
    /// one in DER. None where the bytes are neither; one that cannot be parsed is an error.
    package static func all(in bytes: [UInt8]) throws(OpenSSLError) -> [Certificate] {
        if PEM.isIn(bytes) { return try all(inPEM: bytes) }
        // A certificate is a SEQUENCE; anything else is told apart from a damaged certificate.
        return bytes.first == 0x30 ? [try Certificate(der: bytes)] : []
    }

    private static func all(inPEM bytes: [UInt8]) throws(OpenSSLError) -> [Certificate] {
        let memory = MemoryBIO(bytes)
        var out: [Certificate] = []
        while true {
            do throws(OpenSSLError) {
                let x509 = try unsafe OpenSSLError.trying("read certificate \(out.count + 1)") {
                    unsafe PEM_read_bio_X509(memory.bio, nil, nil, nil)
                }
                out.append(try unsafe Certificate(adopting: x509))
            } catch {
                // The end of the text looks like a missing next block.
                guard error.entries.last?.reasonCode == Int(PEM_R_NO_START_LINE), error.entries.count == 1 else {
                    throw error
                }
                return out
            }
        }
    }
}
