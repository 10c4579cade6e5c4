import Facts

/// Reads an APK or an app bundle: manifest, network security config, code.
///
///     let archive = try ZipArchive(size: size, source: source)
///     let app = try AndroidInspection.read(archive, path: path, sha256: hash, inflate: inflate)
///
/// The config that the manifest names counts, wherever shrinkers have put it, and no other file. Nothing is written.
package struct AndroidInspection {
    /// A resource table in memory; those of the largest apps have some twenty megabytes.
    static let tableLimit = 64 << 20
    /// Files that one resource leads to, by the device's configuration.
    static let configLimit = 16
    /// Resources that anchors name; each is looked for in the whole table.
    static let anchorLimit = 32
    /// Sentences about what was not looked at; whoever needs more has another app to look at.
    static let noteLimit = 50

    let archive: AndroidArchive
    let manifest: AndroidManifest
    let table: ResourceTable
    private var app: AppInspection
    private var scan = AppCodeScan(KnownLibrary.android)

    package static func recognises(_ archive: ZipArchive) -> Bool { AndroidArchive.Kind(archive) != nil }

    /// - Parameters:
    ///   - path: of the archive, as reports name it.
    ///   - sha256: of the archive, in lower-case hexadecimal digits.
    /// - Throws: where there is no manifest, or it or a config cannot be read, or a file of code is too large. A config
    ///   that the platform rejects is among the app's faults.
    package static func read(
        _ archive: ZipArchive, path: String, sha256: String, inflate: @escaping ZipArchive.Inflate
    ) throws(PinFileFault) -> AppInspection {
        var inspection = try AndroidInspection(
            AndroidArchive(archive, inflate), path: path, sha256: sha256)
        try inspection.readConfigs()
        try inspection.readCode()
        inspection.readTexts()
        inspection.readCertificates()
        return inspection.finished
    }

    /// Who it is, and whether it can be debugged; of its code and files nothing is looked at.
    package static func manifest(
        of archive: ZipArchive, inflate: @escaping ZipArchive.Inflate
    ) throws(PinFileFault) -> AndroidManifest {
        try AndroidInspection(AndroidArchive(archive, inflate), path: "", sha256: "").manifest
    }

    private init(_ archive: AndroidArchive, path: String, sha256: String) throws(PinFileFault) {
        self.archive = archive
        app = AppInspection(path: path, sha256: sha256, platform: .android)
        table = try archive.table(limit: Self.tableLimit)
        do throws(PinFileFault) {
            manifest = try AndroidManifest(try archive.xml(archive.kind.manifest), table)
        } catch {
            throw AndroidArchive.named(archive.kind.manifest, error)
        }
        app.id = manifest.id
        app.version = manifest.version
        app.build = manifest.build
        app.isDebuggable = manifest.isDebuggable
        app.targetSDK = manifest.targetSDK
        if manifest.isSplit { note("this is a part of an app: its base APK may declare more") }
    }

    private var finished: AppInspection {
        var app = app
        app.libraries = scan.libraries
        app.pinLikeStrings = scan.strings
        if scan.isCut { app.notes.append("there are more than \(AppCodeScan.stringLimit) texts like pins") }
        return app
    }

    private mutating func note(_ text: String) {
        if app.notes.count < Self.noteLimit { app.notes.append(text) }
    }

    // MARK: what the manifest names

    private mutating func readConfigs() throws(PinFileFault) {
        app.files.append(manifest.pinFile(path: archive.kind.manifest, isBuilt: true))
        var configs: [AndroidConfig] = []
        for path in configPaths() {
            do throws(PinFileFault) {
                let config = try AndroidConfigParser.parse(try archive.xml(path))
                var file = try config.pinFile(path: path)
                file.settings += AndroidConnections(manifest, config).defaultSettings
                app.files.append(file)
                configs.append(config)
            } catch {
                // Over a bound of ours, and nothing to the platform: whatever it sets would go unseen.
                guard error.effect != .unreadable else { throw AndroidArchive.named(path, error) }
                app.faults.append(AppInspection.Fault(path: path, fault: error))
            }
        }
        // Whatever a device's configuration may bring counts.
        let settings = (configs.isEmpty && manifest.networkSecurityConfig == nil ? [nil] : configs.map(Optional.some))
            .map { AndroidConnections(manifest, $0) }
        app.hasUserAnchors = settings.contains(where: \.trustsUser)
        let hosts = settings.flatMap(\.clearTextHosts)
        app.clearText = settings.contains(where: \.allowsClearText) ? ["*"] : Set(hosts).sorted()
        addAnchors(of: configs)
    }

    private mutating func configPaths() -> [String] {
        guard let config = manifest.networkSecurityConfig else { return [] }
        let paths = table.paths(of: config).map { archive.kind.path(ofResource: $0) }
        guard !paths.isEmpty else {
            let name = Printable.excerpt(manifest.networkSecurityConfigName ?? "")
            let fault = PinFileFault(
                line: nil, "its network security config \(name) is not among the app's resources", .failsClosed)
            app.faults.append(AppInspection.Fault(path: archive.kind.manifest, fault: fault))
            return []
        }
        if paths.count > Self.configLimit {
            note("of \(paths.count) network security configs the first \(Self.configLimit) are read")
        }
        return Array(paths.prefix(Self.configLimit))
    }

    private mutating func addAnchors(of configs: [AndroidConfig]) {
        var ids: Set<UInt32> = []
        for config in configs {
            for entry in [config.base, config.debug].compactMap(\.self) + config.entries {
                for anchor in entry.anchors ?? [] {
                    if case .resource(let id) = anchor.source { ids.insert(id) }
                }
            }
        }
        for id in ids.sorted().prefix(Self.anchorLimit) {
            for path in table.paths(of: id) {
                addCertificate(archive.kind.path(ofResource: path), "a trust anchor of the network security config")
            }
        }
    }

    // MARK: code and files

    private mutating func readCode() throws(PinFileFault) {
        var budget = AndroidArchive.scanBudget
        var tooLarge: [String] = []
        for member in archive.archive.members { scan.add(name: member.name) }
        for member in archive.scanned {
            let isCode = AndroidArchive.isCode(member.name)
            if isCode { try AppInspection.requireSearchable(member.name, size: member.size) }
            guard member.size <= budget, isCode || member.size <= AndroidArchive.assetLimit else {
                tooLarge.append(Printable.excerpt(member.name))
                continue
            }
            budget -= member.size
            scan.begin(member.name)
            do throws(ZipFault) {
                try archive.pieces(of: member) { piece in
                    scan.add(piece)
                    return true
                }
            } catch {
                note(error.message)
            }
            scan.end()
        }
        guard !tooLarge.isEmpty else { return }
        note("not searched for pins, as there is too much of it: \(English.some(tooLarge))")
    }

    /// `<string name="pin">sha256/…</string>`.
    private mutating func readTexts() {
        let path = archive.kind.table
        guard let size = archive.archive[path]?.size else { return }
        scan.begin(path)
        // In UTF-8 a text of UTF-16 has half as many bytes more.
        table.compiledTexts(limit: 2 * size) { scan.add($0) }
        scan.end()
    }

    private mutating func readCertificates() {
        for member in archive.archive.members where AndroidArchive.isCertificate(member.name) {
            addCertificate(member.name, "named like a certificate")
        }
        for member in archive.unnamed.prefix(AndroidArchive.unnamedCount) {
            var start: [UInt8] = []
            try? archive.pieces(of: member) { piece in
                start += piece
                return start.count < CertificateSigns.length
            }
            if CertificateSigns.begins(start) { addCertificate(member.name, "it begins like a certificate") }
        }
    }

    private mutating func addCertificate(_ path: String, _ reason: String) {
        guard !app.certificateFiles.contains(where: { $0.path == path }) else { return }
        guard app.certificateFiles.count < AndroidArchive.certificateCount else {
            note("\(Printable.excerpt(path)) is not read: \(AndroidArchive.certificateCount) certificates are")
            return
        }
        guard let member = archive.archive[path] else {
            note("\(Printable.excerpt(path)) is named, and is not there")
            return
        }
        do throws(ZipFault) {
            let bytes = try archive.content(of: member, limit: AndroidArchive.certificateLimit)
            app.certificateFiles.append(AppInspection.CertificateFile(path: path, bytes: bytes, reason: reason))
        } catch {
            note(error.message)
        }
    }
}
