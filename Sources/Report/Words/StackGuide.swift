import Facts

/// What is known of a TLS stack: how it refuses, and where pins on it have leaked.
///
/// docs/stacks.md has the sources, and a test holds the two against each other. Advice alone: verdicts do not read it.
struct StackGuide {
    /// How it refuses; nil where nobody has seen or documented it.
    let refusal: String?
    let traps: [String]

    init(_ name: StackName) { (refusal, traps) = (Self.refusal(name), Self.traps(name)) }

    /// The traps of the only name; of candidates those of all, as one of them it is.
    static func traps(of names: [StackName]) -> [String] { names.flatMap { StackGuide($0).traps } }

    private static func refusal(_ name: StackName) -> String? {
        switch name {
        case .openssl:
            "48 in the handshake for an untrusted CA; a pin is mostly compared after it, and refused by a close"
        case .node: "by a close without an alert: in TLS 1.2 after the handshake, in TLS 1.3 within it"
        case .python:
            "48 in the handshake for an untrusted CA; a fingerprint is compared after it, and refused by a close"
        case .php: "48 in the handshake for an untrusted CA; a fingerprint is compared after it"
        case .chromium: "46 in the handshake, whatever the cause"
        case .apple: "46 in the handshake, or a close without a word (documented, not measured)"
        case .conscrypt:
            "46 in the handshake by a trust manager or the network security config; by OkHttp's CertificatePinner after it, "
                + "with close_notify"
        case .dart: "by a close without an alert"
        case .swiftNIO:
            "46 in the handshake by a callback, 48 for an untrusted CA; AsyncHTTPClient tries 13 times and more"
        case .jsse:
            "46 in the handshake by a trust manager; by OkHttp's CertificatePinner after it; java.net.http without an alert"
        case .go: "42 in the handshake, whatever the cause"
        case .gnutls: "42 in the handshake; libcurl by close_notify in place of an alert"
        case .rustls: "48 for an untrusted CA, 42 for a wrong name, 45 for an expired certificate"
        case .nss: "by an alert after the handshake (documented, not measured)"
        case .s2n: "by close_notify in place of an alert"
        case .erlang: "by an alert; after a bad signature in TLS 1.3 by one that the server cannot read"
        case .boringssl, .mbedtls, .wolfssl, .schannel, .libressl: nil
        }
    }

    private static func traps(_ name: StackName) -> [String] {
        switch name {
        case .node:
            [
                "checkServerIdentity decides nothing where rejectUnauthorized is false",
                "an Agent resumes sessions, and no check is made of a resumed one",
            ]
        case .python: ["urllib3's assert_fingerprint is looked at in place of the name"]
        case .chromium:
            [
                "Cronet's pins stand back for CAs that are installed, unless "
                    + "enablePublicKeyPinningBypassForLocalTrustAnchors(false) is set"
            ]
        case .apple:
            [
                "URLSession asks its delegate once for a connection, not for each request on it",
                "a delegate that answers performDefaultHandling pins nothing",
            ]
        case .conscrypt:
            [
                "OkHttp's CertificatePinner is asked after the handshake: its refusal is a close, like that of a connection "
                    + "that was never used",
                "the network security config's debug-overrides and overridePins switch pins off for installed CAs",
            ]
        case .dart:
            ["badCertificateCallback never sees a chain that is trusted: no pin can be built on it"]
        case .swiftNIO: ["customVerificationCallback replaces the verification of the chain"]
        case .jsse:
            ["a pin that is looked at after connect() or after the answer comes too late: the request may be out"]
        case .go:
            ["VerifyPeerCertificate is not called for sessions that are resumed; VerifyConnection is"]
        case .rustls: ["a custom ServerCertVerifier replaces every check, that of the signatures included"]
        case .nss: ["Firefox's built-in pins stand back for roots that are imported"]
        case .schannel:
            [
                ".NET: a ServerCertificateCustomValidationCallback replaces the default check, so that it has to look at the "
                    + "policy errors as well"
            ]
        case .openssl, .php, .boringssl, .gnutls, .erlang, .mbedtls, .wolfssl, .s2n, .libressl: []
        }
    }
}
