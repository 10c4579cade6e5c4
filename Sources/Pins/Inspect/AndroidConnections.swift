/// What holds for an app's connections, with the defaults for the SDK that it targets.
///
/// AOSP, NetworkSecurityConfig.getDefaultBuilder and ManifestConfigSource.
struct AndroidConnections {
    private let manifest: AndroidManifest
    /// nil where the manifest names none.
    private let config: AndroidConfig?

    init(_ manifest: AndroidManifest, _ config: AndroidConfig?) {
        self.manifest = manifest
        self.config = config
    }

    /// For hosts that no entry names.
    var allowsClearText: Bool {
        guard let config else { return manifest.usesClearText ?? manifest.allowsClearTextByDefault }
        return config.base?.clearText?.isPermitted ?? manifest.allowsClearTextByDefault
    }

    /// What the platform's defaults add to a config that does not say it, as a linter reads it.
    var defaultSettings: [PinSetting] {
        guard let config else { return [] }
        let target = manifest.targetSDK.map { "target SDK \($0)" } ?? "no target SDK"
        var settings: [PinSetting] = []
        if manifest.trustsUserByDefault, config.base?.anchors == nil {
            settings.append(
                PinSetting(.userAnchorsByDefault, line: config.base?.line ?? 1, "\(target), and no <trust-anchors>"))
        }
        guard manifest.allowsClearTextByDefault else { return settings }
        for entry in config.entries where config.clearText(of: entry) == nil {
            settings += entry.domains.map {
                PinSetting(
                    .clearText, host: AndroidDomain.bare($0.name), coversSubdomains: $0.includesSubdomains,
                    line: $0.line, "\(target), and no cleartextTrafficPermitted")
            }
        }
        return settings
    }

    /// By entries of their own.
    var clearTextHosts: [String] {
        guard let config else { return [] }
        return config.entries.filter { config.clearText(of: $0)?.isPermitted ?? manifest.allowsClearTextByDefault }
            .flatMap { $0.domains.map { AndroidDomain.bare($0.name) } }
    }

    /// For one host at least.
    var trustsUser: Bool {
        func trusts(_ anchors: [AndroidConfig.Anchors]?) -> Bool {
            anchors.map { $0.contains { $0.source == .user } } ?? manifest.trustsUserByDefault
        }
        guard let config else { return manifest.trustsUserByDefault }
        let debug = config.debug?.anchors?.contains { $0.source == .user } ?? false
        return trusts(config.base?.anchors) || config.entries.contains { trusts(config.anchors(of: $0)) }
            || (manifest.isDebuggable && debug)
    }
}
