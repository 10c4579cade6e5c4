import COpenSSL
import CShim

/// What a server agrees on with a client, where it is to be what the client's origin has agreed on.
///
/// A server chooses among what a client offers, and a client may have a rule of its own for what it takes (AES-256 alone, say):
/// where it is shown another choice than its origin's it refuses that, and not the chain. The origin was offered what the
/// client offers, in its order.
extension TLSSession {
    /// Before the handshake of this session, a server's. What cannot be had under our leaf's key goes by the client's order.
    ///
    /// - Parameter offered: the client's suites, in its order.
    func agree(as origin: TLSSession, offered: [UInt16]) {
        guard let cipher = unsafe SSL_get_current_cipher(origin.ssl), let text = unsafe SSL_CIPHER_get_name(cipher)
        else {
            return
        }
        let name = unsafe String(cString: text)
        let others = unsafe OriginOffer.names(of: offered, ssl)
        unsafe SSL_set_options(ssl, pp_SSL_OP_CIPHER_SERVER_PREFERENCE())
        if name.hasPrefix("TLS_") {
            var suites = [name]
            for other in others.filter(\.isTLS13).map(\.name) + OriginOffer.ownModern where !suites.contains(other) {
                suites.append(other)
            }
            unsafe SSL_set_ciphersuites(ssl, suites.joined(separator: ":"))
        } else {
            let bulk = Self.exchanges.first(where: name.hasPrefix).map { name.dropFirst($0.count) }
            // By RSA alone the client encrypts to the certificate's key, which we may not have, and nothing is signed by it.
            let first =
                bulk.map { [name, "ECDHE-ECDSA-\($0)", "ECDHE-RSA-\($0)"] }
                ?? ["ECDHE-ECDSA-\(name)", "ECDHE-RSA-\(name)"]
            let rest = others.filter { !$0.isTLS13 }.map(\.name) + [OriginOffer.ownOlder]
            unsafe SSL_set_cipher_list(ssl, (first + rest).joined(separator: ":"))
        }
        // What could not be set stays as it was.
        ERR_clear_error()
    }

    /// As OpenSSL's names of suites before TLS 1.3 begin; a key exchange by RSA alone has nothing there.
    private static let exchanges = ["ECDHE-ECDSA-", "ECDHE-RSA-", "ECDHE-", "DHE-RSA-", "DHE-DSS-", "DHE-"]
}
