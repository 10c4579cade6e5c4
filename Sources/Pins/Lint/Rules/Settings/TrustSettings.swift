import Facts

/// L11: anchors that are exempt from pins.
enum OverridePins: SettingCheck {
    static let entry = LintRuleBook.Entry(
        "L11", "override-pins", .error, "Anchors override the pins",
        why:
            "A chain that ends in an anchor with overridePins=\"true\" passes without a look at the pins. On the system's anchors that is every public CA: there are no pins left.",
        fix: "Remove overridePins outside of debug-overrides.",
        sources: ["NetworkSecurityTrustManager.isPinningEnforced (AOSP)"])
    static let kinds: [PinSetting.Kind] = [.overridePinsOnSystemAnchors, .overridePins]

    static func cost(_ setting: PinSetting, _ context: LintContext, _ file: LintFile) -> String? {
        guard setting.kind == .overridePins else {
            return "every chain of a public CA passes without a look at the pins, so that there are none"
        }
        var user = setting
        user.kind = .userAnchors
        return file.settings.contains(user)
            ? "a chain of a CA that somebody installs on the device passes without a look at the pins"
            : "chains that end in these anchors pass without a look at the pins"
    }

    static func fix(_ setting: PinSetting) -> String {
        "remove overridePins, or write overridePins=\"false\"; in debug-overrides it may stay"
    }

    static func severity(_ setting: PinSetting) -> LintFinding.Severity? {
        setting.kind == .overridePins ? .note : .error
    }
}

/// L12: certificates that the user installs are trusted.
enum UserAnchors: SettingCheck {
    static let entry = LintRuleBook.Entry(
        "L12", "user-anchors", .warning, "CAs that users install are trusted",
        why:
            "Whoever gets a user to install a CA, or an administrator who does, reads the traffic of every host without pins, and with overridePins=\"true\" of those with pins as well. Apps do not trust such CAs since API level 24 unless they say so.",
        fix: "Move <certificates src=\"user\"/> into debug-overrides.",
        sources: ["https://developer.android.com/privacy-and-security/security-config#TrustingDebugCa"])
    static let kinds: [PinSetting.Kind] = [.userAnchors, .userAnchorsByDefault]

    static func cost(_ setting: PinSetting, _ context: LintContext, _ file: LintFile) -> String? {
        let reader = "a CA that somebody installs on the device"
        if setting.kind == .userAnchorsByDefault {
            return file.format == .androidNSC
                ? "below 24, and where the configuration names no anchors, \(reader) can read the traffic of every host that has no pins"
                : "below 24, and without a network security config, \(reader) can read the traffic of every host"
        }
        var overriding = setting
        overriding.kind = .overridePins
        let isOverriding = file.settings.contains(overriding)
        guard let host = setting.host else {
            return isOverriding
                ? "\(reader) can read the traffic of every host without anchors of its own, in spite of pins"
                : "\(reader) can read the traffic of every host that has no pins"
        }
        guard file.isPinned(host) else { return "it has no pins, and \(reader) can read its traffic" }
        return isOverriding
            ? "\(reader) can read its traffic in spite of its pins"
            : "\(reader) is trusted for it, so that its pins alone keep others from reading its traffic"
    }

    static func fix(_ setting: PinSetting) -> String {
        setting.kind == .userAnchorsByDefault
            ? "target API level 24 or later, or have a network security config whose base-config trusts the system's anchors alone"
            : "move it into <debug-overrides>, which release builds ignore"
    }
    static func severity(_ setting: PinSetting) -> LintFinding.Severity? { nil }
}

/// L15: the name of the certificate, or its chain, is not checked.
enum ChecksOff: SettingCheck {
    static let entry = LintRuleBook.Entry(
        "L15", "name-or-chain-check-off", .error, "The name or the chain of the certificate is not checked",
        why:
            "Pins are compared after the platform has checked chain and name. Without the name, a certificate of the same CA for any other name passes a CA's pin; without the chain, an expired or revoked one does, and where the comparison is with what the server sends, a forged one.",
        fix: "Leave both checks on, and pin beside them.",
        sources: ["ServerTrustEvaluation.swift (Alamofire)", "AFSecurityPolicy.m (AFNetworking)"])
    static let kinds: [PinSetting.Kind] = [.nameCheckOff, .chainCheckOff]

    /// One word may switch both off (curl's `--insecure`): that is one thing to mend.
    static func findings(_ context: LintContext) -> [LintFinding] {
        context.files.filter { !$0.isForDebugging }.flatMap { file in
            let settings = file.settings.filter { kinds.contains($0.kind) }
            let places = Dictionary(grouping: settings) { [$0.host ?? "", String($0.line), $0.text] }
            return places.values.compactMap { same -> LintFinding? in
                guard let setting = same.first else { return nil }
                let costs = Set(same.map(\.kind)).count > 1 ? both : cost(setting, context, file) ?? both
                let host = setting.host.map { " for \(Printable.excerpt($0))" } ?? ""
                return finding(
                    in: file, line: setting.line, host: setting.host,
                    "\(Printable.excerpt(setting.text))\(host): \(costs)", fix: fix(setting))
            }
        }
    }

    private static let both =
        "neither chain nor name of the certificate is checked: only the pin stands between the app and a forged one"

    static func cost(_ setting: PinSetting, _ context: LintContext, _ file: LintFile) -> String? {
        setting.kind == .nameCheckOff
            ? "a certificate for any other name passes, if a pinned CA has issued it"
            : "the chain is not checked: expired, revoked and self-made certificates pass where the pin does not stop them"
    }

    static func fix(_ setting: PinSetting) -> String { "remove it: the check is on by default" }
    static func severity(_ setting: PinSetting) -> LintFinding.Severity? { nil }
}

/// L22: CAs that were added to the device are exempt from pins.
enum LocalAnchorExemption: SettingCheck {
    static let entry = LintRuleBook.Entry(
        "L22", "local-anchor-exemption", .note, "CAs that were added to the device are exempt from the pins",
        why:
            "Whoever may add a CA to the device (an administrator, a virus scanner, malware with a password) reads the traffic in spite of the pins. On managed computers that may be wanted.",
        fix: "Switch the exemption off where the pins are to hold against whoever owns the device.",
        sources: [
            "kTSKIgnorePinningForUserDefinedTrustAnchors (TrustKit)",
            "enablePublicKeyPinningBypassForLocalTrustAnchors (Cronet)",
        ])
    static let kinds: [PinSetting.Kind] = [.localAnchorExemption]

    static func cost(_ setting: PinSetting, _ context: LintContext, _ file: LintFile) -> String? {
        "a chain that ends in a CA that somebody added to the device passes without a look at the pins"
    }

    static func fix(_ setting: PinSetting) -> String {
        "TrustKit: kTSKIgnorePinningForUserDefinedTrustAnchors to NO; Cronet: enablePublicKeyPinningBypassForLocalTrustAnchors(false)"
    }
    static func severity(_ setting: PinSetting) -> LintFinding.Severity? { nil }
}

/// L36: every certificate passes.
enum AcceptsEverything: SettingCheck {
    static let entry = LintRuleBook.Entry(
        "L36", "accepts-everything", .error, "Every certificate is accepted",
        why:
            "Code that answers yes to every certificate leaves nothing to attack: whoever is on the way reads and changes everything. It is mostly left over from a test server.",
        fix: "Remove it; for a test server, trust its own CA in debug builds.",
        sources: ["https://mas.owasp.org/MASTG/tests/android/MASVS-NETWORK/MASTG-TEST-0021/"])
    static let kinds: [PinSetting.Kind] = [.trustsEverything]

    static func cost(_ setting: PinSetting, _ context: LintContext, _ file: LintFile) -> String? {
        "every certificate passes, so that anybody on the way can read and change the traffic"
    }

    static func fix(_ setting: PinSetting) -> String {
        "remove it; for a test server, trust its CA in debug builds alone (debug-overrides, or a scheme of its own)"
    }
    static func severity(_ setting: PinSetting) -> LintFinding.Severity? { nil }
}
