import COpenSSL
import CShim

extension Certificate {
    /// The subject alternative names; nil when there are none, empty when the extension cannot be read.
    var alternativeNames: [(type: Int32, bytes: [UInt8])]? {
        var critical: Int32 = 0
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let raw = unsafe X509_get_ext_d2i(x509, NID_subject_alt_name, &critical, nil) else {
            return critical == -1 ? nil : []
        }
        let names = OpaquePointer(raw)
        defer { unsafe GENERAL_NAMES_free(names) }
        let all = unsafe (0..<max(0, pp_sk_GENERAL_NAME_num(names))).compactMap { index in
            unsafe GeneralName.read(pp_sk_GENERAL_NAME_value(names, index))
        }
        return all.isEmpty ? nil : all
    }

    /// Whether its subject alternative names have one that a server is called by: a DNS name or an address.
    package var hasServerName: Bool { (alternativeNames ?? []).contains { $0.type == GEN_DNS || $0.type == GEN_IPADD } }

    /// The first common name of the subject.
    package var commonName: String? {
        let name = unsafe X509_get_subject_name(x509)
        let index = unsafe X509_NAME_get_index_by_NID(name, NID_commonName, -1)
        guard index >= 0, let entry = unsafe X509_NAME_get_entry(name, index),
            let value = unsafe X509_NAME_ENTRY_get_data(entry)
        else { return nil }
        return unsafe String(decoding: Self.bytes(of: value), as: UTF8.self)
    }
}
