import Facts
import Pins
import TLS

extension PinnableItem {
    /// - Parameter isFirstOfServer: what a server shows first is its leaf, whatever it says of itself.
    init(_ material: PinMaterial, isFirstOfServer: Bool = false) {
        let key = (material.keyName, material.spkiSHA256, material.spkiSHA1)
        switch material.kind {
        case .certificate(let certificate):
            self.init(
                role: isFirstOfServer ? .leaf : Self.role(of: certificate), subject: certificate.subject,
                dnsNames: certificate.dnsNames, key: key.0, spkiSHA256: key.1, spkiSHA1: key.2,
                certificate: CertificatePart(
                    issuer: certificate.issuer, notBefore: UTCTime(unix: certificate.notBefore),
                    notAfter: UTCTime(unix: certificate.notAfter), sha256: SHA256.digest(certificate.der),
                    sha1: SHA1.digest(certificate.der)))
            addresses = certificate.addresses.map(\.description)
        case .request(let subject, let names):
            self.init(
                role: .request, subject: subject, dnsNames: names, key: key.0, spkiSHA256: key.1, spkiSHA1: key.2)
        case .key: self.init(role: .key, subject: nil, key: key.0, spkiSHA256: key.1, spkiSHA1: key.2)
        }
    }

    private static func role(of certificate: Certificate) -> Role {
        guard certificate.isAuthority else { return .leaf }
        return certificate.subjectDER == certificate.issuerDER && certificate.signed(certificate)
            ? .root : .intermediate
    }
}
