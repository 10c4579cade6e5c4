import COpenSSL
import CShim
import Facts

/// Makes the sessions that face clients: one SSL_CTX for a loop's life, the certificate set on each session.
@safe public final class ServerContext {
    private let context: OpaquePointer

    public init() throws(OpenSSLError) {
        unsafe context = try OpenSSLError.trying("make a TLS server context") {
            unsafe SSL_CTX_new(TLS_server_method())
        }
        // Never a resumed session: it would skip the very check that is examined.
        unsafe SSL_CTX_set_options(
            context, pp_SSL_OP_NO_TICKET() | pp_SSL_OP_NO_COMPRESSION() | pp_SSL_OP_NO_RENEGOTIATION())
        unsafe pp_SSL_CTX_disable_session_cache(context)
        unsafe SSL_CTX_set_num_tickets(context, 0)
        unsafe pp_SSL_CTX_set_mode(context, Int(SSL_MODE_RELEASE_BUFFERS))
        // A genuine chain has to be presentable whatever it is signed with: judging it is the client's business.
        unsafe SSL_CTX_set_security_level(context, 0)
        unsafe pp_SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION)
        unsafe pp_SSL_CTX_set1_groups_list(context, "X25519:P-256:P-384:P-521")
        unsafe SSL_CTX_set_msg_callback(context) { unsafe messageSeen($0, $1, $2, $3, $4, $5, $6) }
        unsafe SSL_CTX_set_alpn_select_cb(
            context, { ssl, out, outCount, list, count, _ in unsafe selectALPN(ssl, out, outCount, list, count) }, nil)
    }

    deinit { unsafe SSL_CTX_free(context) }

    /// A session that presents `chain` and mirrors what the origin agreed to.
    ///
    /// - Parameters:
    ///   - version: the only version offered; nil offers TLS 1.2 and 1.3.
    ///   - alpn: the protocol to select from the client's list; nil answers no ALPN.
    public func session(
        presenting chain: PresentedChain, version: TLSVersion?, alpn: String?, in workspace: TLSWorkspace
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
        if let version {
            try OpenSSLError.requiring("hold to TLS \(version)") {
                unsafe pp_SSL_set_version_range(ssl, Int32(version.rawValue), Int32(version.rawValue)) == 1
            }
        }
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
