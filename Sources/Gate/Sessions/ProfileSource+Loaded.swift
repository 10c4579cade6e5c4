import Profiles
import Report

extension ProfileSource {
    /// - Parameter path: as reports are to name it.
    init(_ loaded: LoadedProfile, path: String) {
        let rules = loaded.places.rules.map { ($0.key.description, $0.value.line) }
        self.init(
            path: path, lines: Dictionary(rules, uniquingKeysWith: { first, _ in first }),
            first: loaded.places.keys["hosts"]?.line ?? 1)
    }
}
