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
