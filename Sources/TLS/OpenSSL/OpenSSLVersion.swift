import COpenSSL

/// The version of the OpenSSL library that is loaded, not of the headers: `3.0.17`.
package enum OpenSSLVersion {
    package static var text: String {
        unsafe OpenSSL_version(OPENSSL_VERSION_STRING).map { unsafe String(cString: $0) } ?? "?"
    }
}
