import Policy
import Profiles
import Testing

/// A disk without files, so that no test depends on this machine's.
func noFiles(_ path: String) -> FileState { .missing }

func parsed(_ text: String, files: (String) -> FileState = noFiles) throws(ProfileErrors) -> Profile {
    try ProfileLoader.parse(text: text, path: "p.yaml", files: files).profile
}

/// Everything that is said about a wrong profile, without `error: ` and the path.
func complaint(_ text: String, files: (String) -> FileState = noFiles) -> String {
    do throws(ProfileErrors) {
        _ = try parsed(text, files: files)
        return "no complaint"
    } catch {
        return error.description.replacing("error: p.yaml:", with: "")
    }
}

/// The same about a fragment that stands in an otherwise sound profile, from line 2 on.
func complaint(in fragment: String, files: (String) -> FileState = noFiles) -> String {
    complaint("version: 1\n" + fragment, files: files)
}
