import Facts
import TLS

/// A chain that a team is about to deploy, as its files hold it.
package struct RehearsedChain: Sendable {
    /// The team's.
    package let name: String
    /// As the file has them, the server's own first.
    package let certificates: [Certificate]
    /// nil where it was not given: then the chain cannot be shown.
    package let key: PrivateKey?
    /// Up to a root that origins are verified against; nil where nothing here vouches for it.
    package let path: [Certificate]?

    /// Reads them; what cannot serve its purpose is an error that says what to do.
    ///
    /// - Parameter key: the path of the leaf's private key.
    package init(name: String, chain: String, key: String?, trust: TrustStore) throws {
        self.name = name
        certificates = try Certificate.readAll(path: chain)
        guard let leaf = certificates.first else {
            throw CAError(.unusable, "\(chain): there is no certificate in this file")
        }
        let others = certificates.dropFirst()
        guard !leaf.isAuthority || !others.contains(where: { leaf.signed($0) && leaf.subjectDER == $0.issuerDER })
        else {
            throw CAError(
                .unusable, "\(chain): its first certificate, \(leaf.subject), issued another one in it",
                hint: "the server's own certificate comes first, what issued it after it")
        }
        self.key = try key.map { (path) throws(CAError) in
            let key = try PrivateKey.read(path: path, isLent: true)
            guard !key.matches(leaf) || key.signsWhatItsCertificateRefuses else { return key }
            throw CAError(
                .mismatch, "\(path): the key does not belong to \(leaf.subject), the first in \(chain)",
                hint:
                    "--with wants NAME=CHAIN,KEY: a chain, the server's own certificate first, and the key of that one")
        }
        path = try trust.path(of: certificates)
    }

    package var leaf: Certificate? { certificates.first }

    /// To be presented: with its key, or where that is not at hand with one that does not belong to it, whose signature no
    /// client takes. nil for kinds of keys that cannot be imitated.
    package var presented: PresentedChain? {
        guard let leaf else { return nil }
        if let key { return PresentedChain(certificates: certificates, key: key) }
        guard let other = try? PrivateKey.withoutItsPrivateKey(publicOf: leaf), other.signsWhatItsCertificateRefuses
        else { return nil }
        return PresentedChain(certificates: certificates, key: other)
    }

    /// The path, or what the file holds.
    package var longest: [Certificate] { path ?? certificates }

    /// The file does not hold what issued the leaf, and the leaf did not issue itself.
    package var lacksIssuer: Bool {
        guard let leaf else { return true }
        return leaf.subjectDER != leaf.issuerDER
            && !certificates.dropFirst().contains { $0.subjectDER == leaf.issuerDER }
    }
}
