import COpenSSL
import Facts

@testable import TLS

/// What OpenSSL makes of a stapled OCSP answer, as a client that demands one does.
package struct StapleCheck: Hashable {
    /// It is signed by, or for, the leaf's issuer, as far as the trusted roots vouch for it.
    package let isTrusted: Bool
    /// OpenSSL's number for what it says of the leaf: 0 good, 1 revoked; nil: it does not speak of it.
    package let status: Int?
    /// It holds now.
    package let isCurrent: Bool

    /// - Parameters:
    ///   - chain: as it was presented, the leaf first.
    ///   - issuer: the leaf's, which a client knows from the chain that it has verified.
    package init?(_ answer: [UInt8], for chain: [Certificate], issuedBy issuer: Certificate, trusting root: Certificate)
    {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let parsed = unsafe answer.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            return unsafe d2i_OCSP_RESPONSE(nil, &cursor, bytes.count)
        }
        guard let leaf = chain.first, let response = unsafe parsed else { return nil }
        defer { unsafe OCSP_RESPONSE_free(response) }
        guard let basic = unsafe OCSP_response_get1_basic(response), let store = unsafe X509_STORE_new(),
            let shown = unsafe OPENSSL_sk_new_null()
        else { return nil }
        defer {
            unsafe OCSP_BASICRESP_free(basic)
            unsafe X509_STORE_free(store)
            unsafe OPENSSL_sk_free(shown)
        }
        unsafe X509_STORE_add_cert(store, root.x509)
        for one in chain { unsafe OPENSSL_sk_push(shown, UnsafeRawPointer(one.x509)) }
        isTrusted = unsafe OCSP_basic_verify(basic, shown, store, 0) == 1
        var (number, reason): (Int32, Int32) = (-1, -1)
        var revoked: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        var this: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        var next: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        // Whichever digest the answer names the leaf by.
        let isFound = unsafe [EVP_sha1(), EVP_sha256(), EVP_sha384(), EVP_sha512()].contains { digest in
            guard let id = unsafe OCSP_cert_to_id(digest, leaf.x509, issuer.x509) else { return false }
            defer { unsafe OCSP_CERTID_free(id) }
            return unsafe OCSP_resp_find_status(
                basic, id, &number, &reason, &revoked, &this, &next) == 1
        }
        status = isFound ? Int(number) : nil
        isCurrent = unsafe isFound && OCSP_check_validity(this, next, 300, -1) == 1
    }
}
