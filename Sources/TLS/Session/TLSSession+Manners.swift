import COpenSSL
import CShim

/// What servers do beside their certificate: stapling, and sessions to keep.
extension TLSSession {
    /// What a server leaves its client with, to resume a session of TLS 1.2 by.
    package enum Keepsake: Hashable, Sendable { case nothing, id, ticket }

    // MARK: An origin's

    /// Before `start`: asks for a stapled OCSP answer (RFC 6066 §8).
    func askForStatus() {
        asksForStatus = true
        unsafe pp_SSL_ask_for_status(ssl)
    }

    /// What the origin has stapled, as it came; nil where nothing was.
    var stapledAnswer: [UInt8]? {
        var answer: UnsafePointer<UInt8>?
        let count = unsafe pp_SSL_get_status(ssl, &answer)
        guard count > 0, let answer = unsafe answer else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: answer, count: count))
    }

    /// What the origin left us with; in TLS 1.3 that comes after the handshake, by tickets.
    package var keepsake: Keepsake {
        guard unsafe SSL_version(ssl) < TLS1_3_VERSION, let session = unsafe SSL_get_session(ssl) else {
            return .nothing
        }
        if unsafe SSL_SESSION_has_ticket(session) == 1 { return .ticket }
        var count: UInt32 = 0
        _ = unsafe SSL_SESSION_get_id(session, &count)
        return count > 0 ? .id : .nothing
    }

    // MARK: Ours

    /// More than any server hands out.
    private static let ticketLimit = 16

    /// After the handshake, in TLS 1.3: hands out as many tickets as the origin has by now.
    package func handOutTickets(like origin: TLSSession) {
        guard case .open = status else { return }
        let due = min(origin.sessionsGiven, Self.ticketLimit)
        while ticketsGiven < due {
            ticketsGiven += 1
            ERR_clear_error()
            guard unsafe SSL_version(ssl) == TLS1_3_VERSION, unsafe SSL_new_session_ticket(ssl) == 1,
                unsafe SSL_do_handshake(ssl) == 1
            else { return ERR_clear_error() }
        }
    }
}

/// OpenSSL's question for an answer to staple, where the client asks for one.
func stapleAnswer(_ ssl: OpaquePointer?, _: UnsafeMutableRawPointer?) -> Int32 {
    guard let staple = unsafe TLSSession.of(ssl)?.staple, !staple.isEmpty,
        let copy = unsafe CRYPTO_malloc(staple.count, nil, 0)
    else { return SSL_TLSEXT_ERR_NOACK }
    unsafe copy.copyMemory(from: staple, byteCount: staple.count)
    unsafe pp_SSL_set_status(ssl, copy.assumingMemoryBound(to: UInt8.self), staple.count)
    return SSL_TLSEXT_ERR_OK
}
