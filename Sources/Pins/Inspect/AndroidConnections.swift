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
