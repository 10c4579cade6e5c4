import COpenSSL

/// A PKCS#12 file (RFC 7292), opened: a key and certificates.
package struct PKCS12Store: Sendable {
    package let key: PrivateKey
    package let certificates: [Certificate]

    package enum Fault: Error, Hashable, Sendable {
        case notPKCS12
        case wrongPassword
        /// It holds no private key, or no certificate.
        case incomplete
        /// It is encrypted in a way that this OpenSSL does not know.
        case unreadable(String)
    }

    /// Everything in DER: what is read is made anew outside of the library context that read it.
    private struct Content {
        var key: [UInt8]
        var certificates: [[UInt8]]
    }

    package init(_ bytes: [UInt8], password: String) throws(Fault) {
        let content: Content
        do throws(OpenSSLError) {
            content = try Self.open(bytes, password)
        } catch  where Self.isUnsupported(error) {
            content = try Self.openOld(bytes, password)
        } catch {
            throw Self.fault(error)
        }
        do throws(OpenSSLError) {
            key = try PrivateKey(der: content.key)
            var certificates: [Certificate] = []
            for der in content.certificates { certificates.append(try Certificate(der: der)) }
            self.certificates = certificates
        } catch {
            throw Self.fault(error)
        }
        guard !certificates.isEmpty else { throw .incomplete }
    }

    private static let operation = "open a PKCS#12 file"

    private static func open(_ bytes: [UInt8], _ password: String) throws(OpenSSLError) -> Content {
        let store = try unsafe OpenSSLError.trying(operation) { () -> OpaquePointer? in
            unsafe bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
                var cursor = bytes.baseAddress
                return unsafe d2i_PKCS12(nil, &cursor, bytes.count)
            }
        }
        defer { unsafe PKCS12_free(store) }
        var key: OpaquePointer?
        var leaf: OpaquePointer?
        var issuers: OpaquePointer?
        defer {
            unsafe EVP_PKEY_free(key)
            unsafe X509_free(leaf)
            for index in 0..<max(0, unsafe OPENSSL_sk_num(issuers)) {
                unsafe X509_free(OpaquePointer(OPENSSL_sk_value(issuers, index)))
            }
            unsafe OPENSSL_sk_free(issuers)
        }
        try OpenSSLError.requiring(operation) { unsafe PKCS12_parse(store, password, &key, &leaf, &issuers) == 1 }
        var content = Content(key: [], certificates: [])
        if let key = unsafe key {
            content.key = try unsafe Certificate.encode(operation) { unsafe i2d_PrivateKey(key, &$0) }
        }
        if let leaf = unsafe leaf {
            content.certificates.append(try unsafe Certificate.encode(operation) { unsafe i2d_X509(leaf, &$0) })
        }
        for index in 0..<max(0, unsafe OPENSSL_sk_num(issuers)) {
            let issuer = unsafe OpaquePointer(OPENSSL_sk_value(issuers, index))
            content.certificates.append(try unsafe Certificate.encode(operation) { unsafe i2d_X509(issuer, &$0) })
        }
        return content
    }

    /// Files as Keychain Access and old tools write them, with RC2 or DES, which OpenSSL 3 knows only on demand.
    ///
    /// The old ciphers are loaded into a library context of their own, which is this thread's for the time of this call:
    /// nothing else ever sees them.
    private static func openOld(_ bytes: [UInt8], _ password: String) throws(Fault) -> Content {
        guard let context = unsafe OSSL_LIB_CTX_new() else { throw .unreadable("out of memory") }
        defer { unsafe OSSL_LIB_CTX_free(context) }
        ERR_clear_error()
        guard let usual = unsafe OSSL_PROVIDER_load(context, "default") else { throw fault(.drain(operation)) }
        defer { unsafe OSSL_PROVIDER_unload(usual) }
        guard let old = unsafe OSSL_PROVIDER_load(context, "legacy") else { throw fault(.drain(operation)) }
        defer { unsafe OSSL_PROVIDER_unload(old) }
        let before = unsafe OSSL_LIB_CTX_set0_default(context)
        defer { unsafe OSSL_LIB_CTX_set0_default(before) }
        do throws(OpenSSLError) {
            return try open(bytes, password)
        } catch {
            throw fault(error)
        }
    }

    private static func isUnsupported(_ error: OpenSSLError) -> Bool {
        error.entries.contains {
            $0.reason == "unsupported" || $0.reason == "unknown cipher" || $0.reason == "unknown pbe algorithm"
        }
    }

    private static func fault(_ error: OpenSSLError) -> Fault {
        if error.says("mac verify failure") { return .wrongPassword }
        if error.entries.contains(where: { $0.library.contains("asn1") }) && !isUnsupported(error) { return .notPKCS12 }
        if error.entries.isEmpty { return .incomplete }
        return .unreadable(error.entries.first.map { $0.description } ?? "")
    }
}
