import COpenSSL
import CShim
import Facts

/// Makes the sessions that face clients; the certificate is set on each session.
///
/// Unchecked Sendable: nothing changes an SSL_CTX after `init`, and what OpenSSL itself keeps in it (tickets' keys, the
/// sessions of `resumable`) it guards by locks of its own. Its sessions are confined to the loop that made them.
@safe package final class ServerContext: @unchecked Sendable {
    /// What can be agreed with clients.
    package enum Kind: Hashable, Sendable {
        /// TLS 1.2 and 1.3; every session stands alone.
        case standard
        /// The same, and clients are left with ids or tickets, by which nothing is resumed. Those of TLS 1.3 are handed out
        /// one by one (`TLSSession.handOutTickets`).
        case forgetful(leaves: TLSSession.Keepsake)
        /// The same, with sessions that can be resumed by ticket or id, on every loop that shares the context.
        case resumable
        /// Every version and suite that this OpenSSL can still do.
        case legacy
        /// TLS 1.2 suites without encryption.
        case unencrypted
        /// TLS 1.2 suites without a certificate.
        case anonymous

        /// What a client sends behind its end of the session matters: it is examined.
        var isExamining: Bool { self != .standard }
    }

    package let kind: Kind
    private let context: OpaquePointer
    private let keyLog: KeyLog?

    /// Of one trial; a client has one a host.
    private static let sessionLimit = 1024
    /// Longer than a trial: whether a session is still good must not be a matter of time.
    private static let sessionSeconds = 86_400

    /// Bytes before the handshake, as servers have it that allow any; OpenSSL takes no more of them.
    private static let earlyData: UInt32 = 16_384

    /// - Parameter keyLog: told of every session's secrets.
    package init(_ kind: Kind = .standard, keyLog: KeyLog? = nil) throws(OpenSSLError) {
        self.kind = kind
        self.keyLog = keyLog
        unsafe context = try OpenSSLError.trying("make a TLS server context") {
            // Outdated suites may be of providers that only the default library context has.
            unsafe SSL_CTX_new_ex(kind == .legacy ? nil : pp_handshake_library(), nil, TLS_server_method())
        }
        unsafe SSL_CTX_set_options(context, pp_SSL_OP_NO_COMPRESSION() | pp_SSL_OP_NO_RENEGOTIATION())
        if kind == .resumable {
            unsafe pp_SSL_CTX_keep_sessions(context, Self.sessionLimit)
            unsafe SSL_CTX_set_timeout(context, Self.sessionSeconds)
            // Whoever is in the middle invites it: a client that has kept a session sends its request before it can look at
            // anything (RFC 8446 §8). A ticket may be shown as often as the client likes.
            unsafe SSL_CTX_set_max_early_data(context, Self.earlyData)
            unsafe SSL_CTX_set_options(context, pp_SSL_OP_NO_ANTI_REPLAY())
        } else if case .forgetful(let leaves) = kind {
            forget(leaving: leaves)
        } else {
            forget(leaving: .nothing)
        }
        unsafe pp_SSL_CTX_set_mode(context, Int(SSL_MODE_RELEASE_BUFFERS))
        // A genuine chain has to be presentable whatever it is signed with: judging it is the client's business.
        unsafe SSL_CTX_set_security_level(context, 0)
        unsafe pp_SSL_CTX_set_min_proto_version(context, kind == .legacy ? TLS1_VERSION : TLS1_2_VERSION)
        if let suites = Self.suites(kind) {
            try OpenSSLError.requiring("offer \(suites)") { unsafe SSL_CTX_set_cipher_list(context, suites) == 1 }
        }
        // Whatever an origin may be reached with: a client with one group alone has to be served as well.
        unsafe pp_SSL_CTX_choose_dh_parameters(context)
        let groups = "X25519:P-256:P-384:P-521:X448:ffdhe2048:ffdhe3072:ffdhe4096"
        try OpenSSLError.requiring("offer \(groups)") { unsafe pp_SSL_CTX_set1_groups_list(context, groups) == 1 }
        if keyLog != nil || kind.isExamining {
            unsafe SSL_CTX_set_keylog_callback(context) { unsafe keyLogged($0, $1) }
        }
        unsafe SSL_CTX_set_msg_callback(context) { unsafe messageSeen($0, $1, $2, $3, $4, $5, $6) }
        unsafe pp_SSL_CTX_set_status_callback(context) { unsafe stapleAnswer($0, $1) }
        unsafe SSL_CTX_set_alpn_select_cb(
            context, { ssl, out, outCount, list, count, _ in unsafe selectALPN(ssl, out, outCount, list, count) }, nil)
    }

    /// Never a resumed session: it would skip the very check that is examined.
    private func forget(leaving keepsake: TLSSession.Keepsake) {
        if keepsake == .id {
            unsafe pp_SSL_CTX_forget_sessions(context)
        } else {
            unsafe pp_SSL_CTX_disable_session_cache(context)
        }
        if keepsake == .ticket {
            // Whatever a ticket says: it is none that is known, and the client gets another one.
            unsafe SSL_CTX_set_session_ticket_cb(
                context, nil, { _, _, _, _, _, _ in SSL_TICKET_RETURN_IGNORE_RENEW }, nil)
        } else {
            unsafe SSL_CTX_set_options(context, pp_SSL_OP_NO_TICKET())
        }
        unsafe SSL_CTX_set_num_tickets(context, 0)
    }

    /// nil: as OpenSSL and the system's configuration have it.
    private static func suites(_ kind: Kind) -> String? {
        switch kind {
        case .standard, .forgetful, .resumable: nil
        case .legacy: "ALL:@SECLEVEL=0"
        case .unencrypted: "eNULL:!aNULL:@SECLEVEL=0"
        case .anonymous: "aNULL:@SECLEVEL=0"
        }
    }

    deinit { unsafe SSL_CTX_free(context) }

    /// A session that presents `chain` and mirrors what the origin agreed to.
    ///
    /// - Parameters:
    ///   - version: the only version offered; nil offers TLS 1.2 and 1.3.
    ///   - knowsNewer: says to a client that does not offer TLS 1.3 that the server could: by the end of the random (RFC 8446
    ///     §4.1.3), and by refusing a fallback that says it is one (RFC 7507 §3).
    ///   - alpn: the protocol to select from the client's list; nil answers no ALPN.
    ///   - host: the only one for which a session of this one's may be resumed.
    ///   - origin: the client is asked for a certificate where this one has asked us for one, by the same CAs' names.
    ///   - agreed: an origin's session whose suite is chosen, where the client offers it; and the client's suites, in its order.
    ///   - staple: an OCSP answer, for a client that asks for one.
    package func session(
        presenting chain: PresentedChain, version: TLSVersion?, knowsNewer: Bool = false, alpn: String?,
        for host: HostName? = nil,
        asking origin: TLSSession? = nil, agreeingAs agreed: (origin: TLSSession, offered: [UInt16])? = nil,
        stapling staple: [UInt8]? = nil,
        in workspace: TLSWorkspace
    ) throws(OpenSSLError) -> TLSSession {
        let session = try OpenSSLError.trying("make a TLS session") {
            unsafe TLSSession(context: context, workspace: workspace, output: workspace.towardsClient)
        }
        let ssl = unsafe session.ssl
        try OpenSSLError.requiring("use a certificate and its key") {
            guard let leaf = chain.certificates.first else { return false }
            return unsafe SSL_use_certificate(ssl, leaf.x509) == 1 && SSL_use_PrivateKey(ssl, chain.key.pkey) == 1
        }
        for certificate in chain.certificates.dropFirst() {
            try OpenSSLError.requiring("present a further certificate") {
                unsafe pp_SSL_add1_chain_cert(ssl, certificate.x509) == 1
            }
        }
        if kind == .resumable {
            session.readsEarlyData = true
            let name = SHA256.digest(Array((host?.text ?? "").utf8))
            try OpenSSLError.requiring("tell the sessions of hosts apart") {
                unsafe SSL_set_session_id_context(ssl, name, UInt32(name.count)) == 1
            }
        }
        if let origin, origin.wasAskedForCertificate {
            // What it shows, if anything, is the origin's business, and goes nowhere.
            unsafe SSL_set_verify(ssl, SSL_VERIFY_PEER) { _, _ in 1 }
            unsafe pp_SSL_copy_CA_names(ssl, origin.ssl)
        }
        if let version {
            try OpenSSLError.requiring("hold to TLS \(version)") {
                let highest = knowsNewer && version == .tls12 ? .tls13 : version
                return unsafe pp_SSL_set_version_range(ssl, Int32(version.rawValue), Int32(highest.rawValue)) == 1
            }
        }
        if let agreed { session.agree(as: agreed.origin, offered: agreed.offered) }
        session.staple = staple
        session.keyLog = keyLog.map { ($0, .client) }
        if kind.isExamining { session.clientSecrets = ClientSecrets() }
        session.selectedALPN = alpn.map { Array($0.utf8) }
        unsafe pp_SSL_set_msg_callback_arg(ssl, Unmanaged.passUnretained(session).toOpaque())
        unsafe SSL_set_accept_state(ssl)
        return session
    }
}

/// Selects the session's protocol out of the client's list (RFC 7301 §3.1), or acknowledges none.
private func selectALPN(
    _ ssl: OpaquePointer?, _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ selectedCount: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ offeredCount: UInt32
) -> Int32 {
    guard let session = unsafe TLSSession.of(ssl), let wanted = session.selectedALPN, let offered = unsafe offered,
        let selected = unsafe selected, let selectedCount = unsafe selectedCount
    else { return SSL_TLSEXT_ERR_NOACK }
    let list = unsafe UnsafeBufferPointer(start: offered, count: Int(offeredCount))
    var at = 0
    while at < list.count {
        let count = unsafe Int(list[at])
        guard at + 1 + count <= list.count else { break }
        if unsafe list[(at + 1)..<(at + 1 + count)].elementsEqual(wanted) {
            unsafe selected.pointee = offered + at + 1
            unsafe selectedCount.pointee = UInt8(count)
            return SSL_TLSEXT_ERR_OK
        }
        at += 1 + count
    }
    return SSL_TLSEXT_ERR_NOACK
}
