import Policy
import TLS

extension TrustStore {
    /// The system's roots, and the profile's.
    package static func forOrigins(of profile: Profile) throws -> TrustStore {
        var roots: [Certificate] = []
        for path in profile.upstream.roots { roots += try Certificate.readAll(path: path) }
        return try TrustStore(systemRoots: true, roots: roots)
    }
}
