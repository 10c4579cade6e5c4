import Facts
import Loop
import Pins

extension AppReader {
    /// Whether a name says that it is an app, or all of an app's parts: what is told of as broken where it cannot be read.
    private static func isNamedLikeApp(_ path: String) -> Bool {
        isNamedLikePart(path) || [".apks", ".xapk", ".apkm"].contains { path.lowercased().hasSuffix($0) }
    }

    private static func isNamedLikePart(_ path: String) -> Bool {
        [".apk", ".aab", ".ipa"].contains { path.lowercased().hasSuffix($0) }
    }

    /// What macOS writes beside a file into an archive is none of these.
    private static func isMemberLikeApp(_ name: String) -> Bool {
        !name.hasPrefix("__MACOSX/") && name.split(separator: "/").last?.hasPrefix("._") != true && isNamedLikeApp(name)
    }

    /// Apps and parts of apps in one archive; a set for every device has some hundred.
    private static let partLimit = 1000

    /// What the gate has to know of an artefact; nil where it is no app.
    ///
    /// - Throws: `PinsError` of data for an app, by its name or by what is in it, that cannot be read: it might be
    ///   debuggable, and what is proven of such a build is not proven of the release.
    @Sendable package static func look(_ path: String) throws -> RunHeader.Artefact.App? {
        // Alpine Linux' packages have this name as well, and are gzip.
        let isNamed = isNamedLikeApp(path) && !ArchiveFile.isGzip(path)
        guard try isNamed || ArchiveFile.isArchive(path) else { return nil }
        let file: ArchiveFile
        do { file = try ArchiveFile(path) } catch let error as PinsError {
            guard try isNamed || BrokenArchive.names(in: path, contain: isOfApp) else { return nil }
            throw unknown(error)
        }
        do {
            if isApp(file.archive) {
                let app = try read(file, path)
                return RunHeader.Artefact.App(id: app.id, version: app.version, debuggable: app.isDebuggable)
            }
            let parts = file.archive.members.filter { isMemberLikeApp($0.name) }
            if !parts.isEmpty { return try whole(parts, of: file.archive, path) }
            if isNamed { _ = try platform(of: file.archive, path) }
            return nil
        } catch let error as PinsError {
            throw unknown(error)
        }
    }

    private static func isApp(_ archive: ZipArchive) -> Bool {
        AndroidInspection.recognises(archive) || archive.members.contains { isOfIPA($0.name) }
    }

    private static func isOfIPA(_ name: String) -> Bool {
        name.hasPrefix("Payload/") && name.hasSuffix(".app/Info.plist")
    }

    /// A member that only an app has, or an archive of its parts.
    private static func isOfApp(_ name: String) -> Bool {
        isOfIPA(name) || isMemberLikeApp(name) || name == "AndroidManifest.xml"
            || name == "base/manifest/AndroidManifest.xml"
    }

    private static func platform(of archive: ZipArchive, _ path: String) throws -> AppInspection.Platform {
        do throws(PinFileFault) { return try AppArchive.platform(of: archive) } catch { throw PinsError(path, error) }
    }

    /// Of apps and parts in one archive: whoever installs them has a debuggable app where one of them is.
    private static func whole(
        _ parts: [ZipArchive.Member], of archive: ZipArchive, _ path: String
    ) throws -> RunHeader.Artefact.App {
        guard parts.count <= partLimit else {
            throw PinsError(.data, "\(path): it holds \(parts.count) apps, and at most \(partLimit) are looked at")
        }
        var base: RunHeader.Artefact.App?
        var first: RunHeader.Artefact.App?
        var isDebuggable = false
        for member in parts {
            let place = "\(path): \(Printable.excerpt(member.name))"
            let (app, isSplit) = try part(member, of: archive, place)
            isDebuggable = isDebuggable || app.debuggable
            if first == nil { first = app }
            if base == nil, !isSplit { base = app }
        }
        let name = base ?? first
        return RunHeader.Artefact.App(id: name?.id, version: name?.version, debuggable: isDebuggable)
    }

    private static func part(
        _ member: ZipArchive.Member, of archive: ZipArchive, _ place: String
    ) throws -> (app: RunHeader.Artefact.App, isSplit: Bool) {
        guard isNamedLikePart(member.name) else {
            throw PinsError(.data, "\(place): an archive of apps within another one is not looked into: name it itself")
        }
        let inner: ZipArchive
        do throws(ZipFault) {
            inner = try archive.archive(in: member, inflate: ArchiveFile.inflate)
        } catch {
            throw PinsError(.data, "\(place): \(error.member == member.name ? error.reason : error.message)")
        }
        switch try platform(of: inner, place) {
        case .android:
            do throws(PinFileFault) {
                let app = try AndroidInspection.manifest(of: inner, inflate: ArchiveFile.inflate)
                return (.init(id: app.id, version: app.version, debuggable: app.isDebuggable), app.isSplit)
            } catch {
                throw PinsError(place, error)
            }
        case .ios:
            do throws(PinFileFault) {
                let app = try IPAInspection(members(of: inner))
                return (.init(id: app.app.id, version: app.app.version, debuggable: app.isDebuggable ?? false), false)
            } catch {
                throw PinsError(place, error)
            }
        }
    }

    /// Told before the run, whose verdict would hang on it.
    private static func unknown(_ error: PinsError) -> PinsError {
        PinsError(
            error.cause,
            error.explanations.map {
                Explanation(
                    "--artefact \($0.message)",
                    hints: $0.hints + [
                        "whether the app can be debugged is not known, and a debuggable one is never proven",
                        "name the APK, app bundle or IPA as its build wrote it, or say with --label which build it is",
                    ])
            })
    }
}
