import COpenSSL
import CShim
import Facts

/// Makes the sessions that face origins, and verifies their chains.
@safe package final class ClientContext {
    private let context: OpaquePointer
    fileprivate let memory: VerificationMemory
    var sessions = OriginSessions()
    private let identities: ClientIdentities
    private let keyLog: KeyLog?
    private let lowest: TLSVersion
    /// Bits of an origin's Diffie-Hellman group: with 4,096 the secret takes 50 ms, with the 10,000 that OpenSSL allows 1.4 s,
    /// in which nobody else on the loop is served.
    private static let groupLimit: Int32 = 4096

    /// - Parameters:
    ///   - identities: what origins are shown that ask for a certificate.
    ///   - keyLog: told of every session's secrets.
    ///   - offer: what is offered instead of the proxy's own.
    ///   - memory: of chains that verified against the same roots.
    package init(
        trust: TrustStore, identities: ClientIdentities = ClientIdentities(), keyLog: KeyLog? = nil,
        offering offer: OriginOffer? = nil, memory: VerificationMemory = VerificationMemory()
    ) throws(OpenSSLError) {
        self.identities = identities
        self.keyLog = keyLog
        self.memory = memory
        lowest = max(offer?.lowest ?? .tls12, .tls12)
        unsafe context = try OpenSSLError.trying("make a TLS client context") {
            unsafe SSL_CTX_new_ex(pp_handshake_library(), nil, TLS_client_method())
        }
        unsafe SSL_CTX_set1_cert_store(context, trust.store)
        unsafe SSL_CTX_set_options(context, pp_SSL_OP_NO_COMPRESSION() | pp_SSL_OP_NO_RENEGOTIATION())
        unsafe pp_SSL_CTX_tell_of_sessions(context)
        unsafe SSL_CTX_sess_set_new_cb(context) { ssl, given in
            guard let session = unsafe TLSSession.of(ssl) else { return 0 }
            session.sessionsGiven += 1
            // 0: nobody keeps it.
            guard let given = unsafe given else { return 0 }
            return unsafe session.keep(given) ? 1 : 0
        }
        unsafe pp_SSL_CTX_set_mode(context, Int(SSL_MODE_RELEASE_BUFFERS))
        unsafe pp_SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION)
        unsafe pp_SSL_CTX_set1_groups_list(context, "X25519:P-256:P-384:P-521")
        if let offer { unsafe offer.apply(to: context) }
        unsafe pp_SSL_CTX_bound_dh(context, Self.groupLimit)
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        // C keeps this pointer until SSL_CTX_free, which deinit calls; sessions hold their own reference to the
        // SSL_CTX, so `session` makes them retain this object as well.
        unsafe SSL_CTX_set_cert_verify_callback(
            context, { unsafe verifyOrigin($0, $1) }, Unmanaged.passUnretained(self).toOpaque())
        unsafe SSL_CTX_set_cert_cb(
            context,
            { ssl, _ in
                unsafe TLSSession.of(ssl)?.wasAskedForCertificate = true
                // 1: what is there is shown.
                return 1
            }, nil)
        unsafe SSL_CTX_set_client_cert_cb(context) { ssl, _, _ in
            unsafe TLSSession.of(ssl)?.asksForCertificate = true
            // 0: none; the handshake goes on without.
            return 0
        }
        unsafe SSL_CTX_set_info_callback(context) { ssl, event, detail in
            guard event == SSL_CB_WRITE_ALERT, UInt8(truncatingIfNeeded: detail) == AlertCode.noRenegotiation.rawValue
            else { return }
            unsafe TLSSession.of(ssl)?.refusedRenegotiation = true
        }
        if keyLog != nil { unsafe SSL_CTX_set_keylog_callback(context) { unsafe keyLogged($0, $1) } }
    }

    deinit { unsafe SSL_CTX_free(context) }

    /// A session with an origin.
    ///
    /// - Parameters:
    ///   - sni: the name to ask for; nil sends none.
    ///   - host: what the origin's certificate must be for.
    ///   - alpn: protocols to offer, in order.
    ///   - maxVersion: the client's own highest version, so that what is agreed can be mirrored to it.
    ///   - asksForStatus: it is asked for a stapled OCSP answer.
    ///   - place: where sessions are resumed that the origin gave there; nil makes a whole handshake.
    package func session(
        sni: HostName?, verifying host: HostName, alpn: [String], maxVersion: TLSVersion, asksForStatus: Bool = false,
        resumingAt place: Endpoint? = nil, in workspace: TLSWorkspace
    ) throws(OpenSSLError) -> TLSSession {
        let session = try OpenSSLError.trying("make a TLS session") {
            unsafe TLSSession(context: context, workspace: workspace, output: workspace.towardsOrigin)
        }
        session.owner = self
        session.keyLog = keyLog.map { ($0, .origin) }
        let ssl = unsafe session.ssl
        session.expectedHost = host
        let identity = identities.identity(for: host)
        if let identity { try session.use(identity) }
        if let sni, !sni.isIP { unsafe pp_SSL_set_host_name(ssl, sni.text) }
        if asksForStatus { session.askForStatus() }
        let parameters = unsafe SSL_get0_param(ssl)
        unsafe X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        try OpenSSLError.requiring("expect the name \(host)") {
            if let address = host.address {
                return unsafe X509_VERIFY_PARAM_set1_ip(parameters, address.bytes, address.bytes.count) == 1
            }
            return unsafe X509_VERIFY_PARAM_set1_host(parameters, host.text, host.text.utf8.count) == 1
        }
        let offered = alpn.filter { (1...255).contains($0.utf8.count) }.flatMap {
            [UInt8($0.utf8.count)] + Array($0.utf8)
        }
        if !offered.isEmpty { unsafe SSL_set_alpn_protos(ssl, offered, UInt32(offered.count)) }
        let highest = max(min(maxVersion, .tls13), .tls12)
        unsafe pp_SSL_set_version_range(ssl, Int32(min(lowest, highest).rawValue), Int32(highest.rawValue))
        unsafe SSL_set_connect_state(ssl)
        // One who is somebody shows it each time.
        if let place, identity == nil {
            session.resume(
                OriginSessions.Key(place: place, sni: sni, host: host, alpn: alpn, maxVersion: maxVersion))
        }
        return session
    }
}

extension TLSSession {
    /// The chain the origin showed, leaf first; nil before its Certificate.
    package var originChain: GenuineChain? { genuineChain }

    /// Why the origin's chain was not accepted; nil when it was, or was not seen.
    package var originRefusal: String? {
        if case .failed(let reason) = verification { reason } else { nil }
    }

    package var originVerified: Bool { verification == .passed }

    /// An origin that could do TLS 1.3 and agreed on TLS 1.2 says so at the end of its random (RFC 8446 §4.1.3).
    package var originKnowsNewer: Bool {
        var random = [UInt8](repeating: 0, count: Int(SSL3_RANDOM_SIZE))
        let count = unsafe random.withUnsafeMutableBufferPointer { buffer in
            unsafe SSL_get_server_random(ssl, buffer.baseAddress, buffer.count)
        }
        return count == random.count && random.suffix(8) == Array("DOWNGRD".utf8) + [1]
    }
}

/// OpenSSL's verification callback: 1 accepts. `argument` is the ClientContext, unretained.
private func verifyOrigin(_ storeContext: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    guard let argument = unsafe argument,
        let ssl = unsafe X509_STORE_CTX_get_ex_data(storeContext, SSL_get_ex_data_X509_STORE_CTX_idx()),
        let session = unsafe TLSSession.of(OpaquePointer(ssl)), let host = session.expectedHost
    else { return 0 }
    let client = unsafe Unmanaged<ClientContext>.fromOpaque(argument).takeUnretainedValue()
    return withExtendedLifetime(client) {
        let presented = unsafe X509_STORE_CTX_get0_untrusted(storeContext)
        guard let key = unsafe VerificationCache.Key(host: host, chain: presented) else {
            let limit = VerificationCache.Key.chainLimit
            session.verification = .failed(
                unsafe OPENSSL_sk_num(presented) > limit
                    ? "the origin showed more than \(limit) certificates" : "no certificate")
            return 0
        }
        if let known = client.memory.cache.entry(for: key) {
            session.genuineChain = known.chain
            session.verification = .passed
            session.verifiedUntil = known.until
            unsafe X509_STORE_CTX_set_error(storeContext, X509_V_OK)
            return 1
        }
        var chain = unsafe GenuineChain(copying: presented)
        session.genuineChain = chain
        ERR_clear_error()
        if unsafe X509_verify_cert(storeContext) == 1 {
            session.verification = .passed
            // Servers seldom send the root, and a profile may pin just that: the anchor is a part of the verified chain.
            let verified = unsafe GenuineChain(copying: X509_STORE_CTX_get0_chain(storeContext))
            chain = chain.map { GenuineChain($0.certificates, verifiedAs: verified?.certificates ?? $0.certificates) }
            if let chain {
                let entry = client.memory.cache.insert(chain, for: key)
                session.genuineChain = entry.chain
                session.verifiedUntil = entry.until
            }
            return 1
        }
        // Roots that lie in a folder of the system are read when they are needed. Where that was not possible, nothing
        // is known against the chain, and nobody is to look for a root that is missing.
        if OpenSSLError.drain("verify").isOutOfDescriptors {
            session.genuineChain = nil
            session.verification = .failed("too many open files: the system's roots could not be read")
            return 0
        }
        let code = unsafe X509_STORE_CTX_get_error(storeContext)
        let reason = unsafe X509_verify_cert_error_string(Int(code)).map { unsafe String(cString: $0) }
        session.verification = .failed(reason ?? "verification error \(code)")
        return 0
    }
}
