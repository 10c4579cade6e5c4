import COpenSSL

/// RC2, single DES and the like, which OpenSSL 3 knows only on demand.
///
/// They are loaded into a library context of their own, which is this thread's for the time of one call: nothing else
/// ever sees them.
enum OldCiphers {
    /// - Parameter body: nothing that it makes may outlive it: objects keep the context that made them.
    static func with<Value>(
        _ operation: String, _ body: () throws(PinMaterialFault) -> Value
    ) throws(PinMaterialFault) -> Value {
        func failed() -> PinMaterialFault { .damaged(operation, .drain(operation)) }
        ERR_clear_error()
        guard let context = unsafe OSSL_LIB_CTX_new() else { throw failed() }
        defer { unsafe OSSL_LIB_CTX_free(context) }
        guard let usual = unsafe OSSL_PROVIDER_load(context, "default") else { throw failed() }
        defer { unsafe OSSL_PROVIDER_unload(usual) }
        guard let old = unsafe OSSL_PROVIDER_load(context, "legacy") else { throw failed() }
        defer { unsafe OSSL_PROVIDER_unload(old) }
        let before = unsafe OSSL_LIB_CTX_set0_default(context)
        defer { unsafe OSSL_LIB_CTX_set0_default(before) }
        return try body()
    }
}

extension OpenSSLError {
    /// Something is encrypted or hashed in a way that this OpenSSL does not know without its old ciphers.
    var isUnsupportedCipher: Bool {
        entries.contains {
            $0.reason == "unsupported" || $0.reason == "unknown cipher" || $0.reason == "unknown pbe algorithm"
        }
    }
}
