import Policy

/// What to mend in an app that sent data under one form of an attack.
///
/// The mistake in code that the form is made for, and its mending on the platforms.
/// "Natively" is where React Native's and a plugin's pins have to be.
enum FormAdvice {
    /// Forms whose data says more than an attack's own sentence, by the attack's and the form's name.
    static let byName: [String: String] = [
        "trusted-ca/tls-1.2":
            "Check the pin whatever version of TLS was agreed on: in TLS 1.2 it was not looked at. iOS: in "
            + "`urlSession(_:didReceive:)` without a condition before it; Android: no second client with an older "
            + "`ConnectionSpec` and without the `CertificatePinner`; Flutter: on every `SecureSocket`.",
        "trusted-ca/rsa-leaf":
            "Refuse a key that the pin's code does not know: an RSA key went by. iOS: code that puts a header per type of "
            + "key before `SecKeyCopyExternalRepresentation` has to fail where it has none; Android: hash "
            + "`getPublicKey().getEncoded()`, which knows every type; Flutter: hash the whole SPKI.",
        "trusted-ca/other-key":
            "Refuse a key that the pin's code does not know: one of another size or curve went by. iOS: a table of headers "
            + "by type and size has to fail for what is not in it; Android: hash `getPublicKey().getEncoded()`; Flutter: "
            + "hash the whole SPKI.",
        "trusted-ca/http-1.1":
            "Check the pin below HTTP, where its version does not matter: over HTTP/1.1 it was not looked at. iOS: one "
            + "session delegate; Android: a `CertificatePinner`, no check in what only HTTP/2 passes through; Flutter: the "
            + "same check for every client in the app.",
        "trusted-ca/no-alpn":
            "Check the pin also where the server agrees to no application protocol (ALPN): the code that talks to it then "
            + "has none. iOS: one session delegate; Android: one `OkHttpClient`; Flutter: the same check for every "
            + "`SecureSocket`, `selectedProtocol` null or not.",
        "trusted-ca/plain":
            "Refuse whatever does not match, a chain of another shape too: a short one, straight below a root, went by. Look "
            + "for code that takes it for a test server's, or reads `chain[1]` and goes on where there is none. iOS: fail "
            + "unless a certificate of `SecTrustCopyCertificateChain` matches; Android: `CertificatePinner` or `pin-set`; "
            + "Flutter: no check that an exception ends.",
        "trusted-ca/no-common-name": byHost("a certificate without a common name went by"),
        "trusted-ca/foreign-common-name": byHost("a certificate with another common name went by"),
        "trusted-ca/second-name": byHost("a certificate that names the host second went by"),
        "trusted-ca/wildcard": byHost("a wildcard certificate went by"),
        "trusted-ca/first-only":
            "Look at the connection that carries the request: the first one was used, and another one was looked at. iOS: no "
            + "`URLSession` for a preconnection beside the pinned one; Android: no `SSLSocket` opened ahead of the pinned "
            + "client; Flutter: check in the `connectionFactory` that makes each connection.",
        "trusted-ca/host-only":
            "Look at this host's own chain: one that another host had shown was taken for it. Look for a result of the check "
            + "that is kept for the whole app. iOS: decide in each challenge by its `protectionSpace.host`; Android: by the "
            + "`SSLSession` of this connection; Flutter: by this connection's `peerCertificate`.",
        "trusted-ca/others-unreachable":
            "Keep pins in the build: where their configuration could not be had, there were none. iOS and Android: begin with "
            + "built-in pins (`NSPinnedDomains`, `pin-set`), and let nothing but a configuration that was itself checked "
            + "replace them; Flutter, and natively: the same, and no empty list that stands for no pin.",
        "trusted-ca/others-answer-404":
            "Take an answer that says there is no configuration (404) for no configuration, not for one without pins: the "
            + "built-in ones stay. iOS and Android: look at the status before the content, and let nothing but a configuration "
            + "that was itself checked replace pins; Flutter, and natively: the same.",
        "trusted-ca/coalesced":
            "Send what is for a pinned host on connections that were checked for it: a certificate of another host named it as "
            + "well, and its connection was taken. iOS: a `URLSession` of its own for pinned hosts; Android: a "
            + "`CertificatePinner` with pins for both hosts, or two `OkHttpClient`s; Flutter: one client for each host.",
        "wrong-key/tls-1.2":
            "Update the TLS library or replace it: in TLS 1.2 it does not verify the signature over the key exchange, so "
            + "anybody can show your own certificate. iOS and Android: the system's own stack, up to date; Flutter: a current "
            + "engine; natively: no bundled TLS library of old.",
        "cloned-identity/untrusted":
            "Compare the public key, and only in a chain that has been verified: here the genuine names made good what "
            + "verification had refused. iOS: no `.useCredential` after `SecTrustEvaluateWithError` has failed; Android: "
            + "`cancel()` in `onReceivedSslError`, no exception in a `checkServerTrusted`; Flutter: no "
            + "`badCertificateCallback` that compares names.",
        "cloned-identity/without-root":
            "Compare the public key (its SPKI): a list of certificates that reads as yours, with as many in it, is what "
            + "anybody can send. iOS: SPKIs of `SecTrustCopyCertificateChain`; Android: `CertificatePinner` or `pin-set`; "
            + "Flutter: the SPKI of `peerCertificate.der`.",
        "wrong-usage/client-auth": usage("a certificate that is for clients"),
        "wrong-usage/name-constraints": usage("a certificate that its issuer may not give out"),
        "wrong-usage/path-length": usage("a certificate below more CAs than are allowed"),
        "wrong-usage/common-name-only":
            "Compare alternative names alone: the common name of a subject has not counted since RFC 6125.",
        "later-connection/second-only":
            "Check the pin on every connection, in the client that sends: one that was opened beside others was not looked at. "
            + "iOS: one delegate for uploads and background sessions too; Android: one `OkHttpClient`; Flutter: one client "
            + "for the whole app.",
        "later-connection/after-reset": afterFailure("was reset"),
        "later-connection/after-3-resets": afterFailure("was reset again and again"),
        "later-connection/after-close": afterFailure("was closed"),
        "later-connection/after-alert": afterFailure("failed in TLS"),
        "later-connection/after-timeout": afterFailure("came to nothing in time"),
        "later-connection/after-502": afterFailure("the proxy refused (502)"),
        "later-connection/after-407": afterFailure("the proxy wanted a login for (407)"),
        "later-connection/after-no-tunnel": afterFailure("the proxy did not answer for"),
        "later-connection/after-no-answer": afterFailure("gave no answer"),
        "later-connection/after-lost-answer":
            "Check the pin in the client itself, not by hand before the request: the answer was lost, and the client asked "
            + "again on a connection that the app did not see. Android: OkHttp with a `CertificatePinner` in place of "
            + "`HttpURLConnection`; iOS: the session's delegate.",
    ]

    /// The same for as many resets as a client was seen to bear.
    static func text(_ name: String) -> String? {
        if let text = byName[name] { return text }
        // Each connection that is attacked alone shows the same mistake.
        let parts = name.split(separator: "/", maxSplits: 1)
        if parts.count == 2, parts[0] == "later-connection", case .only? = onset(of: String(parts[1])) {
            return byName["later-connection/second-only"]
        }
        guard name.hasPrefix("later-connection/after-"), name.hasSuffix("-resets") else { return nil }
        return byName["later-connection/after-3-resets"]
    }

    private static func onset(of form: String) -> Conduct.Onset? {
        AttackCatalogue.form(Attack.laterConnection.id, form)?.conduct.onset
    }

    /// Forms that have another one's peculiarity as well, and so say nothing of their own where that one was fallen for.
    static let including: [String: [String]] = [
        "rsa-leaf": ["plain"], "other-key": ["plain"], "no-common-name": ["plain"], "foreign-common-name": ["plain"],
        "second-name": ["plain"], "wildcard": ["plain"], "older": ["plain", "rsa-leaf", "tls-1.2", "http-1.1"],
    ]

    private static func byHost(_ seen: String) -> String {
        "Find pins by the host that is asked for, never by what the certificate says of itself: \(seen), and was not looked "
            + "at. iOS: by `protectionSpace.host`; Android: `CertificatePinner` or `pin-set`, and no "
            + "`getSubjectX500Principal()`; Flutter: by the URL's host, not by `X509Certificate.subject`."
    }

    private static func usage(_ certificate: String) -> String {
        "Let the platform decide what a certificate may be used for, and forgive no error to one with your own names: "
            + "\(certificate) was taken. iOS: `SecPolicyCreateSSL(true, host)`, and its answer as it is; Android: no "
            + "TrustManager of your own; Flutter: no `badCertificateCallback`."
    }

    private static func afterFailure(_ failure: String) -> String {
        "Keep the pin when the client tries again: after a connection that \(failure), it went on without. Look for a second "
            + "client in `catch`. iOS: the same `URLSession`; Android: the same `OkHttpClient`, in interceptors too; "
            + "Flutter: the same client, and no plugin as the way out."
    }
}
