import COpenSSL
import CShim
import Facts
import Policy

/// Who the proxy says it is to an origin that asks: a certificate, its issuers and its key.
package final class ClientIdentity: Sendable {
    /// The one that the key belongs to, then its issuers as far as they are known.
    package let certificates: [Certificate]
    package let key: PrivateKey

    /// - Parameter certificates: in any order; nil where the key belongs to none of them.
    package init?(_ certificates: [Certificate], key: PrivateKey) {
        guard let leaf = certificates.first(where: key.matches) else { return nil }
        var chain = [leaf]
        // Each is taken once, so this ends.
        while let last = chain.last, !last.isSelfIssued,
            let issuer = certificates.first(where: { $0.subjectDER == last.issuerDER && !chain.contains($0) })
        {
            chain.append(issuer)
        }
        self.certificates = chain
        self.key = key
    }

    package var leaf: Certificate { certificates[0] }
}

/// Client certificates by the origins that they are for.
package struct ClientIdentities: Sendable {
    package let entries: [(pattern: HostPattern, identity: ClientIdentity)]

    package init(_ entries: [(pattern: HostPattern, identity: ClientIdentity)] = []) { self.entries = entries }

    /// That of the most specific pattern; nil where there is none for the host.
    package func identity(for host: HostName) -> ClientIdentity? {
        var best: (pattern: HostPattern, identity: ClientIdentity)?
        for entry in entries where entry.pattern.matches(host) {
            if best.map({ entry.pattern.isMoreSpecific(than: $0.pattern) }) ?? true { best = entry }
        }
        return best?.identity
    }
}

extension TLSSession {
    /// Before the handshake: answers whoever asks who we are, in TLS 1.3 also once the handshake is over (RFC 8446
    /// §4.6.2).
    func use(_ identity: ClientIdentity) throws(OpenSSLError) {
        try OpenSSLError.requiring("use the client certificate \(identity.leaf.subject)") {
            unsafe SSL_use_certificate(ssl, identity.leaf.x509) == 1
                && SSL_use_PrivateKey(ssl, identity.key.pkey) == 1
        }
        for certificate in identity.certificates.dropFirst() {
            try OpenSSLError.requiring("send an issuer of the client certificate") {
                unsafe pp_SSL_add1_chain_cert(ssl, certificate.x509) == 1
            }
        }
        unsafe SSL_set_post_handshake_auth(ssl, 1)
    }
}
