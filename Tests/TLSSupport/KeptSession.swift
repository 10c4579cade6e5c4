import COpenSSL

/// What a client keeps of a session, to resume it later.
///
/// Unchecked Sendable: an SSL_SESSION is counted atomically, and not changed once its connection is over.
@safe package final class KeptSession: @unchecked Sendable {
    let session: OpaquePointer

    init(adopting session: OpaquePointer) { unsafe self.session = session }

    deinit { unsafe SSL_SESSION_free(session) }
}
