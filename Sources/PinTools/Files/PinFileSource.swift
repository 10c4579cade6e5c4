import Facts
import Loop
import Pins
import Profiles

/// Files that declare pins, read by what is in them: configurations, source code, apps and profiles.
///
///     let files = try PinFileSource.read(["res/xml/network_security_config.xml", "Info.plist", "app.apk"])
package enum PinFileSource {
    /// Bytes of a file that is no app; the largest configurations and sources have some hundred thousand.
    static let sizeLimit = 16 << 20
    /// Files of one call: a command line may name a whole repository's.
    static let countLimit = 2000

    private static var recogniser: FormatRecogniser {
        FormatRecogniser([
            AndroidConfigReader.self, AndroidManifestReader.self, AppleConfigReader.self, TrustKitReader.self,
            PinsJSONReader.self, ReactNativeReader.self, HPKPReader.self, CurlReader.self,
        ])
    }

    /// - Parameter paths: `-` is standard input.
    /// - Throws: `PinsError` of data with file and line, where a file is unknown, broken, or rejected by its platform.
    package static func read(_ paths: [String]) throws -> [PinFile] {
        guard paths.count <= countLimit else {
            throw PinsError(.commandLine, "\(paths.count) files are named, and at most \(countLimit) are read at a time")
        }
        return try paths.flatMap(read)
    }

    package static func read(_ path: String) throws -> [PinFile] {
        let name = InputFile.name(path)
        if path != "-", try ArchiveFile.isArchive(path) { return try AppReader.read(path).files }
        let bytes = try InputFile.read(path, limit: sizeLimit, "a file that declares pins")
        let content = PinFileContent(bytes)
        if FormatRecogniser.isProfile(content) { return [try profile(bytes, path: path)] }
        do throws(PinFileFault) {
            let source = try SourceFile.read(content, path: name)
            let hasDeclared = source.contains { $0.format != .source }
            if hasDeclared { return source }
            do throws(PinFileFault) {
                return try recogniser.read(content, path: name) + source
            } catch {
                // Code in which only a linter finds something is a file that is known.
                if source.isEmpty || error.effect != .unreadable { throw error }
                return source
            }
        } catch {
            throw PinsError(name, error)
        }
    }

    private static func profile(_ bytes: [UInt8], path: String) throws -> PinFile {
        let loaded = try ProfileLoader.parse(text: String(decoding: bytes, as: UTF8.self), path: InputFile.name(path))
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
            case .failsClosed: ["the platform rejects it, and the app fails closed: its connections fail, or it does not start"]
            case .failsOpen: ["the platform passes over it, and the app fails open: it connects without these pins"]
            case .unreadable: [String]()
            }
        self.init(.data, "\(place): \(fault.message)", hints: effect + fault.hints)
    }
}
