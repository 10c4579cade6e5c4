import COpenSSL
import CShim

@testable import TLS

/// What clients and origins do that the proxy's own legs never do.
extension TLSSession {
    /// The session as it stands: in TLS 1.3 with the last ticket that was read, if one was.
    package var kept: KeptSession? {
        guard let session = unsafe SSL_get1_session(ssl) else { return nil }
        return unsafe KeptSession(adopting: session)
    }

    /// Before `start`: asks to resume a session.
    package func offer(_ kept: KeptSession) { _ = unsafe SSL_set_session(ssl, kept.session) }

    /// Before `start`: in TLS 1.2 a session then goes by its id.
    package func declineTickets() { _ = unsafe SSL_set_options(ssl, pp_SSL_OP_NO_TICKET()) }

    /// Before the handshake: a server asks for a client certificate, and does without.
    package func askForCertificate() { unsafe SSL_set_verify(ssl, SSL_VERIFY_PEER, nil) }
}

/// Either side of TLS 1.2 that begins its handshake anew.
extension TLSSession {
    /// What it says goes out with what is taken next. False where it is of TLS 1.3, which has no such thing.
    package func renegotiate() -> Bool {
        _ = unsafe SSL_clear_options(ssl, pp_SSL_OP_NO_RENEGOTIATION())
        guard unsafe SSL_renegotiate(ssl) == 1 else { return false }
        _ = unsafe SSL_do_handshake(ssl)
        return true
    }
}

/// Servers that want to know who their client is.
extension TLSSession {
    /// Before the handshake: it fails for who shows no certificate; whoever's it is will do.
    package func requireCertificate() {
        unsafe SSL_set_verify(ssl, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT) { _, _ in 1 }
    }

    /// TLS 1.3, after the handshake: asks for it. False where the client did not say that it may be asked.
    package func requireCertificateNow() -> Bool {
        requireCertificate()
        return unsafe SSL_verify_client_post_handshake(ssl) == 1 && SSL_do_handshake(ssl) == 1
    }

    /// The peer's, that was shown by now.
    package var shownCertificate: Certificate? {
        guard let shown = unsafe SSL_get1_peer_certificate(ssl) else { return nil }
        return try? unsafe Certificate(adopting: shown)
    }
}

/// What a client was given beside the certificate.
extension TLSSession {
    /// The OCSP answer that was stapled for it.
    package var shownStaple: [UInt8]? { stapledAnswer }

    /// Sessions to keep; in TLS 1.3 the tickets that were read by now.
    package var keptCount: Int { sessionsGiven }
}

extension PresentedChain {
    /// What an origin with this chain staples: its issuer's word from an hour ago, for four days. nil for a chain whose
    /// issuer nobody knows.
    package func genuineStaple(now: Double) throws(OpenSSLError) -> [UInt8]? {
        guard case .issuer(let responder) = voucher else { return nil }
        let begin = Int64(now) - 3600
        return try responder.answer(
            like: StapleForm(producedAt: begin, thisUpdate: begin, nextUpdate: begin + 4 * 86_400))
    }
}

/// Who says more within TLS than anybody needs.
extension TLSSession {
    /// TLS 1.3, after the handshake: new keys from here on, and new ones asked of the peer.
    package func changeKeys() -> Bool {
        unsafe SSL_key_update(ssl, Int32(SSL_KEY_UPDATE_REQUESTED)) == 1 && SSL_do_handshake(ssl) == 1
    }

    /// Before `start`: the one suite whose records tests seal by themselves.
    /// Takes this suite, as OpenSSL calls it, and no others.
    package func insist(on suite: String) {
        if suite.hasPrefix("TLS_") {
            unsafe SSL_set_ciphersuites(ssl, suite)
        } else {
            unsafe SSL_set_cipher_list(ssl, suite)
        }
    }

    package func offerAES128() { _ = unsafe SSL_set_ciphersuites(ssl, "TLS_AES_128_GCM_SHA256") }
}
