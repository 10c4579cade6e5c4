import Facts
import TLS

/// What a certificate must be for leaves to be signed by it, with an error for each lack.
enum AuthorityCheck {
    /// `where` is the file it came from; every message begins with it.
    static func require(_ certificate: Certificate, at path: String, now: Double) throws(CAError) {
        guard certificate.hasReadableExtensions else {
            throw CAError(.unusable, "\(path): an extension of the certificate cannot be read")
        }
        guard certificate.isAuthority else {
            throw CAError(
                .notAnAuthority, "\(path): \(certificate.subject) is not a CA certificate (no CA:TRUE)",
                hint: "give the certificate of the CA itself, not one that it issued")
        }
        guard certificate.permitsSigningCertificates else {
            throw CAError(.notAnAuthority, "\(path): the key usage of \(certificate.subject) has no keyCertSign")
        }
        guard certificate.permitsServers else {
            throw CAError(
                .notAnAuthority, "\(path): the extended key usage of \(certificate.subject) excludes servers")
        }
        try requireDates(certificate, at: path, now: now)
        switch certificate.keyType {
        case .ec where KeyType.tlsCurves.contains(certificate.keyType): break
        case .rsa(let bits) where bits >= 2048: break
        case let type:
            throw CAError(
                .unusable, "\(path): a CA key of type \(type) cannot be used",
                hint: "use EC P-256, P-384, P-521, or RSA with 2048 bits or more")
        }
    }

    private static func requireDates(_ certificate: Certificate, at path: String, now: Double) throws(CAError) {
        guard Double(certificate.notAfter) > now else {
            let end = certificate.notAfter == .min ? "at no readable time" : "on \(day(certificate.notAfter))"
            throw CAError(
                .expired, "\(path): the CA certificate ended \(end)",
                hint: "make a new one: pinproof ca remove, then pinproof ca init")
        }
        guard Double(certificate.notBefore) <= now else {
            let begin = certificate.notBefore == .max ? "at no readable time" : "on \(day(certificate.notBefore))"
            throw CAError(
                .expired, "\(path): the CA certificate begins \(begin)", hint: "check the clock of this machine")
        }
    }

    private static func day(_ seconds: Int64) -> String { UTCTime(unix: seconds).date.description }
}
