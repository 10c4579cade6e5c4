import COpenSSL
import CShim
import Facts

extension TrustStore {
    /// How a chain verifies against a store.
    package struct Path: Sendable {
        /// From the leaf to the anchor; as far as it could be built where there is a problem.
        package var certificates: [Certificate]
        /// OpenSSL's words; nil where it verifies.
        package var problem: String?
        /// What is wrong is that an issuer is not at hand (X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT and its kin).
        package var lacksIssuer = false
        package var isForAnotherName = false
    }

    /// Verifies outside of any handshake.
    ///
    /// - Parameters:
    ///   - others: what may lie between the leaf and an anchor, in any order.
    ///   - host: whose certificate the leaf has to be; nil: anybody's.
    ///   - ignoresDates: a certificate outside of its dates is taken as well.
    package func path(
        from leaf: Certificate, among others: [Certificate], for host: HostName? = nil, ignoresDates: Bool = false
    ) throws(OpenSSLError) -> Path {
        let context = try unsafe OpenSSLError.trying("verify a chain") { unsafe X509_STORE_CTX_new() }
        defer { unsafe X509_STORE_CTX_free(context) }
        let untrusted = try unsafe OpenSSLError.trying("verify a chain") { unsafe OPENSSL_sk_new_null() }
        // The certificates stay their owners'.
        defer { unsafe OPENSSL_sk_free(untrusted) }
        for other in others { unsafe OPENSSL_sk_push(untrusted, UnsafeRawPointer(other.x509)) }
        return try withExtendedLifetime((leaf, others)) { () throws(OpenSSLError) in
            try OpenSSLError.requiring("verify a chain") {
                unsafe X509_STORE_CTX_init(context, store, leaf.x509, untrusted) == 1
            }
            let parameters = unsafe X509_STORE_CTX_get0_param(context)
            if ignoresDates { unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_NO_CHECK_TIME)) }
            if let host {
                unsafe X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
                if let address = host.address {
                    unsafe X509_VERIFY_PARAM_set1_ip(parameters, address.bytes, address.bytes.count)
                } else {
                    unsafe X509_VERIFY_PARAM_set1_host(parameters, host.text, host.text.utf8.count)
                }
            }
            ERR_clear_error()
            defer { ERR_clear_error() }
            let isVerified = unsafe X509_verify_cert(context) == 1
            let built = unsafe X509_STORE_CTX_get0_chain(context)
            var path = Path(certificates: [])
            for index in 0..<max(0, unsafe OPENSSL_sk_num(built)) {
                guard let x509 = unsafe OPENSSL_sk_value(built, index) else { continue }
                path.certificates.append(try unsafe Certificate(sharing: OpaquePointer(x509)))
            }
            if isVerified { return path }
            let code = unsafe X509_STORE_CTX_get_error(context)
            let words = unsafe X509_verify_cert_error_string(Int(code)).map { unsafe String(cString: $0) }
            path.problem = words ?? "verification error \(code)"
            path.lacksIssuer = [
                X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
                X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
            ].contains(code)
            path.isForAnotherName = code == X509_V_ERR_HOSTNAME_MISMATCH || code == X509_V_ERR_IP_ADDRESS_MISMATCH
            return path
        }
    }

    /// The way from a server's certificate up to one of these roots, both included; nil where there is none.
    ///
    /// Whom the certificate is for, and its dates, are not looked at.
    ///
    /// - Parameter certificates: the server's own first, then whatever may stand above it.
    package func path(of certificates: [Certificate]) throws(OpenSSLError) -> [Certificate]? {
        guard let leaf = certificates.first else { return nil }
        let path = try path(from: leaf, among: Array(certificates.dropFirst()), ignoresDates: true)
        return path.problem == nil ? path.certificates : nil
    }
}
