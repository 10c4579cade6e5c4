import COpenSSL
import CShim

/// What a client keeps of a session to resume it later. For tests: the proxy's own legs resume nothing.
///
/// Unchecked Sendable: an SSL_SESSION is counted atomically, and not changed once its connection is over.
@safe package final class KeptSession: @unchecked Sendable {
    fileprivate let session: OpaquePointer

    fileprivate init(adopting session: OpaquePointer) { unsafe self.session = session }

    deinit { unsafe SSL_SESSION_free(session) }
}

extension TLSSession {
    /// The session as it stands: in TLS 1.3 with the last ticket that was read, if one was.
    package var kept: KeptSession? {
        guard let session = unsafe SSL_get1_session(ssl) else { return nil }
        return unsafe KeptSession(adopting: session)
    }

    /// Before `start`: asks to resume a session.
    package func offer(_ kept: KeptSession) {
        _ = unsafe SSL_set_session(ssl, kept.session)
    }

    /// Before `start`: in TLS 1.2 a session then goes by its id.
    package func declineTickets() {
        _ = unsafe SSL_set_options(ssl, pp_SSL_OP_NO_TICKET())
    }
}
