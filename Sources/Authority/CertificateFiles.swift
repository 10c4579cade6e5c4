import Policy
import TLS

extension Certificate {
    /// Every certificate of a file, in order: PEM with one or many (other blocks between them are passed over), or one
    /// in DER. A file without a certificate, or with one that cannot be parsed, is an error that names it.
    package static func readAll(path: String) throws(CAError) -> [Certificate] {
        let bytes = try File.read(path, atMost: largestFile)
        let found: [Certificate]
        do throws(OpenSSLError) {
            found = try Certificate.all(in: bytes)
        } catch {
            throw CAError(.unusable, "\(path): \(error)")
        }
        guard found.isEmpty else { return found }
        throw CAError(
            .unusable, "\(path): there is no certificate in this file",
            hint: PEM.holdsPrivateKey(bytes)
                ? "it holds a private key; give the certificate's file" : "certificates are read as PEM or DER")
    }

    /// Twenty times the size of a system's bundle of roots.
    static let largestFile = 4 << 20
}

extension PrivateKey {
    /// The largest key in use, RSA with 16,384 bits, takes 13 KB.
    private static let fileLimit = 64 * 1024

    /// Reads a key file: PEM, or DER.
    ///
    /// - Parameter isLent: whose permissions are its owner's business; any other must be readable to its owner alone.
    package static func read(path: String, isLent: Bool = false) throws(CAError) -> PrivateKey {
        let bytes = isLent ? try File.read(path, atMost: fileLimit) : try File.readSecret(path, atMost: fileLimit)
        do {
            let isDER = bytes.first == 0x30 && !PEM.isIn(bytes)
            return isDER ? try PrivateKey(der: bytes) : try PrivateKey(pem: bytes)
        } catch {
            if PEM.isEncrypted(bytes) {
                throw CAError(
                    .unusable, "\(path): the key is encrypted, and pinproof asks for no password",
                    hint: "write it without one: openssl pkey -in \(path) -out plain.key")
            }
            let isPEM = PEM.holdsPrivateKey(bytes)
            throw CAError(
                .unusable, isPEM ? "\(path): \(error)" : "\(path): there is no private key in this file",
                hint: isPEM ? nil : "keys are read as PEM or DER, without a password")
        }
    }
}

extension TrustStore {
    /// The system's roots, and the profile's.
    package static func forOrigins(of profile: Profile) throws -> TrustStore {
        var roots: [Certificate] = []
        for path in profile.upstream.roots { roots += try Certificate.readAll(path: path) }
        return try TrustStore(systemRoots: true, roots: roots)
    }
}
