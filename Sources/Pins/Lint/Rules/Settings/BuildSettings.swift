import Facts

/// L16: the app can be debugged.
enum Debuggable: SettingCheck {
    static let entry = LintRuleBook.Entry(
        "L16", "debuggable", .warning, "The app can be debugged",
        why:
            "Whoever has the device attaches a debugger and switches the pins off, and Android applies debug-overrides: what is proven of such a build is not proven of the release.",
        fix:
            "Build the release without android:debuggable, on iOS without the entitlement get-task-allow, and gate that one.",
        sources: [
            "XmlConfigSource (AOSP)", "https://developer.android.com/guide/topics/manifest/application-element#debug",
            "https://developer.apple.com/documentation/bundleresources/entitlements/com.apple.security.get-task-allow",
        ])
    static let kinds: [PinSetting.Kind] = [.debuggable]

    static func findings(_ context: LintContext) -> [LintFinding] {
        let found = context.files.filter { !$0.isForDebugging }.flatMap { file in
            file.settings.filter { $0.kind == .debuggable }.map { setting in
                finding(
                    in: file, line: setting.line, "\(Printable.excerpt(setting.text)): \(cost(file))",
                    fix: isOfApple(file) ? appleFix : fix(setting))
            }
        }
        guard found.isEmpty, context.situation.isDebuggable, let file = context.files.first else { return found }
        return [
            finding(
                in: file, line: 1, "the app can be debugged: \(cost(file))",
                fix: isOfApple(file)
                    ? appleFix : "remove android:debuggable from the release, which Gradle sets to false by itself")
        ]
    }

    private static func isOfApple(_ file: LintFile) -> Bool { [.appleATS, .trustKit].contains(file.format) }

    private static func cost(_ file: LintFile) -> String {
        let who = "anybody with the device can switch the pins off"
        return isOfApple(file) ? "\(who) in a debugger" : "debug-overrides hold, and \(who)"
    }

    private static let appleFix =
        "archive the Release configuration and sign it with a distribution profile, which has no get-task-allow"

    static func cost(_ setting: PinSetting, _ context: LintContext, _ file: LintFile) -> String? { nil }
    static func fix(_ setting: PinSetting) -> String {
        "remove android:debuggable; Gradle sets it for debug builds by itself"
    }
    static func severity(_ setting: PinSetting) -> LintFinding.Severity? { nil }
}

/// L17: App Transport Security is off.
enum ArbitraryLoads: SettingCheck {
    static let entry = LintRuleBook.Entry(
        "L17", "arbitrary-loads", .warning, "App Transport Security is off",
        why:
            "NSAllowsArbitraryLoads lets clear text and weak TLS through for every host that has no exception of its own. A redirect to http:// or a typing error then leaves the pinned connection without an error.",
        fix: "Remove it, and make exceptions for the hosts that need them.",
        sources: [
            "https://developer.apple.com/documentation/bundleresources/information-property-list/nsapptransportsecurity/nsallowsarbitraryloads"
        ])
    static let kinds: [PinSetting.Kind] = [.arbitraryLoads, .arbitraryLoadsInPart]

    static func cost(_ setting: PinSetting, _ context: LintContext, _ file: LintFile) -> String? {
        if setting.kind == .arbitraryLoadsInPart {
            let part = setting.text.hasSuffix("ForMedia") ? "media that AVFoundation loads" : "what web views load"
            return "clear text and weak TLS are let through for \(part), from any host; not for other connections"
        }
        guard let host = setting.host else {
            return "clear text and weak TLS are let through for every host without an exception of its own"
        }
        return PinnedHosts.words(host, setting.coversSubdomains, context).map {
            "\($0) pinned, and may be reached with clear text or weak TLS all the same"
        }
    }

    static func host(_ setting: PinSetting, _ context: LintContext) -> String? {
        setting.host.map { PinnedHosts.name($0, setting.coversSubdomains, context) }
    }

    static func fix(_ setting: PinSetting) -> String {
        if setting.kind == .arbitraryLoadsInPart {
            return "remove it, where this app loads nothing of the kind from hosts that are not its own"
        }
        return setting.host == nil
            ? "remove it; where one host needs it, write an exception in NSExceptionDomains for that host alone"
            : "remove the exception for the pinned host"
    }
    static func severity(_ setting: PinSetting) -> LintFinding.Severity? { nil }
}

/// L13: a pinned host may be reached without TLS.
enum ClearTextToPinnedHost: SettingCheck {
    static let entry = LintRuleBook.Entry(
        "L13", "cleartext-to-pinned-host", .warning, "A pinned host may be reached without TLS",
        why:
            "Pins hold for TLS. Where clear text is allowed, one http:// link or a redirect is enough to read and change everything.",
        fix: "Forbid clear text for pinned hosts: cleartextTrafficPermitted=\"false\".",
        sources: ["https://developer.android.com/privacy-and-security/security-config#CleartextTrafficPermitted"])
    static let kinds: [PinSetting.Kind] = [.clearText]

    static func cost(_ setting: PinSetting, _ context: LintContext, _ file: LintFile) -> String? {
        if let host = setting.host {
            return PinnedHosts.words(host, goesBelow(setting, file.format), context).map {
                "\($0) pinned, and may be reached without TLS all the same"
            }
        }
        // The manifest's flag does not count where there is a configuration (API level 24 and later).
        if file.format == .androidManifest, context.files.contains(where: { $0.format == .androidNSC }) { return nil }
        let pinned = context.appFiles.filter { $0.file != file.file }.flatMap(\.hosts).filter {
            [.okHttp, .trustKit, .cronet].contains($0.format) && $0.isPinned
        }
        let open = pinned.compactMap(\.domain).filter { file.effective($0).isEmpty }
        guard [.androidNSC, .androidManifest].contains(file.format), !open.isEmpty else { return nil }
        return "\(LintWords.hosts(Array(Set(open)).sorted())) may be reached without TLS, in spite of the pins"
    }

    static func fix(_ setting: PinSetting) -> String {
        "write cleartextTrafficPermitted=\"false\" for pinned hosts (iOS: remove NSExceptionAllowsInsecureHTTPLoads)"
    }

    /// A host that is pinned itself is the first that is looked at, on whatever platform.
    static func host(_ setting: PinSetting, _ context: LintContext) -> String? {
        setting.host.map { PinnedHosts.name($0, setting.coversSubdomains, context) }
    }

    /// On Android the nearest entry alone counts, so that those below have settings of their own.
    private static func goesBelow(_ setting: PinSetting, _ format: PinFormat) -> Bool {
        setting.coversSubdomains && format != .androidNSC
    }
    static func severity(_ setting: PinSetting) -> LintFinding.Severity? { nil }
}

/// Which hosts, of those that a setting holds for, any file of the app pins.
enum PinnedHosts {
    /// `the host is`, or the names of those below it: `a.example.com is`; nil where none is pinned.
    static func words(_ host: String, _ coversSubdomains: Bool, _ context: LintContext) -> String? {
        if contain(host, context) { return "the host is" }
        let below = coversSubdomains ? below(host, context) : []
        guard !below.isEmpty else { return nil }
        return "\(LintWords.hosts(below)) \(below.count == 1 ? "is" : "are")"
    }

    /// The one below it that is pinned, where it is not itself; else its own.
    static func name(_ host: String, _ coversSubdomains: Bool, _ context: LintContext) -> String {
        guard coversSubdomains, !contain(host, context) else { return host }
        return LintWords.single(below(host, context)) ?? host
    }

    static func contain(_ host: String, _ context: LintContext) -> Bool {
        context.appFiles.contains { $0.isPinned(host) }
    }

    private static func below(_ host: String, _ context: LintContext) -> [String] {
        Set(context.appFiles.flatMap { $0.pinned(below: host) }).sorted()
    }
}
