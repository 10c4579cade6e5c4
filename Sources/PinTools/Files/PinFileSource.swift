import Facts
import Loop
import Pins
import Profiles

/// Files that declare pins: configurations, source code, apps and profiles.
///
///     let files = try PinFileSource.read(["res/xml/network_security_config.xml", "Info.plist", "app.apk"])
package enum PinFileSource {
    /// Bytes of a file that is no app; the largest configurations and sources have some hundred thousand.
    static let sizeLimit = 16 << 20
    /// Bytes of a file in which constants of others are looked for.
    static let neighbourLimit = 1 << 20
    /// Files of one call: a command line may name a whole repository's.
    static let countLimit = 2000

    /// - Parameter paths: `-` is standard input.
    /// - Throws: `PinsError` of data with file and line, where a file is unknown, broken, or rejected by its platform.
    package static func read(_ paths: [String]) throws -> [PinFile] {
        try requireFew(paths)
        let neighbours = neighbours(paths)
        var files: [PinFile] = []
        var empty: [(path: String, error: PinsError)] = []
        for path in paths {
            do {
                files += try self.files(path, beside: neighbours)
            } catch let fault as PinFileFault {
                let error = PinsError(InputFile.name(path), fault)
                // Perhaps it has the constants of another, which is read later.
                guard FormatRecogniser.isOfNothing(fault) else { throw error }
                empty.append((path, error))
            }
        }
        if let unused = empty.first(where: { !neighbours.areUsed($0.path) }) { throw unused.error }
        return files
    }

    /// For a linter, to which what a platform rejects is a finding and no end.
    package static func readToLint(_ paths: [String]) throws -> (files: [PinFile], findings: [LintFinding]) {
        try requireFew(paths)
        let neighbours = neighbours(paths)
        var found: (files: [PinFile], findings: [LintFinding]) = ([], [])
        var empty: [(path: String, error: PinsError)] = []
        for path in paths {
            let name = InputFile.name(path)
            do {
                if path != "-", try ArchiveFile.isArchive(path) {
                    let app = try AppReader.read(path)
                    found.files += app.files
                    found.findings += findings(of: app)
                } else {
                    found.files += try files(path, beside: neighbours)
                }
            } catch let fault as PinFileFault {
                let findings = PinLint.findings(of: fault, path: name)
                let error = PinsError(name, fault)
                guard !findings.isEmpty && !fault.isOfSyntax || FormatRecogniser.isOfNothing(fault) else {
                    throw error
                }
                if findings.isEmpty { empty.append((path, error)) }
                found.findings += findings
            }
        }
        if let unused = empty.first(where: { !neighbours.areUsed($0.path) }) { throw unused.error }
        return found
    }

    /// What the platform rejects of an app's files.
    package static func findings(of app: AppInspection) -> [LintFinding] {
        app.faults.flatMap { PinLint.findings(of: $0.fault, path: $0.path) }
    }

    private static func requireFew(_ paths: [String]) throws {
        guard paths.count <= countLimit else {
            throw PinsError(
                .commandLine, "\(paths.count) files are named, and at most \(countLimit) are read at a time")
        }
    }

    /// Files that may have constants of others. What cannot be read here is told where it is read by itself.
    private static func neighbours(_ paths: [String]) -> SourceNeighbours {
        // Each is read a second time, so that not all of them are kept.
        guard paths.count > 1 else { return SourceNeighbours([]) }
        var left = SourceNeighbours.sizeLimit
        return SourceNeighbours(
            paths.compactMap { path in
                guard !InputFile.isHandedIn(path), left > 0, (try? ArchiveFile.isArchive(path)) == false,
                    let bytes = try? InputFile.read(path, limit: min(left, neighbourLimit), "constants")
                else { return nil }
                left -= bytes.count
                return (InputFile.name(path), PinFileContent(bytes))
            })
    }

    /// - Throws: `PinFileFault` beside what tells of itself.
    private static func files(_ path: String, beside neighbours: SourceNeighbours) throws -> [PinFile] {
        let name = InputFile.name(path)
        if path != "-", try ArchiveFile.isArchive(path) {
            let app = try AppReader.read(path)
            if let rejected = app.faults.first { throw PinsError("\(name): \(rejected.path)", rejected.fault) }
            return app.files
        }
        let bytes = try InputFile.read(path, limit: sizeLimit, "a file that declares pins")
        let content = PinFileContent(bytes)
        if FormatRecogniser.isProfile(content) { return [try profile(bytes, path: path)] }
        return try FormatRecogniser.standard(beside: neighbours).read(content, path: name)
    }

    private static func profile(_ bytes: [UInt8], path: String) throws -> PinFile {
        let text = String(decoding: bytes, as: UTF8.self)
        let loaded: LoadedProfile
        do throws(ProfileErrors) {
            loaded = try ProfileLoader.parse(text: text, path: InputFile.name(path))
        } catch {
            // Here it is a file like any other.
            throw PinsError(.data, error.explanations)
        }
        let entries = loaded.profile.rules.map { rule in
            ProfileEntry(
                pattern: rule.pattern.description, refuses: rule.expect == .refuse,
                pins: rule.pins.map(\.description), line: loaded.places.rules[rule.pattern]?.line ?? 1)
        }
        var file = PinFile(profile: entries, path: InputFile.name(path))
        let upstream = loaded.profile.upstream
        file.servers = DeclaredServers(
            places: loaded.profile.resolve.mapValues { Endpoint($0.host, $0.port ?? 443) }, roots: upstream.roots,
            proxy: upstream.proxy)
        return file
    }
}

extension PinsError {
    /// `config.xml:7: the digest is no SHA-256`, and what the app does then.
    init(_ path: String, _ fault: PinFileFault) {
        let place = fault.line.map { "\(path):\($0)" } ?? path
        let effect =
            switch fault.effect {
            case .failsClosed:
                ["the platform rejects it, and the app fails closed: connections fail, or it does not start"]
            case .failsOpen: ["the platform passes over it, and the app fails open: it goes on without these pins"]
            case .unreadable: [String]()
            }
        self.init(.data, "\(place): \(fault.message)", hints: effect + fault.hints)
    }
}
