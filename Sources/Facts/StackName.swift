/// A TLS stack by its name, as a ClientHello gives it away.
///
/// `Wire.StackRecogniser` finds it; docs/stacks.md has what is known of each. For advice alone. Anybody can imitate a hello, so no verdict rests on a name: `.ci/fence` keeps it out of the judge.
package enum StackName: String, Hashable, Sendable, Codable, CaseIterable {
    case openssl, node, python, php
    case boringssl, chromium, apple, conscrypt
    case dart = "dart-io"
    case swiftNIO = "swift-nio-ssl"
    case jsse, go, gnutls, rustls, nss, erlang, mbedtls, wolfssl, s2n, schannel, libressl

    /// The library that it is built on, and that it is told from by its settings alone.
    package var base: StackName? {
        switch self {
        case .node, .python, .php: .openssl
        case .chromium, .apple, .conscrypt, .dart, .swiftNIO: .boringssl
        default: nil
        }
    }

    package var title: String {
        switch self {
        case .openssl: "OpenSSL"
        case .node: "Node.js"
        case .python: "Python"
        case .php: "PHP"
        case .boringssl: "BoringSSL"
        case .chromium: "Chromium's network stack (Chrome, WebView, Cronet)"
        case .apple: "Apple's (URLSession, WKWebView, Safari)"
        case .conscrypt: "Conscrypt (OkHttp on Android)"
        case .dart: "dart:io (Flutter)"
        case .swiftNIO: "swift-nio-ssl"
        case .jsse: "JSSE (Java)"
        case .go: "Go"
        case .gnutls: "GnuTLS"
        case .rustls: "rustls"
        case .nss: "NSS (Firefox)"
        case .erlang: "Erlang"
        case .mbedtls: "Mbed TLS"
        case .wolfssl: "wolfSSL"
        case .s2n: "s2n"
        case .schannel: "SChannel (Windows)"
        case .libressl: "LibreSSL"
        }
    }

    /// `"OpenSSL"`, `"dart:io (Flutter) or another on BoringSSL"`; nil where nothing fits.
    package static func words(_ names: [StackName]) -> String? {
        let bases = names.filter { name in names.contains { $0.base == name } }
        let titles = names.filter { !bases.contains($0) }.map(\.title) + bases.map { "another on \($0.title)" }
        return titles.isEmpty ? nil : titles.joined(separator: " or ")
    }
}
