import Facts

/// The rules. docs/stacks.md says of each what it was measured on, and why it tells its stack from the others.
extension StackRule {
    static let all: [StackRule] = onOpenSSL + onBoringSSL + others + documented

    // MARK: OpenSSL

    /// It alone writes point formats before groups, and the algorithms behind what TLS 1.2 knows of extensions. That up to
    /// 3.5 it offers compressed points, as nobody else has for years, is told no more: later ones do not.
    private static let openssl: [StackTell] = [
        .order(ExtensionOrder.openssl), .has([10, 11, 13, 22, 23]), .greased(false),
    ]

    private static let onOpenSSL: [StackRule] = [
        StackRule(name: .openssl, tells: openssl),
        // AES-128 with RSA first: crypto.constants.defaultCoreCipherList, since Node 12.
        StackRule(
            name: .node,
            tells: openssl + [.suites([0xc02f, 0xc02b, 0xc030, 0xc02c, 0x009e, 0xc027, 0x0067, 0xc028, 0x006b])]),
        // ECDHE+AESGCM:ECDHE+CHACHA20:… of ssl.create_default_context, since Python 3.10.
        StackRule(
            name: .python,
            tells: openssl + [
                .wholeSuites(
                    withSCSV([
                        0xc02c, 0xc030, 0xc02b, 0xc02f, 0xcca9, 0xcca8, 0xc024, 0xc028, 0xc023, 0xc027, 0x009f, 0x009e,
                        0x006b, 0x0067,
                    ]))
            ]),
        // OPENSSL_DEFAULT_STREAM_CIPHERS.
        StackRule(
            name: .php,
            tells: openssl + [.suites([0xc02f, 0xc02b, 0xc030, 0xc02c, 0x009e, 0x00a2, 0x00a3, 0x009f, 0xc027])]),
    ]

    // MARK: BoringSSL

    /// kVerifySignatureAlgorithms; with ML-DSA before them in Chromium since 2026.
    private static let boringAlgorithms: [[UInt16]] = {
        let known: [UInt16] = [0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601]
        return [known, [0x0904, 0x0905, 0x0906] + known]
    }()

    private static let boringSSL: [StackTell] = [
        .signatures(boringAlgorithms), .pointFormats([0]), .has([10, 11, 13, 23, 0xff01]),
    ]

    private static let plainBoringSSL: [StackTell] = boringSSL + [.order(ExtensionOrder.boringSSL), .greased(false)]

    /// What Dart offers, which is BoringSSL's own list: where the processor has no AES, ChaCha20 comes first.
    private static let (dartWithoutAES, dartWithAES): ([UInt16], [UInt16]) = {
        let (gcm, chacha): ([UInt16], [UInt16]) = ([0xc02b, 0xc02f, 0xc02c, 0xc030], [0xcca9, 0xcca8])
        let rest: [UInt16] = [0xc009, 0xc013, 0xc00a, 0xc014, 0x009c, 0x009d, 0x002f, 0x0035]
        return (chacha + gcm + rest, gcm + chacha + rest)
    }()

    private static let dart: [StackTell] = plainBoringSSL + [.has([35]), .lacks([5, 16, 18, 27])]

    private static let onBoringSSL: [StackRule] = [
        StackRule(name: .boringssl, tells: boringSSL + [.order(ExtensionOrder.boringSSL)]),
        // GREASE, brotli, stapling and certificate transparency, and the suites of its settings; in any order.
        StackRule(
            name: .chromium,
            tells: boringSSL + [
                .greased(true), .compression([2]), .has([5, 18]),
                .wholeSuites([
                    [
                        0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc013, 0xc014, 0x009c, 0x009d, 0x002f, 0x0035,
                    ],
                    [
                        0xcca9, 0xcca8, 0xc02b, 0xc02f, 0xc02c, 0xc030, 0xc013, 0xc014, 0x009c, 0x009d, 0x002f, 0x0035,
                    ],
                ]),
            ]),
        // Its own list, ECDSA and RSA in turn: NativeCrypto's DEFAULT_X509_CIPHER_SUITES.
        StackRule(
            name: .conscrypt, tells: plainBoringSSL + [.suites([0xc02b, 0xc02c, 0xcca9, 0xc02f, 0xc030, 0xcca8])]),
        StackRule(name: .dart, tells: dart + [.wholeSuites([dartWithoutAES])]),
        // ECDH+AES256 before ECDH+AES128: TLSConfiguration's defaultCipherSuites.
        StackRule(
            name: .swiftNIO,
            tells: plainBoringSSL + [
                .suites([0xc02b, 0xc02f, 0xc02c, 0xc030, 0xcca9, 0xcca8, 0xc00a, 0xc014, 0xc009, 0xc013])
            ]),
    ]

    // MARK: others

    private static let plain: [StackTell] = [.greased(false), .pointFormats([0])]

    private static let others: [StackRule] = [
        // It alone still asks for several stapled answers (status_request_v2, 17).
        StackRule(name: .jsse, tells: plain + [.order(ExtensionOrder.jsse), .has([10, 13, 17])]),
        // Stapling and certificate transparency in every hello.
        StackRule(name: .go, tells: plain + [.order(ExtensionOrder.oldGo), .has([5, 10, 11, 13, 18, 0xff01])]),
        StackRule(name: .go, tells: plain + [.order(ExtensionOrder.go), .has([5, 10, 11, 13, 18, 0xff01])]),
        // RSA before ECDSA in the algorithms, and a limit for records; in any order since 3.8.
        StackRule(
            name: .gnutls,
            tells: plain + [.has([10, 13, 28]), .signatures([[0x0401, 0x0809, 0x0804, 0x0403, 0x0807]])]
        ),
        // In any order; nine suites.
        StackRule(
            name: .rustls,
            tells: plain + [
                .has([5, 10, 13, 23]), .lacks([0xff01, 22]),
                .wholeSuites([[0xc02c, 0xc02b, 0xcca9, 0xc030, 0xc02f, 0xcca8, 0x00ff]]),
            ]),
        // A limit for records, and supported_versions before the algorithms.
        StackRule(
            name: .nss,
            tells: plain + [.order(ExtensionOrder.nss), .has([10, 13, 28]), .signatures([[0x0403, 0x0503, 0x0603]])]),
        // The signal of renegotiation comes first, which everybody else puts last.
        StackRule(
            name: .erlang,
            tells: plain + [
                .suites([0x00ff, 0xc02c, 0xc030, 0xc0ad, 0xc0af, 0xc024]), .has([10, 13]),
                .lacks([22, 23, 28, 0xff01]),
            ]),
        // ChaCha20 first, then everything with 256 bits.
        StackRule(name: .mbedtls, tells: plain + mbedTLS + [.order(ExtensionOrder.oldMbedTLS)]),
        StackRule(name: .mbedtls, tells: plain + mbedTLS + [.order(ExtensionOrder.mbedTLS)]),
        // The last extension that was set comes first; the strongest algorithm does.
        StackRule(
            name: .wolfssl,
            tells: plain + [
                .order(ExtensionOrder.wolfSSL), .has([10, 13]), .signatures([[0x0603, 0x0503, 0x0403, 0x0203]]),
            ]),
        StackRule(name: .s2n, tells: plain + [.order(ExtensionOrder.s2n), .has([10, 11, 13, 23, 43, 51])]),
    ]

    private static let mbedTLS: [StackTell] = [
        .suites([0xcca8, 0xcca9, 0xccaa, 0xc02c, 0xc030, 0x009f]), .has([10, 13, 22, 23]),
    ]

    // MARK: documents, source code and imitations alone

    private static let schannel: [UInt16] = [
        0xc02c, 0xc02b, 0xc030, 0xc02f, 0x009f, 0x009e, 0xc024, 0xc023, 0xc028, 0xc027, 0xc00a, 0xc009, 0xc014, 0xc013,
        0x009d, 0x009c, 0x003d, 0x003c, 0x0035, 0x002f,
    ]

    private static let documented: [StackRule] = [
        // GREASE as Chromium, zlib where that has brotli, and AES-256 before AES-128.
        StackRule(
            name: .apple, isMeasured: false,
            tells: [
                .greased(true), .compression([1]), .order(ExtensionOrder.boringSSL), .pointFormats([0]),
                .has([5, 10, 13, 18]),
                .suites([0xc02c, 0xc02b, 0xcca9, 0xc030, 0xc02f, 0xcca8, 0xc00a, 0xc009, 0xc014, 0xc013]),
            ]),
        StackRule(name: .dart, isMeasured: false, tells: dart + [.wholeSuites([dartWithAES])]),
        StackRule(
            name: .schannel, isMeasured: false,
            tells: [.greased(false), .wholeSuites([schannel, schannel + [0x000a]]), .has([10, 13])]),
        StackRule(
            name: .libressl, isMeasured: false,
            tells: [.greased(false), .order(ExtensionOrder.oldLibreSSL), .has([10, 11, 13, 43, 51])]),
        StackRule(
            name: .libressl, isMeasured: false,
            tells: [.greased(false), .order(ExtensionOrder.libreSSL), .has([10, 11, 13, 43, 51])]),
    ]

    /// OpenSSL before 3.4 says by a suite what later ones say by an extension (RFC 5746 §3.3).
    private static func withSCSV(_ suites: [UInt16]) -> [[UInt16]] { [suites, suites + [0x00ff]] }
}
