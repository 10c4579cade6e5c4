import COpenSSL
import Facts

extension TrustStore {
    /// The way from a server's certificate up to one of these roots, both included; nil where there is none.
    ///
    /// Whom the certificate is for, and its dates, are not looked at.
    ///
    /// - Parameter certificates: the server's own first, then whatever may stand above it.
    package func path(of certificates: [Certificate]) throws(OpenSSLError) -> [Certificate]? {
        guard let leaf = certificates.first else { return nil }
        let context = try unsafe OpenSSLError.trying("verify a chain") { unsafe X509_STORE_CTX_new() }
        defer { unsafe X509_STORE_CTX_free(context) }
        let others = try unsafe OpenSSLError.trying("verify a chain") { unsafe OPENSSL_sk_new_null() }
        // It holds pointers alone: the certificates are kept by the array until this returns.
        defer { unsafe OPENSSL_sk_free(others) }
        return try withExtendedLifetime(certificates) { () throws(OpenSSLError) -> [Certificate]? in
            for certificate in certificates.dropFirst() {
                try OpenSSLError.requiring("verify a chain") {
                    unsafe OPENSSL_sk_push(others, UnsafeRawPointer(certificate.x509)) > 0
                }
            }
            try OpenSSLError.requiring("verify a chain") {
                unsafe X509_STORE_CTX_init(context, store, leaf.x509, others) == 1
            }
            unsafe X509_STORE_CTX_set_flags(context, UInt(X509_V_FLAG_NO_CHECK_TIME))
            ERR_clear_error()
            defer { ERR_clear_error() }
            guard unsafe X509_verify_cert(context) == 1 else { return nil }
            return unsafe GenuineChain(copying: X509_STORE_CTX_get0_chain(context))?.certificates
        }
    }
}
