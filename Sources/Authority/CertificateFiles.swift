import COpenSSL
import Facts

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

    /// Every certificate of a file, in order: PEM with one or many (other blocks between them are passed over), or one
    /// in DER. A file without a certificate, or with one that cannot be parsed, is an error that names it.
    package static func readAll(path: String) throws(CAError) -> [Certificate] {
        let bytes = try File.read(path, atMost: largestFile)
        if File.contains("-----BEGIN ", in: bytes) { return try readPEM(bytes, path) }
        // A certificate is a SEQUENCE; anything else is told apart from a damaged certificate.
        guard bytes.first == 0x30 else { throw noCertificate(path, bytes) }
        do throws(OpenSSLError) {
            return [try Certificate(der: bytes)]
        } catch {
            throw CAError(.unusable, "\(path): \(error)")
        }
    }

    /// Twenty times the size of a system's bundle of roots.
    static let largestFile = 4 << 20

    private static func readPEM(_ bytes: [UInt8], _ path: String) throws(CAError) -> [Certificate] {
        let memory = MemoryBIO(bytes)
        var out: [Certificate] = []
        while true {
            do throws(OpenSSLError) {
                let x509 = try unsafe OpenSSLError.trying("read certificate \(out.count + 1)") {
                    unsafe PEM_read_bio_X509(memory.bio, nil, nil, nil)
                }
                out.append(try unsafe Certificate(adopting: x509))
            } catch {
                // The end of the file looks like a missing next block.
                guard error.entries.last?.reasonCode == Int(PEM_R_NO_START_LINE), error.entries.count == 1 else {
                    throw CAError(.unusable, "\(path): \(error)")
                }
                guard !out.isEmpty else { throw noCertificate(path, bytes) }
                return out
            }
        }
    }

    private static func noCertificate(_ path: String, _ bytes: [UInt8]) -> CAError {
        CAError(
            .unusable, "\(path): there is no certificate in this file",
            hint: File.contains("PRIVATE KEY-----", in: bytes)
                ? "it holds a private key; give the certificate's file" : "certificates are read as PEM or DER")
    }
}

extension PrivateKey {
    /// Reads a key file: PEM, or DER.
    ///
    /// - Parameter isLent: whose permissions are its owner's business; any other must be readable to its owner alone.
    package static func read(path: String, isLent: Bool = false) throws(CAError) -> PrivateKey {
        // The largest key in use, RSA with 16,384 bits, takes 13 KB.
        let bytes = isLent ? try File.read(path, atMost: 1 << 16) : try File.readSecret(path, atMost: 1 << 16)
        do {
            let isDER = bytes.first == 0x30 && !File.contains("-----BEGIN ", in: bytes)
            return isDER ? try PrivateKey(der: bytes) : try PrivateKey(pem: bytes)
        } catch {
            if File.contains("ENCRYPTED", in: bytes) {
                throw CAError(
                    .unusable, "\(path): the key is encrypted, and pinproof asks for no password",
                    hint: "write it without one: openssl pkey -in \(path) -out plain.key")
            }
            let isPEM = File.contains("PRIVATE KEY-----", in: bytes)
            throw CAError(
                .unusable, isPEM ? "\(path): \(error)" : "\(path): there is no private key in this file",
                hint: isPEM ? nil : "keys are read as PEM or DER, without a password")
        }
    }
}
