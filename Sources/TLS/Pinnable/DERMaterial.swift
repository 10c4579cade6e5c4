import COpenSSL
import CShim

/// What one value of DER is, tried from the most particular form to the least.
enum DERMaterial {
    /// - Parameter bytes: several certificates one behind the other are read as well.
    static func read(_ bytes: [UInt8], password: String?) throws(PinMaterialFault) -> [PinMaterial] {
        // All of them are SEQUENCEs.
        guard bytes.first == 0x30 else { throw .nothing("it is neither PEM nor DER") }
        let end = wholeEnd(bytes)
        if end > 0, end < bytes.count {
            // What an editor or a transfer leaves behind a file.
            guard bytes[end...].allSatisfy(padding.contains) else {
                throw .nothing("\(bytes.count - end) bytes that are no DER follow the DER at its beginning")
            }
            return try read(Array(bytes[..<end]), password: password)
        }
        let chain = certificates(bytes)
        if !chain.isEmpty { return chain.map(PinMaterial.init) }
        if let items = try PKCS12Bags.read(bytes, password: password) { return try materials(items) }
        if let found = messages(bytes) { return found }
        if let request = request(bytes) { return [request] }
        if let key = publicKey(bytes) ?? privateKey(bytes) { return [key] }
        if let key = try encryptedKey(bytes, password: password) { return [key] }
        throw .nothing("it is DER, and neither a certificate nor a key, or it is damaged")
    }

    /// Line breaks, spaces and NULs.
    private static let padding: Set<UInt8> = [0, 9, 10, 13, 32]

    /// Where the last of the values ends that are whole from the beginning on; 0 where there is none.
    private static func wholeEnd(_ bytes: [UInt8]) -> Int {
        var end = 0
        while end < bytes.count, let next = DERElement(bytes, at: end), next.tag == 0x30 { end = next.end }
        return end
    }

    /// One or more, which together are all of the bytes.
    private static func certificates(_ bytes: [UInt8]) -> [Certificate] {
        var out: [Certificate] = []
        guard let elements = DERElement.children(bytes, in: 0..<bytes.count) else { return [] }
        var start = 0
        for element in elements {
            guard let one = try? Certificate(der: Array(bytes[start..<element.end])) else { return [] }
            out.append(one)
            start = element.end
        }
        return out
    }

    static func materials(_ items: [PKCS12Bags.Item]) throws(PinMaterialFault) -> [PinMaterial] {
        var out: [PinMaterial] = []
        for item in items {
            do throws(OpenSSLError) {
                switch item {
                case .certificate(let der): out.append(PinMaterial(try Certificate(der: der)))
                case .publicKey(let der): if let key = publicKey(der) { out.append(key) }
                }
            } catch {
                throw .damaged("PKCS#12 file", error)
            }
        }
        return out
    }

    /// The certificates of PKCS#7 or CMS SignedData (RFC 5652 §5.1), in its order; nil where it is no such message.
    static func messages(_ bytes: [UInt8]) -> [PinMaterial]? {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let message = unsafe bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var cursor = bytes.baseAddress
            return unsafe d2i_CMS_ContentInfo(nil, &cursor, bytes.count)
        }
        guard let message = unsafe message else { return nil }
        defer { unsafe CMS_ContentInfo_free(message) }
        guard unsafe OBJ_obj2nid(CMS_get0_type(message)) == NID_pkcs7_signed else { return nil }
        guard let certificates = unsafe CMS_get1_certs(message) else { return [] }
        defer { unsafe pp_sk_X509_pop_free(certificates) }
        return (0..<max(0, unsafe OPENSSL_sk_num(certificates))).compactMap { index in
            guard let x509 = unsafe OPENSSL_sk_value(certificates, index) else { return nil }
            return (try? unsafe Certificate(sharing: OpaquePointer(x509))).map(PinMaterial.init)
        }
    }

    static func request(_ bytes: [UInt8]) -> PinMaterial? {
        guard let request = unsafe parsed(bytes, { unsafe d2i_X509_REQ(nil, &$0, $1) }) else { return nil }
        defer { unsafe X509_REQ_free(request) }
        return try? unsafe PinMaterial(request: request)
    }

    /// A SubjectPublicKeyInfo, or RSA's own form (PKCS#1, RFC 8017 §A.1.1).
    static func publicKey(_ bytes: [UInt8]) -> PinMaterial? {
        let key =
            unsafe parsed(bytes, { unsafe d2i_PUBKEY(nil, &$0, $1) })
            ?? parsed(bytes, { unsafe d2i_PublicKey(EVP_PKEY_RSA, nil, &$0, $1) })
        guard let key = unsafe key else { return nil }
        defer { unsafe EVP_PKEY_free(key) }
        return try? unsafe PinMaterial(key: key)
    }

    static func privateKey(_ bytes: [UInt8]) -> PinMaterial? { (try? PrivateKey(der: bytes)).map(PinMaterial.init) }

    /// PKCS#8's EncryptedPrivateKeyInfo (RFC 5958 §3); nil where it is none.
    static func encryptedKey(_ bytes: [UInt8], password: String?) throws(PinMaterialFault) -> PinMaterial? {
        let name = "private key"
        guard let sealed = unsafe parsed(bytes, { unsafe d2i_X509_SIG(nil, &$0, $1) }) else { return nil }
        defer { unsafe X509_SIG_free(sealed) }
        var algorithm: UnsafePointer<X509_ALGOR>?
        unsafe X509_SIG_get0(sealed, &algorithm, nil)
        guard let algorithm = unsafe algorithm, let password else { throw .needsPassword(name) }
        let der = (try? unsafe Certificate.encode(name) { unsafe i2d_X509_ALGOR(algorithm, &$0) }) ?? []
        try PasswordHashing.require(der)
        func opened() throws(PinMaterialFault) -> [UInt8] {
            ERR_clear_error()
            guard let info = unsafe PKCS8_decrypt(sealed, password, Int32(clamping: password.utf8.count)) else {
                let error = OpenSSLError.drain("open a private key")
                throw error.isUnsupportedCipher ? .damaged(name, error) : .wrongPassword(name)
            }
            defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
            do throws(OpenSSLError) {
                return try unsafe Certificate.encode(name) { unsafe i2d_PKCS8_PRIV_KEY_INFO(info, &$0) }
            } catch {
                throw .damaged(name, error)
            }
        }
        let der8: [UInt8]
        do {
            der8 = try opened()
        } catch .damaged(_, let error) where error.isUnsupportedCipher {
            der8 = try OldCiphers.with(name, opened)
        }
        return privateKey(der8)
    }

    /// All of the bytes, by one of OpenSSL's `d2i_…` functions; what it gives is the caller's.
    private static func parsed(
        _ bytes: [UInt8], _ d2i: (inout UnsafePointer<UInt8>?, Int) -> OpaquePointer?
    ) -> OpaquePointer? {
        ERR_clear_error()
        defer { ERR_clear_error() }
        return unsafe bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var cursor = bytes.baseAddress
            return unsafe d2i(&cursor, bytes.count)
        }
    }
}
