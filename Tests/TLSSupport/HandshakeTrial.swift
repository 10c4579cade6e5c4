import COpenSSL
import Facts

@testable import TLS

/// One TLS handshake in memory between a server with a chain and a verifying client.
///
/// What does OpenSSL's client say to a forged chain?
package struct HandshakeTrial {
    /// Both sides finished.
    package let completed: Bool
    /// The client's judgement of the chain: `X509_V_OK` (0), or OpenSSL's number and words for what is wrong.
    package let verification: Int
    package let verdict: String
    /// Why each side stopped; nil when it finished, or only waited for the other.
    package let clientError: OpenSSLError?
    package let serverError: OpenSSLError?

    /// - Parameters:
    ///   - tolerated: numbers of verification errors that the client overlooks; with any of them it is a sloppy one.
    ///   - now: the time the client believes it is.
    package init(
        _ chain: PresentedChain, to host: HostName, trusting roots: [Certificate], version: TLSVersion,
        tolerating tolerated: Set<Int> = [], now: Double
    ) throws(OpenSSLError) {
        let server = try unsafe Self.context(TLS_server_method(), version)
        defer { unsafe SSL_CTX_free(server) }
        let client = try unsafe Self.context(TLS_client_method(), version)
        defer { unsafe SSL_CTX_free(client) }
        // What it presents is not its own business, as in `ServerContext`; 112 bits are what clients ask for today.
        unsafe SSL_CTX_set_security_level(server, 0)
        unsafe SSL_CTX_set_security_level(client, tolerated.isEmpty ? 2 : 0)
        try unsafe Self.use(chain, in: server)
        for root in roots {
            try OpenSSLError.requiring("trust a root") {
                unsafe X509_STORE_add_cert(SSL_CTX_get_cert_store(client), root.x509) == 1
            }
        }
        let sloppiness = Sloppiness(tolerated)
        unsafe SSL_CTX_set_verify(client, SSL_VERIFY_PEER, tolerated.isEmpty ? nil : overlook)
        unsafe X509_VERIFY_PARAM_set_time(SSL_CTX_get0_param(client), time_t(now))

        let (up, down) = (MemoryBIO(), MemoryBIO())
        let serverSide = try unsafe Self.connection(server, reads: up, writes: down)
        defer { unsafe SSL_free(serverSide) }
        let clientSide = try unsafe Self.connection(client, reads: down, writes: up)
        defer { unsafe SSL_free(clientSide) }
        try OpenSSLError.requiring("set the expected name") {
            let parameters = unsafe SSL_get0_param(clientSide)
            if host.isIP { return unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, host.text) == 1 }
            // RFC 9525 §6.3: the common name is no name.
            unsafe SSL_set_hostflags(clientSide, UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT))
            return unsafe SSL_set1_host(clientSide, host.text) == 1
        }
        // It outlives the handshake, which is all that calls back.
        unsafe SSL_set_ex_data(clientSide, 0, Unmanaged.passUnretained(sloppiness).toOpaque())
        defer { withExtendedLifetime(sloppiness) {} }
        unsafe SSL_set_accept_state(serverSide)
        unsafe SSL_set_connect_state(clientSide)

        var errors: (client: OpenSSLError?, server: OpenSSLError?) = (nil, nil)
        var done = (client: false, server: false)
        // A handshake is at most three flights each way; more rounds would mean that nothing moves.
        for _ in 0..<8 {
            if !done.client, errors.client == nil { unsafe (done.client, errors.client) = Self.step(clientSide) }
            if !done.server, errors.server == nil { unsafe (done.server, errors.server) = Self.step(serverSide) }
        }
        completed = done.client && done.server
        verification = unsafe Int(SSL_get_verify_result(clientSide))
        verdict = unsafe String(cString: X509_verify_cert_error_string(verification))
        (clientError, serverError) = errors
    }

    private static func context(_ method: OpaquePointer?, _ version: TLSVersion) throws(OpenSSLError) -> OpaquePointer {
        let context = try unsafe OpenSSLError.trying("make a TLS context") { unsafe SSL_CTX_new(method) }
        let number = Int(version.rawValue)
        unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, number, nil)
        unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, number, nil)
        return unsafe context
    }

    private static func use(_ chain: PresentedChain, in context: OpaquePointer) throws(OpenSSLError) {
        guard let leaf = chain.certificates.first else { return }
        try OpenSSLError.requiring("use a certificate and its key") {
            unsafe SSL_CTX_use_certificate(context, leaf.x509) == 1
                && SSL_CTX_use_PrivateKey(context, chain.key.pkey) == 1
        }
        for certificate in chain.certificates.dropFirst() {
            try OpenSSLError.requiring("use an intermediate certificate") {
                unsafe SSL_CTX_ctrl(context, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(certificate.x509)) == 1
            }
        }
    }

    private static func connection(
        _ context: OpaquePointer, reads: MemoryBIO, writes: MemoryBIO
    ) throws(OpenSSLError) -> OpaquePointer {
        let ssl = try unsafe OpenSSLError.trying("make a TLS connection") { unsafe SSL_new(context) }
        // SSL_set_bio takes over one reference of each; the MemoryBIO objects keep theirs.
        unsafe BIO_up_ref(reads.bio)
        unsafe BIO_up_ref(writes.bio)
        unsafe SSL_set_bio(ssl, reads.bio, writes.bio)
        return unsafe ssl
    }

    private static func step(_ ssl: OpaquePointer) -> (done: Bool, error: OpenSSLError?) {
        ERR_clear_error()
        let result = unsafe SSL_do_handshake(ssl)
        if result == 1 { return (true, nil) }
        let reason = unsafe SSL_get_error(ssl, result)
        if reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE { return (false, nil) }
        return (false, OpenSSLError.drain("shake hands"))
    }
}

private final class Sloppiness {
    let tolerated: Set<Int>
    init(_ tolerated: Set<Int>) { self.tolerated = tolerated }
}

/// OpenSSL's question whether to go on after a verification error: 1 does.
private let overlook: @convention(c) (Int32, OpaquePointer?) -> Int32 = { isSound, context in
    if isSound == 1 { return 1 }
    guard let ssl = unsafe X509_STORE_CTX_get_ex_data(context, SSL_get_ex_data_X509_STORE_CTX_idx()),
        let data = unsafe SSL_get_ex_data(OpaquePointer(ssl), 0)
    else { return 0 }
    let client = unsafe Unmanaged<Sloppiness>.fromOpaque(data).takeUnretainedValue()
    return unsafe client.tolerated.contains(Int(X509_STORE_CTX_get_error(context))) ? 1 : 0
}
