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
    /// Files of one call: a command line may name a whole repository's.
    static let countLimit = 2000

    /// - Parameter paths: `-` is standard input.
    /// - Throws: `PinsError` of data with file and line, where a file is unknown, broken, or rejected by its platform.
    package static func read(_ paths: [String]) throws -> [PinFile] {
        try requireFew(paths)
        return try paths.flatMap { path in
            do { return try files(path) } catch let fault as PinFileFault {
                throw PinsError(InputFile.name(path), fault)
            }
        }
    }

    /// For a linter, to which what a platform rejects is a finding and no end.
    package static func readToLint(_ paths: [String]) throws -> (files: [PinFile], findings: [LintFinding]) {
        try requireFew(paths)
        var found: (files: [PinFile], findings: [LintFinding]) = ([], [])
        for path in paths {
            let name = InputFile.name(path)
            do {
                if path != "-", try ArchiveFile.isArchive(path) {
                    let app = try AppReader.read(path)
                    found.files += app.files
                    found.findings += findings(of: app)
                } else {
                    found.files += try files(path)
                }
            } catch let fault as PinFileFault {
                let findings = PinLint.findings(of: fault, path: name)
                guard !findings.isEmpty else { throw PinsError(name, fault) }
                found.findings += findings
            }
        }
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

    /// - Throws: `PinFileFault` beside what tells of itself.
    private static func files(_ path: String) throws -> [PinFile] {
        let name = InputFile.name(path)
        if path != "-", try ArchiveFile.isArchive(path) { return try AppReader.read(path).files }
        let bytes = try InputFile.read(path, limit: sizeLimit, "a file that declares pins")
        let content = PinFileContent(bytes)
        if FormatRecogniser.isProfile(content) { return [try profile(bytes, path: path)] }
        return try FormatRecogniser.standard.read(content, path: name)
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
        return PinFile(profile: entries, path: InputFile.name(path))
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
