/// The orders in which libraries write the extensions of a ClientHello.
///
/// By their source code and by what was recorded; a test holds the recordings against them.
enum ExtensionOrder {
    /// `ext_defs` in ssl/statem/extensions.c, 1.1.1 to 3.6.
    static let openssl: [UInt16] = [
        0xff01, 0, 1, 12, 11, 10, 35, 5, 13172, 16, 14, 22, 18, 23, 50, 49, 19, 20, 13, 43, 45, 51, 44, 27, 42, 47, 21,
        41,
    ]
    /// `kExtensions` in ssl/extensions.cc, where the client does not shuffle them.
    static let boringSSL: [UInt16] = [
        0, 0xfe0d, 23, 0xff01, 10, 11, 35, 16, 5, 13, 13172, 18, 30032, 14, 51, 45, 42, 43, 44, 57, 27, 34, 17513,
        17613,
        47, 21, 41,
    ]
    /// The members of `SSLExtension`.
    static let jsse: [UInt16] = [0, 1, 5, 10, 11, 16, 17, 22, 23, 35, 13, 43, 44, 45, 50, 51, 0xff01, 47, 41]
    /// `clientHelloMsg.marshal` in crypto/tls, up to 1.21.
    static let oldGo: [UInt16] = [0, 5, 10, 11, 35, 13, 50, 0xff01, 23, 16, 18, 43, 44, 51, 42, 45, 57, 41]
    /// The same since 1.22.
    static let go: [UInt16] = [0, 11, 35, 0xff01, 23, 18, 42, 57, 5, 10, 13, 50, 16, 43, 44, 51, 45, 41]
    /// `clientHelloSendersTLS` in lib/ssl/ssl3ext.c.
    static let nss: [UInt16] = [
        0, 23, 0xff01, 10, 11, 35, 16, 5, 34, 18, 51, 42, 43, 13, 44, 45, 49, 28, 27, 0xfe0d, 21, 41,
    ]
    /// `ssl_write_client_hello`, 2.28.
    static let oldMbedTLS: [UInt16] = [0, 13, 10, 11, 22, 23, 35, 16]
    /// The same in 3.6.
    static let mbedTLS: [UInt16] = [0, 16, 43, 44, 51, 45, 42, 10, 13, 28, 11, 22, 23, 35, 41]
    /// As recorded: it puts what is set last at the front.
    static let wolfSSL: [UInt16] = [0xfe0d, 45, 51, 43, 13, 11, 10, 22, 16, 0, 23, 41]
    /// As recorded.
    static let s2n: [UInt16] = [43, 10, 51, 13, 0, 16, 5, 18, 1, 11, 23, 35, 45, 41]
    /// `tls_extensions` in ssl_tlsext.c, 3.3 (as macOS has it).
    static let oldLibreSSL: [UInt16] = [43, 51, 0, 0xff01, 5, 11, 10, 35, 13, 16, 44, 14, 41]
    /// The same in later ones: groups before key shares.
    static let libreSSL: [UInt16] = [43, 10, 51, 0, 0xff01, 5, 11, 35, 13, 16, 44, 14, 57, 45, 41]
}
