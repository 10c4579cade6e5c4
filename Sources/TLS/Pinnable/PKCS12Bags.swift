import COpenSSL
import CShim

/// Certificates and keys of a PKCS#12 file (RFC 7292), also where there is no key.
///
/// Each bag is opened by itself, so that what a password costs is known before it is tried. `PKCS12Store` opens the
/// same files for those who need a certificate with its key.
struct PKCS12Bags {
    /// In DER: what is read is made anew outside of the library context that read it.
    enum Item {
        case certificate([UInt8])
        case publicKey([UInt8])
    }

    private let password: String
    private var items: [Item] = []

    /// Bags within bags; nobody writes any.
    private static let depthLimit = 8
    private static let operation = "open a PKCS#12 file"
    private static let name = "PKCS#12 file"

    /// - Parameters:
    ///   - bytes: DER; nil is the answer where they are no such file.
    ///   - password: nil: nobody is asked, and the empty one is not tried.
    static func read(_ bytes: [UInt8], password: String?) throws(PinMaterialFault) -> [Item]? {
        guard isPKCS12(bytes) else { return nil }
        guard let password else { throw .needsPassword(name) }
        do {
            return try opened(bytes, password)
        } catch .damaged(_, let error) where error.isUnsupportedCipher {
            // Files as Keychain Access and old tools write them, with RC2 or DES.
            return try OldCiphers.with(operation) { () throws(PinMaterialFault) in try opened(bytes, password) }
        }
    }

    private static func isPKCS12(_ bytes: [UInt8]) -> Bool {
        // PFX ::= SEQUENCE { version INTEGER {v3(3)}, authSafe ContentInfo, … } (RFC 7292 §4)
        guard let outer = DERElement(bytes, at: 0), outer.tag == 0x30 else { return isIndefinitePKCS12(bytes) }
        guard let version = DERElement(bytes, at: outer.content.lowerBound, before: outer.end), version.tag == 0x02,
            Array(bytes[version.content]) == [3], version.end < outer.end
        else { return false }
        return bytes[version.end] == 0x30
    }

    /// BER with an indefinite length, as Java's old writers made it.
    private static func isIndefinitePKCS12(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x30, 0x80, 0x02, 0x01, 0x03, 0x30] as [UInt8])
    }

    private static func opened(_ bytes: [UInt8], _ password: String) throws(PinMaterialFault) -> [Item] {
        let store: OpaquePointer
        do throws(OpenSSLError) {
            unsafe store = try unsafe OpenSSLError.trying(operation) { () -> OpaquePointer? in
                unsafe bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
                    var cursor = bytes.baseAddress
                    return unsafe d2i_PKCS12(nil, &cursor, bytes.count)
                }
            }
        } catch {
            throw .damaged(name, error)
        }
        defer { unsafe PKCS12_free(store) }
        var reader = PKCS12Bags(password: try unsafe Self.right(password, for: store))
        try unsafe reader.safes(of: store)
        return reader.items
    }

    /// The password as the file's integrity check takes it.
    private static func right(_ password: String, for store: OpaquePointer) throws(PinMaterialFault) -> String {
        guard unsafe PKCS12_mac_present(store) == 1 else { return password }
        var count: UnsafePointer<ASN1_INTEGER>?
        unsafe PKCS12_get0_mac(nil, nil, nil, &count, store)
        var rounds: UInt64 = 1
        if let count = unsafe count, unsafe ASN1_INTEGER_get_uint64(&rounds, count) != 1 { rounds = .max }
        guard rounds <= PasswordHashing.limit else { throw .tooManyRounds(rounds) }
        ERR_clear_error()
        if unsafe PKCS12_verify_mac(store, password, -1) == 1 { return password }
        let error = OpenSSLError.drain(operation)
        throw error.isUnsupportedCipher ? .damaged(name, error) : .wrongPassword(name)
    }

    private init(password: String) { self.password = password }

    private mutating func safes(of store: OpaquePointer) throws(PinMaterialFault) {
        ERR_clear_error()
        guard let safes = unsafe PKCS12_unpack_authsafes(store) else { throw Self.failed() }
        defer { unsafe pp_sk_PKCS7_pop_free(safes) }
        for index in 0..<max(0, unsafe OPENSSL_sk_num(safes)) {
            guard let raw = unsafe OPENSSL_sk_value(safes, index) else { continue }
            let safe = unsafe raw.assumingMemoryBound(to: PKCS7.self)
            ERR_clear_error()
            let bags: OpaquePointer?
            switch unsafe OBJ_obj2nid(safe.pointee.type) {
            case NID_pkcs7_data: unsafe bags = PKCS12_unpack_p7data(safe)
            case NID_pkcs7_encrypted:
                guard let content = unsafe safe.pointee.d.encrypted?.pointee.enc_data else { continue }
                try unsafe PasswordHashing.require(Self.der(of: content.pointee.algorithm))
                unsafe bags = PKCS12_unpack_p7encdata(safe, password, Int32(clamping: password.utf8.count))
            // Encrypted to somebody's certificate: not for us.
            default: continue
            }
            guard let bags = unsafe bags else { throw Self.failed() }
            defer { unsafe pp_sk_PKCS12_SAFEBAG_pop_free(bags) }
            try unsafe read(bags, depth: 0)
        }
    }

    private mutating func read(_ bags: OpaquePointer, depth: Int) throws(PinMaterialFault) {
        guard depth < Self.depthLimit else { return }
        for index in 0..<max(0, unsafe OPENSSL_sk_num(bags)) {
            guard let raw = unsafe OPENSSL_sk_value(bags, index) else { continue }
            let bag = OpaquePointer(raw)
            ERR_clear_error()
            switch unsafe PKCS12_SAFEBAG_get_nid(bag) {
            case NID_certBag:
                // A bag may hold an SDSI certificate, which nothing here knows.
                guard let x509 = unsafe PKCS12_SAFEBAG_get1_cert(bag) else { continue }
                defer { unsafe X509_free(x509) }
                items.append(.certificate(try unsafe Self.encoded { unsafe i2d_X509(x509, &$0) }))
            case NID_keyBag:
                guard let info = unsafe PKCS12_SAFEBAG_get0_p8inf(bag) else { continue }
                try unsafe add(info)
            case NID_pkcs8ShroudedKeyBag:
                guard let shrouded = unsafe PKCS12_SAFEBAG_get0_pkcs8(bag) else { continue }
                var algorithm: UnsafePointer<X509_ALGOR>?
                unsafe X509_SIG_get0(shrouded, &algorithm, nil)
                try unsafe PasswordHashing.require(Self.der(of: algorithm))
                guard
                    let info = unsafe PKCS12_decrypt_skey(bag, password, Int32(clamping: password.utf8.count))
                else { throw Self.failed() }
                defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
                try unsafe add(info)
            case NID_safeContentsBag:
                if let inner = unsafe PKCS12_SAFEBAG_get0_safes(bag) { try unsafe read(inner, depth: depth + 1) }
            default: continue
            }
        }
    }

    /// - Parameter info: a PKCS8_PRIV_KEY_INFO, which stays the caller's.
    private mutating func add(_ info: OpaquePointer) throws(PinMaterialFault) {
        guard let pkey = unsafe EVP_PKCS82PKEY(info) else { throw Self.failed() }
        defer { unsafe EVP_PKEY_free(pkey) }
        items.append(.publicKey(try unsafe Self.encoded { unsafe i2d_PUBKEY(pkey, &$0) }))
    }

    private static func encoded(
        _ i2d: (inout UnsafeMutablePointer<UInt8>?) -> Int32
    ) throws(PinMaterialFault) -> [UInt8] {
        do throws(OpenSSLError) { return try unsafe Certificate.encode(operation, i2d) } catch {
            throw .damaged(name, error)
        }
    }

    private static func failed() -> PinMaterialFault { .damaged(name, .drain(operation)) }

    private static func der(of algorithm: UnsafePointer<X509_ALGOR>?) -> [UInt8] {
        guard let algorithm = unsafe algorithm else { return [] }
        return (try? unsafe Certificate.encode(operation) { unsafe i2d_X509_ALGOR(algorithm, &$0) }) ?? []
    }
}
