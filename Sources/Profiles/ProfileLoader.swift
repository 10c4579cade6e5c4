#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
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
        let state = FileState.onDisk(path)
        guard state == .readable else { throw failed(.file(state), path) }
        // Asked before reading: whatever was named by mistake is not read into memory first.
        if let bytes = FileState.size(path), bytes > SourceText.maxBytes { throw failed(.tooLarge(bytes: bytes), path) }
        guard let data = FileManager.default.contents(atPath: path) else { throw failed(.file(.notReadable), path) }
        return try parse(Array(data), path: path, files: files)
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
