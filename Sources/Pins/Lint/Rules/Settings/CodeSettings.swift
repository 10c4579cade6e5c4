/// L21: pins are declared, and nothing enforces them.
enum ValidatorNotWired: SettingCheck {
    static let entry = LintRuleBook.Entry(
        "L21", "validator-not-wired", .warning, "Nothing calls what enforces the pins",
        why:
            "TrustKit without swizzling, or a pinner that is made and not handed to a client, checks only where your code calls it. Elsewhere the pins are text.",
        fix: "Call the validator in every session's delegate, or hand the pinner to the client.",
        sources: ["TSKPinningValidator.h (TrustKit)"])
    static let kinds: [PinSetting.Kind] = [.validatorNotWired]

    static func cost(_ setting: PinSetting, _ context: LintContext, _ file: LintFile) -> String? {
        // The configuration is in one file, and what hands challenges on to it mostly in another.
        let isTrustKit = file.hosts.contains { $0.format == .trustKit }
        if isTrustKit, context.appFiles.contains(where: \.file.callsValidator) { return nil }
        return
            "the pins hold only where code hands them on, and nothing in \(context.appFiles.count > 1 ? "these files" : "this file") does"
    }
    static func fix(_ setting: PinSetting) -> String {
        "TrustKit: call pinningValidator.handle in each URLSessionDelegate (or kTSKSwizzleNetworkDelegates YES); OkHttp: .certificatePinner(…) of each client; Alamofire: Session(serverTrustManager: …)"
    }
    static func severity(_ setting: PinSetting) -> LintFinding.Severity? { nil }
}

/// L35: TrustKit's swizzling does not reach sessions without a delegate.
enum SessionWithoutDelegate: SettingCheck {
    static let entry = LintRuleBook.Entry(
        "L35", "session-without-delegate", .warning, "A session has no delegate, so that pins do not hold there",
        why:
            "TrustKit's swizzling changes delegates. URLSession.shared and sessions with delegate nil have none, and are never checked.",
        fix: "Give every session a delegate.", sources: ["TSKNSURLSessionDelegateProxy.m (TrustKit)"])
    static let kinds: [PinSetting.Kind] = [.sessionWithoutDelegate]

    static func cost(_ setting: PinSetting, _ context: LintContext, _ file: LintFile) -> String? {
        "swizzling changes delegates, and this session has none: its connections are not pinned"
    }
    static func fix(_ setting: PinSetting) -> String {
        "URLSession(configuration: …, delegate: …, delegateQueue: nil), with a delegate that calls TrustKit's validator"
    }
    static func severity(_ setting: PinSetting) -> LintFinding.Severity? { nil }
}

/// L23: a header for one kind of key.
enum HardCodedKeyHeader: SettingCheck {
    static let entry = LintRuleBook.Entry(
        "L23", "hard-coded-spki-header", .warning, "A header for one kind of key is fixed in code",
        why:
            "iOS hands out raw keys, and code puts the SubjectPublicKeyInfo header of RSA-2048 before them. A key of another kind or size (EC, RSA-4096) then hashes wrong: the day you change it, every user is locked out.",
        fix: "Choose the header by kind and size of the key, or use NSPinnedDomains or TrustKit, which do.",
        sources: ["RFC 5280 §4.1.2.7", "spki-hash cache of TrustKit"])
    static let kinds: [PinSetting.Kind] = [.hardCodedKeyHeader]

    static func cost(_ setting: PinSetting, _ context: LintContext, _ file: LintFile) -> String? {
        "a key of another kind or size hashes wrong, and locks users out on the day you change to it"
    }
    static func fix(_ setting: PinSetting) -> String {
        "choose the header by SecKeyCopyAttributes (type and size), or let NSPinnedDomains in Info.plist do it"
    }
    static func severity(_ setting: PinSetting) -> LintFinding.Severity? { nil }
}

/// L25: a check that runs only after the platform has said no.
enum ErrorPathOnlyCheck: SettingCheck {
    static let entry = LintRuleBook.Entry(
        "L25", "error-path-only-check", .warning, "The pin is looked at only where the platform has found an error",
        why:
            "onReceivedSslError, badCertificateCallback and the like are called for certificates that the platform refuses. One from a public or an installed CA never gets there: it passes without a look at the pin. What does get there could be accepted in spite of the error.",
        fix: "Pin where good certificates are seen too.",
        sources: ["WebViewClient.onReceivedSslError (Android)", "HttpClient.badCertificateCallback (Dart)"])
    static let kinds: [PinSetting.Kind] = [.errorPathOnly]

    static func cost(_ setting: PinSetting, _ context: LintContext, _ file: LintFile) -> String? {
        "it is called only for certificates that the platform refuses: one that a CA of the device has issued passes without a look"
    }
    static func fix(_ setting: PinSetting) -> String {
        "pin in the network security config or NSPinnedDomains for web views; in Dart make a SecurityContext(withTrustedRoots: false) of your own CA, or check each response's certificate"
    }
    static func severity(_ setting: PinSetting) -> LintFinding.Severity? { nil }
}

/// L34: a host's configuration replaces what an SDK pins.
enum OverriddenSDKPins: SettingCheck {
    static let entry = LintRuleBook.Entry(
        "L34", "sdk-pins-overridden", .warning, "The app's configuration replaces an SDK's pins",
        why:
            "An SDK that pins its own hosts through the app's configuration, its session or its client loses them where the app brings its own for the same hosts.",
        fix: "Take the SDK's pins over into your own configuration, or leave its hosts out of it.")
    static let kinds: [PinSetting.Kind] = [.overridesSDKPins]

    static func cost(_ setting: PinSetting, _ context: LintContext, _ file: LintFile) -> String? {
        "what the SDK pins for this host does not hold any longer"
    }
    static func fix(_ setting: PinSetting) -> String {
        "take the SDK's pins over into this configuration, or leave its hosts out of it"
    }
    static func severity(_ setting: PinSetting) -> LintFinding.Severity? { nil }
}
