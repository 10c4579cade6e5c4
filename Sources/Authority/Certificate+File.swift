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
