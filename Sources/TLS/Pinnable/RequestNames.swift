import COpenSSL
import CShim
import Facts

/// The DNS names in a certificate request's SAN (RFC 2986 with RFC 5280 §4.2.1.6).
enum RequestNames {
    /// - Parameter request: an X509_REQ, which stays the caller's.
    static func all(of request: OpaquePointer) -> [String] {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let extensions = unsafe X509_REQ_get_extensions(request) else { return [] }
        defer { unsafe pp_sk_X509_EXTENSION_pop_free(extensions) }
        guard let raw = unsafe X509V3_get_d2i(extensions, NID_subject_alt_name, nil, nil) else { return [] }
        let names = OpaquePointer(raw)
        defer { unsafe GENERAL_NAMES_free(names) }
        return unsafe (0..<max(0, pp_sk_GENERAL_NAME_num(names))).compactMap { index in
            guard let name = unsafe GeneralName.read(pp_sk_GENERAL_NAME_value(names, index)), name.type == GEN_DNS
            else { return nil }
            return String(decoding: name.bytes, as: UTF8.self)
        }
    }
}

extension Certificate {
    /// The DNS names of the SAN, as they stand there.
    package var dnsNames: [String] {
        (alternativeNames ?? []).filter { $0.type == GEN_DNS }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// The addresses of the SAN, in its order; those of a wrong length are left out.
    package var addresses: [IPAddress] {
        (alternativeNames ?? []).filter { $0.type == GEN_IPADD }.compactMap { IPAddress(bytes: $0.bytes) }
    }
}
