import COpenSSL
import CShim

/// What a server agrees on with a client, where it is to be what the client's origin has agreed on.
///
/// A server chooses among what a client offers, and a client may have a rule of its own for what it takes (AES-256 alone, say):
/// where it is shown another choice than its origin's it refuses that, and not the chain. The origin was offered what the
/// client offers, in its order.
extension TLSSession {
    /// Before the handshake of this session, a server's. What cannot be had under our leaf's key is left to the client's order.
    func agree(as origin: TLSSession) {
        guard let cipher = unsafe SSL_get_current_cipher(origin.ssl), let text = unsafe SSL_CIPHER_get_name(cipher)
        else {
            return
        }
        let name = unsafe String(cString: text)
        unsafe SSL_set_options(ssl, pp_SSL_OP_CIPHER_SERVER_PREFERENCE())
        if name.hasPrefix("TLS_") {
            let suites = [name] + OriginOffer.ownModern.filter { $0 != name }
            unsafe SSL_set_ciphersuites(ssl, suites.joined(separator: ":"))
        } else {
            let bulk = Self.exchanges.first(where: name.hasPrefix).map { name.dropFirst($0.count) } ?? name[...]
            unsafe SSL_set_cipher_list(ssl, "\(name):ECDHE-ECDSA-\(bulk):ECDHE-RSA-\(bulk):\(OriginOffer.ownOlder)")
        }
        // What could not be set stays as it was.
        ERR_clear_error()
    }

    /// As OpenSSL's names of suites before TLS 1.3 begin; a key exchange by RSA alone has nothing there.
    private static let exchanges = ["ECDHE-ECDSA-", "ECDHE-RSA-", "DHE-RSA-", "DHE-DSS-"]
}
