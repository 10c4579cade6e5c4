/// The members of an `.ipa` by what they are.
struct IPAPaths {
    /// `Payload/App.app`, of each app; what a device installs has one.
    private(set) var apps: [String] = []
    private(set) var embedded: [(path: String, kind: IPABundle.Kind)] = []
    /// Info.plists of libraries.
    private(set) var frameworks: [String] = []
    /// `TrustKit`, of each `TrustKit.framework`.
    private(set) var frameworkNames: [String] = []
    private(set) var certificates: [String] = []
    /// Property lists, JSON, scripts and settings.
    private(set) var resources: [String] = []
    /// Binaries of libraries.
    private(set) var binaries: [String] = []
    private(set) var hasReactNativeBundle = false

    private static let resourceEndings = [
        ".plist", ".json", ".js", ".jsbundle", ".xml", ".yaml", ".yml", ".env", ".config", ".properties",
    ]

    init(_ names: [String]) {
        let plists = names.filter { $0.hasSuffix("/Info.plist") }
        apps = plists.compactMap { name -> String? in
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count == 3 && parts[0] == "Payload" && parts[1].hasSuffix(".app")
                ? "Payload/\(parts[1])" : nil
        }.sorted()
        guard let app = apps.first else { return }
        for name in names.sorted() where name.hasPrefix(app + "/") && !name.hasSuffix("/") {
            sort(name, parts: name.split(separator: "/", omittingEmptySubsequences: false))
        }
    }

    private mutating func sort(_ name: String, parts: [Substring]) {
        let lower = name.lowercased()
        guard parts.count > 2, let file = parts.last else { return }
        let folder = parts[parts.count - 2]
        if file == "Info.plist", parts.count > 3 {
            let path = String(name.dropLast("/Info.plist".count))
            if folder.hasSuffix(".appex") {
                embedded.append((path, .appExtension))
                return
            }
            if folder.hasSuffix(".app") {
                embedded.append((path, .embeddedApp))
                return
            }
            if folder.hasSuffix(".framework") { frameworks.append(name) }
            return
        }
        if folder.hasSuffix(".framework"), folder.dropLast(".framework".count) == file {
            frameworkNames.append(String(file))
            binaries.append(name)
        } else if lower.hasSuffix(".dylib") {
            binaries.append(name)
        } else if CertificateSigns.isNamed(lower) {
            certificates.append(name)
        } else if Self.resourceEndings.contains(where: { lower.hasSuffix($0) }), file != "Info.plist" {
            resources.append(name)
            if lower.hasSuffix(".jsbundle") { hasReactNativeBundle = true }
        }
    }
}
