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
            let read = Self.asHandshakesRead(root)
            try OpenSSLError.requiring("trust a root") {
                withExtendedLifetime(read) { unsafe X509_STORE_add_cert(store, read.x509) == 1 }
            }
        }
        // A root named by the profile is an anchor even when it is an intermediate or a server's own certificate.
        if !roots.isEmpty { unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN)) }
    }

    /// A key of P-256 that handshakes have read verifies faster in time, as the certificates of an origin's hosts are many.
    private static func asHandshakesRead(_ root: Certificate) -> Certificate {
        guard root.keyType == .p256 else { return root }
        return (try? Certificate(der: root.der, isForHandshakes: true)) ?? root
    }

    deinit { unsafe X509_STORE_free(store) }
}
