import COpenSSL
import CShim

extension Certificate {
    /// A PKCS#12 store with the certificate as a *trusted* entry, as `keytool -importcert` would make it.
    ///
    /// Java trusts a certificate of a PKCS#12 store only when it carries Oracle's attribute `trustedKeyUsage`. The
    /// certificate is public, so it is not encrypted; the password is only that of the integrity check.
    package func trustStore(password: String) throws(OpenSSLError) -> [UInt8] {
        try OpenSSLError.trying("write a PKCS#12 store") { () -> [UInt8]? in
            guard let bags = unsafe pp_sk_PKCS12_SAFEBAG_new_null() else { return nil }
            defer { unsafe pp_sk_PKCS12_SAFEBAG_pop_free(bags) }
            guard let bag = unsafe PKCS12_SAFEBAG_create_cert(x509) else { return nil }
            guard unsafe pp_sk_PKCS12_SAFEBAG_push(bags, bag) > 0 else {
                unsafe PKCS12_SAFEBAG_free(bag)
                return nil
            }
            // From here on the stack owns the bag.
            guard unsafe Self.markTrusted(bag), unsafe PKCS12_add_friendlyname_utf8(bag, trustStoreAlias, -1) == 1,
                let safes = unsafe pp_sk_PKCS7_new_null()
            else { return nil }
            defer { unsafe pp_sk_PKCS7_pop_free(safes) }
            guard let contents = unsafe PKCS12_pack_p7data(bags) else { return nil }
            guard unsafe pp_sk_PKCS7_push(safes, contents) > 0 else {
                unsafe PKCS7_free(contents)
                return nil
            }
            guard let store = unsafe PKCS12_add_safes(safes, 0) else { return nil }
            defer { unsafe PKCS12_free(store) }
            guard unsafe PKCS12_set_mac(store, password, -1, nil, 0, Self.trustStoreIterations, EVP_sha256()) == 1
            else {
                return nil
            }
            return try? unsafe Certificate.encode("write a PKCS#12 store") { unsafe i2d_PKCS12(store, &$0) }
        }
    }

    /// What `keytool` itself uses. The certificate is no secret, so more would only cost time.
    private static let trustStoreIterations: Int32 = 10_000

    /// The entry's name; Java compares it without regard to case.
    private var trustStoreAlias: String { (commonName ?? "pinproof root").lowercased() }

    /// trustedKeyUsage = anyExtendedKeyUsage: trusted for everything.
    private static func markTrusted(_ bag: OpaquePointer) -> Bool {
        guard let any = unsafe OBJ_nid2obj(NID_anyExtendedKeyUsage) else { return false }
        // An identifier is handed over as the object itself, which −1 as its length says; OpenSSL copies it.
        return unsafe PKCS12_add1_attr_by_txt(
            bag, "2.16.840.1.113894.746875.1.1", V_ASN1_OBJECT,
            UnsafeRawPointer(any).assumingMemoryBound(to: UInt8.self), -1) == 1
    }
}
