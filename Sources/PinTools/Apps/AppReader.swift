import Facts
import Pins
import TLS

/// Reads an app as it ships: APK, app bundle or IPA.
package enum AppReader {
    /// - Throws: `PinsError` of data where it is no app, or its manifest cannot be read.
    package static func read(_ path: String) throws -> AppInspection { try read(try ArchiveFile(path), path) }

    static func read(_ file: ArchiveFile, _ path: String) throws -> AppInspection {
        var app: AppInspection
        do throws(PinFileFault) {
            switch try AppArchive.platform(of: file.archive) {
            case .android:
                app = try AndroidInspection.read(
                    file.archive, path: path, sha256: file.sha256, inflate: ArchiveFile.inflate)
            case .ios:
                app = AppInspection(try IPAInspection(members(of: file.archive)), path: path, sha256: file.sha256)
            }
        } catch {
            throw PinsError(path, error)
        }
        for file in app.certificateFiles {
            do throws(PinMaterialFault) { app.certificates += try certificates(file) } catch {
                app.notes.append("\(Printable.excerpt(file.path)): \(words(for: error))")
            }
        }
        return app
    }

    static func members(of archive: ZipArchive) -> IPAMembers {
        IPAMembers(names: archive.members.map(\.name), size: { archive[$0]?.size }) {
            name, limit, take throws(PinFileFault) in
            guard let member = archive[name] else { throw PinFileFault(line: nil, "\(name): it is not in the archive") }
            do throws(ZipFault) {
                try archive.pieces(of: member, limit: limit, inflate: ArchiveFile.inflate, take)
            } catch {
                throw PinFileFault(line: nil, error.message)
            }
        }
    }

    private static func certificates(
        _ file: AppInspection.CertificateFile
    ) throws(PinMaterialFault) -> [AppInspection.Certificate] {
        try PinMaterialReader.read(file.bytes).compactMap(\.certificate).map { certificate in
            AppInspection.Certificate(
                path: file.path, subject: certificate.subject,
                notAfter: UTCTime(unix: certificate.notAfter).rfc3339, spkiSHA256: certificate.spkiSHA256Base64)
        }
    }

    private static func words(for fault: PinMaterialFault) -> String {
        switch fault {
        case .needsPassword(let what): "an encrypted \(what), whose content is not seen without its password"
        case .damaged(let what, _): "a \(what) that cannot be read"
        case .nothing(let words), .tooLarge(let words): "no certificate is read of it: \(words)"
        case .wrongPassword, .tooManyRounds: "no certificate is read of it"
        }
    }
}

extension AppInspection {
    /// What an app for iOS declares, its extensions too.
    init(_ app: IPAInspection, path: String, sha256: String) {
        self.init(path: path, sha256: sha256, platform: .ios)
        id = app.app.id
        version = app.app.version
        build = app.app.build
        isDebuggable = app.isDebuggable ?? false
        var main = app.app
        if isDebuggable { main.file.settings.append(PinSetting(.debuggable, line: 1, "get-task-allow")) }
        let bundles = [main] + app.embedded
        files = (bundles.map(\.file) + app.resources).filter {
            !$0.hosts.isEmpty || !$0.settings.isEmpty || !$0.notes.isEmpty
        }
        faults = bundles.flatMap { bundle in
            bundle.faults.map { Fault(path: "\(bundle.path)/Info.plist", fault: $0) }
        }
        // What no platform reads, or is broken so that nobody can, is no rejection.
        faults += app.resourceFaults.filter { $0.fault.effect != .unreadable }
        let broken = app.resourceFaults.filter { $0.fault.effect == .unreadable }
        clearText = bundles.flatMap(\.file.settings)
            .filter { $0.kind == .clearText || ($0.kind == .arbitraryLoads && $0.host == nil) }
            .map { $0.host ?? "*" }.reduce(into: []) { hosts, host in if !hosts.contains(host) { hosts.append(host) } }
        certificateFiles = app.certificates.map { CertificateFile(path: $0.path, bytes: $0.bytes, reason: "bundled") }
        pinLikeStrings = app.pinLikeStrings
        libraries = app.libraries
        notes = app.notes.map(\.text) + broken.map(Self.note) + app.unread.map { "\($0): it was not looked through" }
        if app.isEncrypted {
            notes.append("the main binary is encrypted by the App Store: what stands in it is not seen")
        }
        if app.isDebuggable == nil {
            notes.append("neither signature nor provisioning profile says whether it can be debugged")
        }
    }

    private static func note(_ broken: Fault) -> String {
        let line = broken.fault.line.map { ":\($0)" } ?? ""
        return "\(Printable.excerpt(broken.path))\(line): it cannot be read: \(broken.fault.message)"
    }
}
