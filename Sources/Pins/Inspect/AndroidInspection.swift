import Facts

/// Reads an APK or an app bundle: manifest, network security config, code.
///
///     let archive = try ZipArchive(size: size, source: source)
///     let app = try AndroidInspection.read(archive, path: path, sha256: hash, inflate: inflate)
///
/// The config that the manifest names counts, wherever shrinkers have put it, and no other file. Nothing is written.
package struct AndroidInspection {
    /// A compiled resource table in memory; those of the largest apps have some twenty megabytes.
    static let tableLimit = 128 << 20
    /// Files that one resource leads to, by the device's configuration.
    static let configLimit = 32

    let archive: AndroidArchive
    let manifest: AndroidManifest
    let table: ResourceTable
    private var app: AppInspection
    private var scan = AppCodeScan(KnownLibrary.android)

    package static func recognises(_ archive: ZipArchive) -> Bool { AndroidArchive.Kind(archive) != nil }

    /// - Parameters:
    ///   - path: of the archive, as reports name it.
    ///   - sha256: of the archive, in lower-case hexadecimal digits.
    /// - Throws: where there is no manifest, or it is broken. A config that is broken is among the app's faults.
    package static func read(
        _ archive: ZipArchive, path: String, sha256: String, inflate: @escaping ZipArchive.Inflate
    ) throws(PinFileFault) -> AppInspection {
        guard let kind = AndroidArchive.Kind(archive) else {
            throw PinFileFault(line: nil, "there is no AndroidManifest.xml in it", hints: Self.hints(for: archive))
        }
        var inspection = try AndroidInspection(
            AndroidArchive(archive: archive, kind: kind, inflate: inflate), path: path, sha256: sha256)
        inspection.readConfigs()
        inspection.readCode()
        inspection.readCertificates()
        return inspection.finished
    }

    private static func hints(for archive: ZipArchive) -> [String] {
        let apk = archive.members.first { $0.name.hasSuffix(".apk") }
        return apk == nil ? [] : ["this holds APKs: unpack it, and give its base or universal APK"]
    }

    private init(_ archive: AndroidArchive, path: String, sha256: String) throws(PinFileFault) {
        self.archive = archive
        app = AppInspection(path: path, sha256: sha256, platform: .android)
        table = try archive.table(limit: Self.tableLimit)
        manifest = try AndroidManifest(try archive.xml(archive.kind.manifest), table)
        app.id = manifest.id
        app.version = manifest.version
        app.build = manifest.build
        app.isDebuggable = manifest.isDebuggable
        app.targetSDK = manifest.targetSDK
        if manifest.isSplit { app.notes.append("this is a part of an app: its base APK may declare more") }
    }

    private var finished: AppInspection {
        var app = app
        app.libraries = scan.libraries
        app.pinLikeStrings = scan.strings
        if scan.isCut { app.notes.append("there are more than \(AppCodeScan.stringLimit) texts like pins") }
        return app
    }

    // MARK: what the manifest names

    private mutating func readConfigs() {
        app.files.append(manifest.pinFile(path: archive.kind.manifest))
        var configs: [AndroidConfig] = []
        for path in configPaths {
            do throws(PinFileFault) {
                let config = try AndroidConfigParser.parse(try archive.xml(path))
                app.files.append(try config.pinFile(path: path))
                configs.append(config)
            } catch {
                app.faults.append(AppInspection.Fault(path: path, fault: error))
            }
        }
        // Whatever a device's configuration may bring counts.
        let settings = (configs.isEmpty && manifest.networkSecurityConfig == nil ? [nil] : configs.map(Optional.some))
            .map { AndroidConnections(manifest, $0) }
        app.hasUserAnchors = settings.contains(where: \.trustsUser)
        let hosts = settings.flatMap(\.clearTextHosts)
        app.clearText = settings.contains(where: \.allowsClearText) ? ["*"] : Set(hosts).sorted()
        for config in configs { addAnchors(of: config) }
    }

    private var configPaths: [String] {
        mutating get {
            guard let config = manifest.networkSecurityConfig else { return [] }
            let paths = table.paths(of: config).map { archive.kind.path(ofResource: $0) }
            guard !paths.isEmpty else {
                let name = Printable.excerpt(manifest.networkSecurityConfigName ?? "")
                app.faults.append(
                    AppInspection.Fault(
                        path: archive.kind.manifest,
                        fault: PinFileFault(
                            line: nil, "its network security config \(name) is not among the app's resources",
                            .failsClosed)))
                return []
            }
            if paths.count > Self.configLimit {
                app.notes.append("of \(paths.count) network security configs the first \(Self.configLimit) are read")
            }
            return Array(paths.prefix(Self.configLimit))
        }
    }

    private mutating func addAnchors(of config: AndroidConfig) {
        for entry in [config.base, config.debug].compactMap(\.self) + config.entries {
            for anchor in entry.anchors ?? [] {
                guard case .resource(let id) = anchor.source else { continue }
                for path in table.paths(of: id) {
                    addCertificate(archive.kind.path(ofResource: path), "a trust anchor of the network security config")
                }
            }
        }
    }

    // MARK: code and files

    /// What is not read is told; each kind of reason once.
    private mutating func readCode() {
        var budget = AndroidArchive.scanBudget
        for member in archive.archive.members { scan.add(name: member.name) }
        for member in archive.scanned {
            guard member.size <= AndroidArchive.scanLimit, member.size <= budget else {
                app.notes.append("\(Printable.excerpt(member.name)) is too large to be searched for pins")
                continue
            }
            budget -= member.size
            do throws(ZipFault) {
                let bytes = try archive.content(of: member, limit: AndroidArchive.scanLimit)
                scan.add(bytes, of: member.name)
            } catch {
                app.notes.append(error.message)
            }
        }
    }

    private mutating func readCertificates() {
        for member in archive.archive.members where AndroidArchive.isCertificate(member.name) {
            addCertificate(member.name, "named like a certificate")
        }
    }

    private mutating func addCertificate(_ path: String, _ reason: String) {
        guard !app.certificateFiles.contains(where: { $0.path == path }) else { return }
        guard app.certificateFiles.count < AndroidArchive.certificateCount else { return }
        guard let member = archive.archive[path] else {
            app.notes.append("\(Printable.excerpt(path)) is named, and is not there")
            return
        }
        do throws(ZipFault) {
            let bytes = try archive.content(of: member, limit: AndroidArchive.certificateLimit)
            app.certificateFiles.append(AppInspection.CertificateFile(path: path, bytes: bytes, reason: reason))
        } catch {
            app.notes.append(error.message)
        }
    }
}
