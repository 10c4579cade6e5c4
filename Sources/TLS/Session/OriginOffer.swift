import COpenSSL
import CShim
import Facts

/// What an origin is offered where a client's own offer is followed.
///
/// Numbers of IANA's registries ("TLS Cipher Suites", "TLS Supported Groups", "TLS SignatureScheme"), in the client's order.
/// What this OpenSSL cannot say is left out. A list of which nothing is left, or that the client did not send, is what
/// the proxy offers by itself.
package struct OriginOffer: Hashable, Sendable {
    package var cipherSuites: [UInt16]
    package var groups: [UInt16]
    package var signatureAlgorithms: [UInt16]
    package var lowest: TLSVersion
    /// Behind the suites given, those that the proxy offers by itself.
    package var goesOn: Bool

    package init(
        cipherSuites: [UInt16] = [], groups: [UInt16] = [], signatureAlgorithms: [UInt16] = [],
        lowest: TLSVersion = .tls12, goesOn: Bool = false
    ) {
        self.goesOn = goesOn
        // Hostile hellos have thousands; no client has more.
        self.cipherSuites = Array(cipherSuites.prefix(Self.limit))
        self.groups = Array(groups.prefix(Self.limit))
        self.signatureAlgorithms = Array(signatureAlgorithms.prefix(Self.limit))
        self.lowest = lowest
    }

    /// OpenSSL's default, which as a word (`DEFAULT`) is one at the beginning of a list alone.
    static let ownOlder = "ALL:!COMPLEMENTOFDEFAULT:!eNULL"
    /// The same of TLS 1.3.
    static let ownModern = ["TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256"]

    /// The longest list of a real client has some 200 suites.
    static let limit = 256

    /// Sets up a context that has the proxy's own offer.
    func apply(to context: OpaquePointer) {
        guard let ssl = unsafe SSL_new(context) else { return }
        defer { unsafe SSL_free(ssl) }
        let suites = unsafe Self.names(of: cipherSuites, ssl)
        var modern = suites.filter { $0.isTLS13 }.map(\.name)
        var older = suites.filter { !$0.isTLS13 }.map(\.name)
        if goesOn {
            if !modern.isEmpty { modern += Self.ownModern.filter { !modern.contains($0) } }
            if !older.isEmpty { older.append(Self.ownOlder) }
        }
        if !modern.isEmpty { unsafe SSL_CTX_set_ciphersuites(context, modern.joined(separator: ":")) }
        // A client of TLS 1.3 alone has none of these, and an empty list is none.
        if !older.isEmpty { unsafe SSL_CTX_set_cipher_list(context, older.joined(separator: ":")) }
        let groups = groups.compactMap { KnownParameters.groups[$0] }
        if !groups.isEmpty { unsafe pp_SSL_CTX_set1_groups_list(context, groups.joined(separator: ":")) }
        let algorithms = signatureAlgorithms.compactMap { KnownParameters.signatureAlgorithms[$0] }
        if !algorithms.isEmpty, signatureAlgorithms.contains(where: Self.isOfToday) {
            unsafe pp_SSL_CTX_set1_sigalgs_list(context, algorithms.joined(separator: ":"))
        }
        // What could not be set stays as it was.
        ERR_clear_error()
    }

    /// Not by SHA-1 or DSA, which OpenSSL leaves out at the security levels of today: nothing would be left to offer.
    private static func isOfToday(_ algorithm: UInt16) -> Bool {
        KnownParameters.signatureAlgorithms[algorithm] != nil && algorithm >> 8 != 2 && algorithm & 0xff != 2
    }

    /// By a certificate: nothing else could be verified.
    private static let authentications = [NID_auth_any, NID_auth_rsa, NID_auth_ecdsa]

    /// As OpenSSL calls them, without those that it does not know.
    static func names(of suites: [UInt16], _ ssl: OpaquePointer) -> [(name: String, isTLS13: Bool)] {
        var seen: Set<UInt16> = []
        return suites.prefix(limit).compactMap { suite in
            let number = [UInt8(suite >> 8), UInt8(suite & 0xff)]
            guard seen.insert(suite).inserted, let cipher = unsafe SSL_CIPHER_find(ssl, number),
                unsafe authentications.contains(SSL_CIPHER_get_auth_nid(cipher)),
                unsafe SSL_CIPHER_get_cipher_nid(cipher) != NID_undef, let name = unsafe SSL_CIPHER_get_name(cipher)
            else { return nil }
            return unsafe (String(cString: name), suite >> 8 == 0x13)
        }
    }
}

/// Groups and signature algorithms that this OpenSSL can offer, by their numbers.
private enum KnownParameters {
    static let groups = unsafe known(
        [
            23: "P-256", 24: "P-384", 25: "P-521", 26: "brainpoolP256r1", 27: "brainpoolP384r1", 28: "brainpoolP512r1",
            29: "X25519", 30: "X448", 256: "ffdhe2048", 257: "ffdhe3072", 258: "ffdhe4096", 259: "ffdhe6144",
            260: "ffdhe8192", 512: "MLKEM512", 513: "MLKEM768", 514: "MLKEM1024", 4587: "SecP256r1MLKEM768",
            4588: "X25519MLKEM768", 4589: "SecP384r1MLKEM1024",
        ]
    ) { unsafe pp_SSL_CTX_set1_groups_list($0, $1) == 1 }

    static let signatureAlgorithms = unsafe known(
        [
            0x0201: "rsa_pkcs1_sha1", 0x0202: "DSA+SHA1", 0x0203: "ecdsa_sha1", 0x0301: "RSA+SHA224",
            0x0302: "DSA+SHA224", 0x0303: "ECDSA+SHA224", 0x0401: "rsa_pkcs1_sha256", 0x0402: "DSA+SHA256",
            0x0403: "ecdsa_secp256r1_sha256", 0x0501: "rsa_pkcs1_sha384", 0x0502: "DSA+SHA384",
            0x0503: "ecdsa_secp384r1_sha384", 0x0601: "rsa_pkcs1_sha512", 0x0602: "DSA+SHA512",
            0x0603: "ecdsa_secp521r1_sha512", 0x0804: "rsa_pss_rsae_sha256", 0x0805: "rsa_pss_rsae_sha384",
            0x0806: "rsa_pss_rsae_sha512", 0x0807: "ed25519", 0x0808: "ed448", 0x0809: "rsa_pss_pss_sha256",
            0x080a: "rsa_pss_pss_sha384", 0x080b: "rsa_pss_pss_sha512", 0x081a: "ecdsa_brainpoolP256r1_sha256",
            0x081b: "ecdsa_brainpoolP384r1_sha384", 0x081c: "ecdsa_brainpoolP512r1_sha512", 0x0904: "mldsa44",
            0x0905: "mldsa65", 0x0906: "mldsa87",
        ]
    ) { unsafe pp_SSL_CTX_set1_sigalgs_list($0, $1) == 1 }

    /// A list with one name that OpenSSL does not know is refused as a whole.
    private static func known(
        _ names: [UInt16: String], _ isTaken: (OpaquePointer, String) -> Bool
    ) -> [UInt16: String] {
        guard let context = unsafe SSL_CTX_new(TLS_client_method()) else { return [:] }
        defer {
            unsafe SSL_CTX_free(context)
            ERR_clear_error()
        }
        return names.filter { unsafe isTaken(context, $0.value) }
    }
}
