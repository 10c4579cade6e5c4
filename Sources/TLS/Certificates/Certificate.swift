import COpenSSL
import CShim
import Facts

/// An X.509 certificate that never changes once it is made.
///
/// Unchecked Sendable: the X509 object is parsed completely in the initialiser and never mutated after it; OpenSSL's
/// reference counts are atomic, and what it caches inside an X509 it guards with the object's own lock.
@safe package final class Certificate: @unchecked Sendable {
    /// Owned; session code that hands it to OpenSSL lets OpenSSL take its own reference.
    let x509: OpaquePointer
    package let der: [UInt8]
    /// SHA-256 of the DER in hexadecimal digits.
    package let sha256: String

    /// Parses exactly one certificate; bytes after it are an error.
    ///
    /// - Parameter isForHandshakes: it is parsed as handshakes parse theirs, which takes half the time. Keys that sign no
    ///   handshake (of key exchanges, SM2) are not read there.
    package init(der: [UInt8], isForHandshakes: Bool = false) throws(OpenSSLError) {
        let parsed = try unsafe OpenSSLError.trying("parse a certificate") { () -> OpaquePointer? in
            unsafe der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
                var cursor = bytes.baseAddress
                var made = isForHandshakes ? unsafe X509_new_ex(pp_handshake_library(), nil) : nil
                guard let x509 = unsafe d2i_X509(&made, &cursor, bytes.count) else { return nil }
                guard unsafe cursor == bytes.baseAddress.map({ unsafe $0 + bytes.count }) else {
                    unsafe X509_free(x509)
                    return nil
                }
                return unsafe x509
            }
        }
        unsafe x509 = parsed
        self.der = der
        sha256 = SHA256.hex(der)
    }

    /// Takes over the caller's reference, also when it throws.
    init(adopting x509: OpaquePointer) throws(OpenSSLError) {
        do throws(OpenSSLError) {
            der = try unsafe Self.encode("encode a certificate") { unsafe i2d_X509(x509, &$0) }
        } catch {
            unsafe X509_free(x509)
            throw error
        }
        unsafe self.x509 = x509
        sha256 = SHA256.hex(der)
    }

    /// Takes a reference of its own.
    convenience init(sharing x509: OpaquePointer) throws(OpenSSLError) {
        unsafe X509_up_ref(x509)
        try unsafe self.init(adopting: x509)
    }

    deinit { unsafe X509_free(x509) }
}

extension Certificate {
    /// The SubjectPublicKeyInfo, as it stands in the certificate.
    package var publicKeyDER: [UInt8] {
        (try? unsafe Self.encode("encode a public key") { unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(x509), &$0) })
            ?? []
    }

    /// SHA-256 of the SubjectPublicKeyInfo in base64: what pins are compared with (RFC 7469 §2.4).
    package var spkiSHA256Base64: String { Base64.encode(SHA256.digest(publicKeyDER)) }

    /// In one line, most specific part first: `CN=api.example.com,O=Example`.
    package var subject: String { unsafe Self.text(of: X509_get_subject_name(x509)) }
    package var issuer: String { unsafe Self.text(of: X509_get_issuer_name(x509)) }

    /// DER of the subject's Name, as an issued certificate repeats it.
    package var subjectDER: [UInt8] { unsafe Self.nameDER(X509_get_subject_name(x509)) }
    package var issuerDER: [UInt8] { unsafe Self.nameDER(X509_get_issuer_name(x509)) }
    var isSelfIssued: Bool { subjectDER == issuerDER }

    /// Unix seconds. A date that cannot be read makes the certificate one that was never valid.
    package var notBefore: Int64 { unsafe Self.seconds(X509_get0_notBefore(x509)) ?? .max }
    package var notAfter: Int64 { unsafe Self.seconds(X509_get0_notAfter(x509)) ?? .min }

    /// The serial number's content bytes, without sign or leading zeros.
    var serial: [UInt8] {
        guard let serial = unsafe X509_get0_serialNumber(x509) else { return [] }
        return unsafe Self.bytes(of: serial)
    }
    var hasPositiveSerial: Bool {
        guard let serial = unsafe X509_get0_serialNumber(x509) else { return false }
        return unsafe ASN1_STRING_type(serial) & V_ASN1_NEG == 0 && self.serial.contains { $0 != 0 }
    }

    var subjectKeyIdentifier: [UInt8]? {
        unsafe X509_get0_subject_key_id(x509).map { unsafe Self.bytes(of: $0) }
    }
    var authorityKeyIdentifier: [UInt8]? {
        unsafe X509_get0_authority_key_id(x509).map { unsafe Self.bytes(of: $0) }
    }

    /// Whether this certificate's key made the other's signature. Names and dates are not looked at.
    package func signed(_ other: Certificate) -> Bool {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let key = unsafe X509_get0_pubkey(x509) else { return false }
        return unsafe X509_verify(other.x509, key) == 1
    }

    static func bytes(of string: UnsafePointer<ASN1_STRING>) -> [UInt8] {
        let data = unsafe UnsafeBufferPointer(
            start: ASN1_STRING_get0_data(string), count: Int(max(0, ASN1_STRING_length(string))))
        return unsafe Array(data)
    }

    /// Runs an `i2d_…` function twice: once for the length, once for the bytes.
    static func encode(
        _ operation: String, _ i2d: (inout UnsafeMutablePointer<UInt8>?) -> Int32
    ) throws(OpenSSLError) -> [UInt8] {
        let bytes = try OpenSSLError.trying(operation) { () -> [UInt8]? in
            // OpenSSL allocates when it is given a nil pointer, and says how much it wrote.
            var out: UnsafeMutablePointer<UInt8>?
            let count = unsafe i2d(&out)
            guard count > 0, let start = unsafe out else { return nil }
            defer { unsafe CRYPTO_free(start, nil, 0) }
            return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
        }
        return bytes
    }

    private static func nameDER(_ name: OpaquePointer?) -> [UInt8] {
        (try? unsafe encode("encode a name") { unsafe i2d_X509_NAME(name, &$0) }) ?? []
    }

    static func text(of name: OpaquePointer?) -> String {
        let memory = MemoryBIO()
        // Backwards (RFC 2253), and UTF-8 as it is instead of escaped.
        let flags = pp_XN_FLAG_RFC2253() & ~UInt(ASN1_STRFLGS_ESC_MSB)
        guard let name = unsafe name, unsafe X509_NAME_print_ex(memory.bio, name, 0, flags) >= 0 else { return "" }
        return String(decoding: memory.contents(), as: UTF8.self)
    }

    static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var parts = unsafe tm()
        guard let asn1 = unsafe time, unsafe ASN1_TIME_to_tm(asn1, &parts) == 1 else { return nil }
        let date = unsafe CalendarDate(
            year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
        let time = unsafe Int64(parts.tm_hour) * 3600 + Int64(parts.tm_min) * 60 + Int64(parts.tm_sec)
        return Int64(date.daysSince1970) * 86_400 + time
    }
}

extension Certificate: Hashable {
    package static func == (a: Certificate, b: Certificate) -> Bool { a === b || a.der == b.der }
    package func hash(into hasher: inout Hasher) { hasher.combine(sha256) }
}
