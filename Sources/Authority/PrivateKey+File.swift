import TLS

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
