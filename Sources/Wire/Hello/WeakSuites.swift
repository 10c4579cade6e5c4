/// Cipher suites that protect nothing or too little, by their names at IANA.
enum WeakSuites {
    /// In the client's order, each once.
    static func names(of suites: [UInt16]) -> [String] {
        var out: [String] = []
        for suite in suites {
            // Nearly always nil, and then nothing is allocated.
            if let name = name(of: suite), !out.contains(name) { out.append(name) }
        }
        return out
    }

    static func name(of suite: UInt16) -> String? {
        switch suite {
        case 0x0000...0x00ff: classic[suite]
        case 0xc000...0xc0ff: elliptic[suite]
        default: nil
        }
    }

    private static let classic: [UInt16: String] = [
        0x0000: "TLS_NULL_WITH_NULL_NULL",
        0x0001: "TLS_RSA_WITH_NULL_MD5",
        0x0002: "TLS_RSA_WITH_NULL_SHA",
        0x0003: "TLS_RSA_EXPORT_WITH_RC4_40_MD5",
        0x0006: "TLS_RSA_EXPORT_WITH_RC2_CBC_40_MD5",
        0x0008: "TLS_RSA_EXPORT_WITH_DES40_CBC_SHA",
        0x000b: "TLS_DH_DSS_EXPORT_WITH_DES40_CBC_SHA",
        0x000e: "TLS_DH_RSA_EXPORT_WITH_DES40_CBC_SHA",
        0x0011: "TLS_DHE_DSS_EXPORT_WITH_DES40_CBC_SHA",
        0x0014: "TLS_DHE_RSA_EXPORT_WITH_DES40_CBC_SHA",
        0x0017: "TLS_DH_anon_EXPORT_WITH_RC4_40_MD5",
        0x0018: "TLS_DH_anon_WITH_RC4_128_MD5",
        0x0019: "TLS_DH_anon_EXPORT_WITH_DES40_CBC_SHA",
        0x001a: "TLS_DH_anon_WITH_DES_CBC_SHA",
        0x001b: "TLS_DH_anon_WITH_3DES_EDE_CBC_SHA",
        0x0026: "TLS_KRB5_EXPORT_WITH_DES_CBC_40_SHA",
        0x0027: "TLS_KRB5_EXPORT_WITH_RC2_CBC_40_SHA",
        0x0028: "TLS_KRB5_EXPORT_WITH_RC4_40_SHA",
        0x0029: "TLS_KRB5_EXPORT_WITH_DES_CBC_40_MD5",
        0x002a: "TLS_KRB5_EXPORT_WITH_RC2_CBC_40_MD5",
        0x002b: "TLS_KRB5_EXPORT_WITH_RC4_40_MD5",
        0x002c: "TLS_PSK_WITH_NULL_SHA",
        0x002d: "TLS_DHE_PSK_WITH_NULL_SHA",
        0x002e: "TLS_RSA_PSK_WITH_NULL_SHA",
        0x0034: "TLS_DH_anon_WITH_AES_128_CBC_SHA",
        0x003a: "TLS_DH_anon_WITH_AES_256_CBC_SHA",
        0x003b: "TLS_RSA_WITH_NULL_SHA256",
        0x0046: "TLS_DH_anon_WITH_CAMELLIA_128_CBC_SHA",
        0x006c: "TLS_DH_anon_WITH_AES_128_CBC_SHA256",
        0x006d: "TLS_DH_anon_WITH_AES_256_CBC_SHA256",
        0x0089: "TLS_DH_anon_WITH_CAMELLIA_256_CBC_SHA",
        0x009b: "TLS_DH_anon_WITH_SEED_CBC_SHA",
        0x00a6: "TLS_DH_anon_WITH_AES_128_GCM_SHA256",
        0x00a7: "TLS_DH_anon_WITH_AES_256_GCM_SHA384",
        0x00b0: "TLS_PSK_WITH_NULL_SHA256",
        0x00b1: "TLS_PSK_WITH_NULL_SHA384",
        0x00b4: "TLS_DHE_PSK_WITH_NULL_SHA256",
        0x00b5: "TLS_DHE_PSK_WITH_NULL_SHA384",
        0x00b8: "TLS_RSA_PSK_WITH_NULL_SHA256",
        0x00b9: "TLS_RSA_PSK_WITH_NULL_SHA384",
        0x00bf: "TLS_DH_anon_WITH_CAMELLIA_128_CBC_SHA256",
        0x00c5: "TLS_DH_anon_WITH_CAMELLIA_256_CBC_SHA256",
    ]

    private static let elliptic: [UInt16: String] = [
        0xc001: "TLS_ECDH_ECDSA_WITH_NULL_SHA",
        0xc006: "TLS_ECDHE_ECDSA_WITH_NULL_SHA",
        0xc00b: "TLS_ECDH_RSA_WITH_NULL_SHA",
        0xc010: "TLS_ECDHE_RSA_WITH_NULL_SHA",
        0xc015: "TLS_ECDH_anon_WITH_NULL_SHA",
        0xc016: "TLS_ECDH_anon_WITH_RC4_128_SHA",
        0xc017: "TLS_ECDH_anon_WITH_3DES_EDE_CBC_SHA",
        0xc018: "TLS_ECDH_anon_WITH_AES_128_CBC_SHA",
        0xc019: "TLS_ECDH_anon_WITH_AES_256_CBC_SHA",
        0xc039: "TLS_ECDHE_PSK_WITH_NULL_SHA",
        0xc03a: "TLS_ECDHE_PSK_WITH_NULL_SHA256",
        0xc03b: "TLS_ECDHE_PSK_WITH_NULL_SHA384",
        0xc046: "TLS_DH_anon_WITH_ARIA_128_CBC_SHA256",
        0xc047: "TLS_DH_anon_WITH_ARIA_256_CBC_SHA384",
        0xc05a: "TLS_DH_anon_WITH_ARIA_128_GCM_SHA256",
        0xc05b: "TLS_DH_anon_WITH_ARIA_256_GCM_SHA384",
        0xc084: "TLS_DH_anon_WITH_CAMELLIA_128_GCM_SHA256",
        0xc085: "TLS_DH_anon_WITH_CAMELLIA_256_GCM_SHA384",
        0xc0b4: "TLS_SHA256_SHA256",
        0xc0b5: "TLS_SHA384_SHA384",
    ]
}
