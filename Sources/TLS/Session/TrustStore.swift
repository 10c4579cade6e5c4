import COpenSSL

/// The roots that origins are verified against: the system's, the profile's, or both.
///
/// Shared by all loops: an X509_STORE has its own lock, and certificates are only added before it is handed out.
@safe package final class TrustStore: @unchecked Sendable {
    // Sendable: never changed after init; OpenSSL looks up under the store's own lock.
    let store: OpaquePointer

    /// - Parameter systemRoots: also trust OpenSSL's default locations (SSL_CERT_FILE and SSL_CERT_DIR respected).
    package init(systemRoots: Bool, roots: [Certificate]) throws(OpenSSLError) {
        unsafe store = try OpenSSLError.trying("make a store of roots") { unsafe X509_STORE_new() }
        if systemRoots { unsafe SystemRoots.usual.add(to: store) }
        for root in roots {
            try OpenSSLError.requiring("trust a root") { unsafe X509_STORE_add_cert(store, root.x509) == 1 }
        }
        // A root named by the profile is an anchor even when it is an intermediate or a server's own certificate.
        if !roots.isEmpty { unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN)) }
    }

    deinit { unsafe X509_STORE_free(store) }
}
