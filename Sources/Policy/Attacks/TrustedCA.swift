import Facts

extension Attack {
    /// The pinning test itself: everything is right but the key. A client without a pin sends its request.
    ///
    /// A refusal speaks of a pin only where the client had nothing else to dislike, so the chain is as near to the genuine
    /// one as the CA allows (`Recipe.likeTheGenuine`). What cannot be both ways has a form each, under a chain that is
    /// short and plain. Some stacks check in one place for one kind of connection and forget it for the other: so there
    /// are forms of the server's manners as well. A client that has not on offer what such a form is made of cannot meet it.
    package static let trustedCA = Attack(
        id: .trustedCA, set: .quick,
        presents: "the genuine names, dates and extensions under other keys, signed by the CA the tester installed",
        source: "OWASP MASTG-TEST-0244", weakness: .unpinned,
        standards: .pin, advice: Advice.whole, reading: Reading(occasion: .offer),
        variants: [
            Variant(name: nil, reading: Reading(differential: .trusted), recipe: .likeTheGenuine),
            Variant(
                name: "tls-1.2", set: .all, advice: Advice.olderTLS, recipe: .likeTheGenuine,
                conduct: Conduct(offer: .tls12)),
            Variant(name: "rsa-leaf", set: .all, advice: Advice.rsaKey, includes: ["plain"], recipe: Recipe(key: .rsa)),
            Variant(
                name: "http-1.1", set: .all, advice: Advice.http1, recipe: .likeTheGenuine,
                conduct: Conduct(offer: .http1)),
            Variant(
                name: "no-alpn", set: .all, advice: Advice.noALPN, recipe: .likeTheGenuine,
                conduct: Conduct(offer: .noALPN)),
            // For who checks only what its own server speaks: whoever is in the middle may speak more.
            Variant(
                name: "newer", set: .all, advice: Advice.newer, recipe: .likeTheGenuine, conduct: Conduct(offer: .newer)
            ),
            // For a table of the keys that can be hashed, by which what is not in it passes. Common ones have RSA of 2048 and
            // 4096 bits, P-256 and P-384 (TrustKit's); short ones no curve but P-256.
            Variant(
                name: "other-key", set: .all, advice: Advice.otherSize, includes: ["plain", "rsa-leaf"],
                recipe: Recipe(key: .unusualSize)),
            Variant(
                name: "other-curve", set: .all, advice: Advice.otherCurve, includes: ["plain"],
                recipe: Recipe(key: .unusualCurve)),
            // The host as the only name, nothing between the leaf and the CA: for who pins only what looks like the
            // genuine server's.
            Variant(name: "plain", set: .all, advice: Advice.shortChain),
            // For who takes the certificate that is no CA for the server's, and compares that one.
            Variant(
                name: "authority-leaf", set: .all, advice: Advice.authorityLeaf,
                recipe: Recipe(
                    subordinates: .inTheGenuineShape, identity: .likeTheGenuine, key: .likeTheLentOrGenuine,
                    isAuthority: true, order: Recipe.likeTheGenuine.order, defects: [.isCA])),
            // For who finds its pins by the subject's name, or by the first of the alternative ones.
            Variant(
                name: "no-common-name", set: .all, advice: Advice.noCommonName, includes: ["plain"],
                recipe: Recipe(name: .noCommonName)),
            Variant(
                name: "foreign-common-name", set: .all, advice: Advice.foreignCommonName, includes: ["plain"],
                recipe: Recipe(name: .foreignCommonName(nil))),
            Variant(
                name: "second-name", set: .all, advice: Advice.secondName, includes: ["plain"],
                recipe: Recipe(name: .second(nil))),
            Variant(
                name: "wildcard", set: .all, advice: Advice.wildcard, includes: ["plain"],
                recipe: Recipe(name: .wildcard)),
            // For who finds its pins by a name as it is spelt, and for who reads one of the leaf's other extensions.
            Variant(
                name: "capitals", set: .all, advice: Advice.capitals, includes: ["plain"],
                recipe: Recipe(name: .capitals)),
            // For who takes what a developer or a company makes itself for its own: a list of a leaf and a root, a subject without
            // an organization, `localhost` and 127.0.0.1 among the names.
            Variant(
                name: "home-made", set: .all, advice: Advice.homeMade, includes: ["plain"],
                recipe: Recipe(name: .besideLocal(Recipe.localNames), order: [.leaf, .intermediates, .root])),
            Variant(
                name: "bare", set: .all, advice: Advice.bare, includes: ["plain"],
                recipe: Recipe(isBare: true, defects: [.keyUsage, .noServerAuth, .keyIdentifiers])),
            // For who looks at the chain of another connection than the one that is used, or of another host.
            Variant(
                name: "first-only", set: .standard, advice: Advice.firstOnly, recipe: .likeTheGenuine,
                conduct: Conduct(onset: .only(1))),
            // For who remembers that the pin was right, and for what only an app does that has been there before.
            Variant(
                name: "second-start", set: .standard, reading: Reading(occasion: .earlierStart),
                advice: Advice.secondStart, recipe: .likeTheGenuine, conduct: Conduct(beginning: .afterUntouched)),
            // For who remembers that the pin was wrong, and takes it for outdated.
            Variant(
                name: "after-refusal", set: .standard, reading: Reading(occasion: .earlierStart),
                advice: Advice.afterRefusal, recipe: .likeTheGenuine, conduct: Conduct(beginning: .afterAttacked)),
            Variant(
                name: "host-only", set: .all, reading: inCompany, advice: Advice.hostOnly, recipe: .likeTheGenuine,
                conduct: Conduct(sparesOthers: true)),
            // For pins that come with a configuration, and are not there without it.
            Variant(
                name: "others-unreachable", set: .all, reading: inCompany, advice: Advice.othersUnreachable,
                recipe: .likeTheGenuine,
                conduct: Conduct(cutsOffOthers: true)),
            // The same where its server answers, and has none.
            Variant(
                name: "others-answer-404", set: .all, reading: Reading(occasion: .offer, reserve: .besideForged),
                advice: Advice.othersAnswerNotFound,
                recipe: .likeTheGenuine, conduct: Conduct(emptiesOthers: true)),
            // For who sends a request on whatever connection has a certificate that names the host (RFC 9113 §9.1.1), and for
            // who knows a certificate again that was looked at on another host's connection, where every one will do: the
            // attacked hosts are shown the very same one.
            Variant(
                name: "coalesced", set: .all, reading: Reading(occasion: .offer, reserve: .besideForged),
                advice: Advice.coalesced, conduct: Conduct(sharesCertificate: true)),
            // The first three at once, as far as a client can, and a short chain with the host as its only name. The
            // standard set has this one, where there is room for it. It asks for no client certificate, for who looks at the pin
            // only where it is to show itself.
            Variant(
                name: "older", set: .all, reading: Reading(occasion: .offer, reserve: .always),
                includes: ["plain", "rsa-leaf", "tls-1.2", "http-1.1"], recipe: Recipe(key: .rsa),
                conduct: Conduct(offer: .older, asksForCertificate: false)),
        ])

    private static let inCompany = Reading(occasion: .offer, reserve: .inCompany)
}

extension Attack.Variant {
    /// What hosts are shown that are not attacked, under the name of `trusted-ca`: controls, those that are expected to
    /// accept, and every host of the debugging proxy.
    ///
    /// The host is the leaf's only name. A control's leaf that named a pinned host as well would let a client send that
    /// host's requests on the control's connection (RFC 9113 §9.1.1).
    package static let unattacked = Attack.Variant(name: nil)

    /// The same in `trusted-ca/others-answer-404`: it has nothing for anybody.
    static let unattackedAndEmpty = Attack.Variant(name: nil, conduct: Conduct(answer: .notFound))

    /// The same in `trusted-ca/coalesced`: the hosts that have to refuse are named as well, which elsewhere they are not.
    static func unattacked(naming attacked: [HostPattern]) -> Attack.Variant {
        attacked.isEmpty ? unattacked : Attack.Variant(name: "coalesced", recipe: Recipe(name: .targetBeside(attacked)))
    }

    /// Shown to a host that is not attacked, under the trusted CA.
    package var isUnattacked: Bool {
        if case .targetBeside = recipe.name { true } else { self == .unattacked || self == .unattackedAndEmpty }
    }

    /// Its twin under a CA that nobody installed: what a control is shown once, as one that takes it is none.
    static let unattackedUntrusted = Attack.Variant(
        name: nil, recipe: Recipe(signer: .untrustedCA, defects: [.untrustedIssuer]))
}

/// What to mend in an app that sent data under one of these.
private enum Advice {
    static let whole =
        "Check the pin on every kind of connection: it holds on the usual one, and is forgotten over another version "
        + "of TLS, with another type of key, or over another protocol."

    static let olderTLS =
        "Check the pin whatever version of TLS was agreed on: in TLS 1.2 it was not looked at. iOS: in "
        + "`urlSession(_:didReceive:)` without a condition before it; Android: no second client with an older "
        + "`ConnectionSpec` and without the `CertificatePinner`; Flutter: on every `SecureSocket`."

    static let rsaKey =
        "Refuse a key that the pin's code does not know: an RSA key went by. iOS: code that puts a header per type of "
        + "key before `SecKeyCopyExternalRepresentation` has to fail where it has none; Android: hash "
        + "`getPublicKey().getEncoded()`, which knows every type; Flutter: hash the whole SPKI."

    static let otherSize =
        "Refuse a key that the pin's code does not know: one of another size or curve went by. iOS: a table of headers "
        + "by type and size has to fail for what is not in it; Android: hash `getPublicKey().getEncoded()`; Flutter: "
        + "hash the whole SPKI."

    static let otherCurve =
        "Refuse a key that the pin's code does not know: one on another elliptic curve went by. iOS: a table of headers by "
        + "curve has to fail for what is not in it; Android: hash `getPublicKey().getEncoded()`; Flutter: hash the whole "
        + "SPKI."

    static let http1 =
        "Check the pin below HTTP, where its version does not matter: over HTTP/1.1 it was not looked at. iOS: one "
        + "session delegate; Android: a `CertificatePinner`, no check in what only HTTP/2 passes through; Flutter: the "
        + "same check for every client in the app."

    static let noALPN =
        "Check the pin also where the server agrees to no application protocol (ALPN): the code that talks to it then "
        + "has none. iOS: one session delegate; Android: one `OkHttpClient`; Flutter: the same check for every "
        + "`SecureSocket`, `selectedProtocol` null or not."

    static let newer =
        "Check the pin whatever was agreed on, also what your own server does not speak: over TLS 1.3 or HTTP/2 it was not "
        + "looked at. iOS: one session delegate without a condition before it; Android: one `OkHttpClient`, no second "
        + "stack (Cronet) beside it without pins; Flutter: the same check for every client in the app."

    static let shortChain =
        "Refuse whatever does not match, a chain of another shape too: a short one, straight below a root, went by. Look "
        + "for code that takes it for a test server's, or reads `chain[1]` and goes on where there is none. iOS: fail "
        + "unless a certificate of `SecTrustCopyCertificateChain` matches; Android: `CertificatePinner` or `pin-set`; "
        + "Flutter: no check that an exception ends."

    static let authorityLeaf =
        "Take the first certificate for the server's, whatever it says of itself: where none said that it is no CA, none was "
        + "compared. iOS: the first one of `SecTrustCopyCertificateChain`; Android: `CertificatePinner` or `pin-set`, and no "
        + "search by `getBasicConstraints()`; Flutter: `peerCertificate`."

    static let noCommonName = byHost("a certificate without a common name went by")

    static let foreignCommonName = byHost("a certificate with another common name went by")

    static let secondName = byHost("a certificate that names the host second went by")

    static let wildcard = byHost("a wildcard certificate went by")

    static let homeMade =
        "Make no exception for certificates that look like your own tests' or a company's: the pin was forgotten before one "
        + "with its root in the list, `localhost` among its names or no organization, which anybody can make. iOS: test servers "
        + "in a debug build's `NSPinnedDomains` alone; Android: in `debug-overrides`; Flutter: no branch before the pin's "
        + "comparison."

    static let capitals = byHost("a certificate that names the host in capitals went by")

    static let bare =
        "Compare the pin of every certificate: one without key identifiers, key usage and purpose went by, and was not looked at. "
        + "iOS: no extension is read before the pin in `urlSession(_:didReceive:)`; Android: `CertificatePinner` or `pin-set`; "
        + "Flutter: the key of `X509Certificate.der`, and nothing else of it."

    static let firstOnly =
        "Look at the connection that carries the request: the first one was used, and another one was looked at. iOS: no "
        + "`URLSession` for a preconnection beside the pinned one; Android: no `SSLSocket` opened ahead of the pinned "
        + "client; Flutter: check in the `connectionFactory` that makes each connection."

    static let secondStart =
        "Check the pin in every start: with what an earlier start had left, it was not looked at. Keep no \"verified\" flag, and "
        + "let code for those who are signed in already (a token's refresh, push) use the pinned client too. iOS: the same "
        + "`URLSession` delegate; Android: the same `OkHttpClient`; Flutter: one client for the whole app."

    static let afterRefusal =
        "Keep the pin after a refusal: the start after one did not look at it. Write no \"pin failed\" flag that switches it off; "
        + "a pin that is out of date is replaced by an update of the app, or by a signed set. iOS: the same `URLSession` delegate "
        + "in every start; Android: the same `OkHttpClient`; Flutter: one client for the whole app."

    static let hostOnly =
        "Look at this host's own chain: one that another host had shown was taken for it. Look for a result of the check "
        + "that is kept for the whole app. iOS: decide in each challenge by its `protectionSpace.host`; Android: by the "
        + "`SSLSession` of this connection; Flutter: by this connection's `peerCertificate`."

    static let othersUnreachable =
        "Keep pins in the build: where their configuration could not be had, there were none. iOS and Android: begin with "
        + "built-in pins (`NSPinnedDomains`, `pin-set`), and let nothing but a configuration that was itself checked "
        + "replace them; Flutter, and natively: the same, and no empty list that stands for no pin."

    static let othersAnswerNotFound =
        "Take an answer that says there is no configuration (404) for no configuration, not for one without pins: the "
        + "built-in ones stay. iOS and Android: look at the status before the content, and let nothing but a configuration "
        + "that was itself checked replace pins; Flutter, and natively: the same."

    static let coalesced =
        "Send what is for a pinned host on connections that were checked for it: a certificate of another host named it as "
        + "well, and its connection was taken. iOS: a `URLSession` of its own for pinned hosts; Android: a "
        + "`CertificatePinner` with pins for both hosts, or two `OkHttpClient`s; Flutter: one client for each host. If checked "
        + "certificates are kept, then for each host by itself."

    private static func byHost(_ seen: String) -> String {
        "Find pins by the host that is asked for, never by what the certificate says of itself: \(seen), and was not looked "
            + "at. iOS: by `protectionSpace.host`; Android: `CertificatePinner` or `pin-set`, and no "
            + "`getSubjectX500Principal()`; Flutter: by the URL's host, not by `X509Certificate.subject`."
    }
}
