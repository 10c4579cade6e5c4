import Facts

/// Which platform an archive is for, and what it lacks where it is no app of either.
package enum AppArchive {
    /// - Throws: where it is no app, by what it looks like.
    package static func platform(of archive: ZipArchive) throws(PinFileFault) -> AppInspection.Platform {
        if AndroidInspection.recognises(archive) { return .android }
        let names = archive.members.map(\.name)
        if !IPAPaths(names).apps.isEmpty { return .ios }
        if names.contains(where: { $0.hasPrefix("Payload/") }) {
            throw PinFileFault(
                line: nil, "it looks like an app for iOS, and Payload/NAME.app/Info.plist is not in it")
        }
        if names.contains(where: { $0.hasSuffix(".apk") }) {
            throw PinFileFault(
                line: nil, "it holds APKs, and is none itself",
                hints: ["unpack it, and give its base or universal APK"])
        }
        if names.contains(where: { $0.hasPrefix("base/") || $0 == "BundleConfig.pb" }) {
            throw PinFileFault(
                line: nil, "it looks like an app bundle for Android, and base/manifest/AndroidManifest.xml is not in it"
            )
        }
        if names.contains(where: { $0.hasSuffix(".dex") || $0 == "resources.arsc" }) {
            throw PinFileFault(line: nil, "it looks like an app for Android, and AndroidManifest.xml is not in it")
        }
        throw PinFileFault(
            line: nil,
            "this is no app: it has neither AndroidManifest.xml (.apk), nor base/manifest/AndroidManifest.xml (.aab), nor "
                + "Payload/NAME.app/Info.plist (.ipa)")
    }
}
