import Loop
import Policy

/// Profiles from YAML: all mistakes of a file at once, each with line, column and hint.
///
///     do throws(ProfileErrors) {
///         let loaded = try ProfileLoader.load(path: "profiles/release-gate.yaml")
///         try loaded.requireGateable()
///     } catch {
///         print(error)  // error: profiles/release-gate.yaml:7:1: unknown key "hots" …
///     }
package enum ProfileLoader {
    /// Reads a file. Paths in it are relative to its folder and, by default, must be there.
    package static func load(
        path: String, files: (String) -> FileState = FileState.onDisk
    ) throws(ProfileErrors) -> LoadedProfile {
        try parse(read(path), path: path, files: files)
    }

    private static func read(_ path: String) throws(ProfileErrors) -> [UInt8] {
        let state = FileState.onDisk(path)
        guard state == .readable else { throw failed(.file(state), path) }
        var bytes: [UInt8] = []
        var size = 0
        do throws(SystemError) {
            let file = try OpenFile(reading: path)
            // Asked before reading: whatever was named by mistake is not read into memory first.
            size = try file.status().size
            while size <= SourceText.maxBytes, case let piece = try file.next(), !piece.isEmpty {
                bytes += piece
                size = max(size, bytes.count)
            }
        } catch {
            throw failed(.file(FileState(error)), path)
        }
        guard size <= SourceText.maxBytes else { throw failed(.tooLarge(bytes: size), path) }
        return bytes
    }

    /// The same for a text; `path` names it in messages and is what its paths are relative to.
    package static func parse(
        text: String, path: String, files: (String) -> FileState = FileState.onDisk
    ) throws(ProfileErrors) -> LoadedProfile {
        try parse(Array(text.utf8), path: path, files: files)
    }

    static func parse(
        _ bytes: [UInt8], path: String, files: (String) -> FileState
    ) throws(ProfileErrors) -> LoadedProfile {
        let composed: YAMLComposer.Composed
        do throws(SourceText.Unfit) {
            composed = try YAMLComposer.compose(SourceText(bytes))
        } catch {
            throw failed(error.fault, path, error.place)
        }
        guard let root = composed.root else { throw failed(.empty, path) }
        let (profile, places, errors) = withoutActuallyEscaping(files) { files in
            var reader = ProfileReader(path: path, files: files)
            let profile = reader.profile(root, defaultName: defaultName(path))
            return (profile, reader.places, reader.errors)
        }
        let problems = composed.problems.map { ProfileError($0.fault, path: path, place: $0.place) } + errors
        if !problems.isEmpty { throw ProfileErrors(problems) }
        if let repeated = composed.repeated {
            let unfit = YAMLComposer.unfit(repeated)
            throw failed(unfit.fault, path, unfit.place)
        }
        return LoadedProfile(profile: profile, text: String(decoding: bytes, as: UTF8.self), path: path, places: places)
    }

    /// Without `name:`, the file's: `profiles/release-gate.yaml` is `release-gate`.
    static func defaultName(_ path: String) -> String {
        var name = path.split(separator: "/").last.map(String.init) ?? ""
        for suffix in [".yaml", ".yml"] where name.hasSuffix(suffix) && name.count > suffix.count {
            name.removeLast(suffix.count)
        }
        return ProfileReader.isName(name) ? name : "profile"
    }

    private static func failed(_ fault: ProfileError.Fault, _ path: String, _ place: Place? = nil) -> ProfileErrors {
        ProfileErrors([ProfileError(fault, path: path, place: place)])
    }
}
