import Loop
import TLS

/// Roots that somebody has put beside the system's: a company, a tool, an interceptor.
package enum AddedRoots {
    /// A bundle of roots has 220 KB.
    private static let sizeLimit = 8 << 20

    /// Where roots are put that do not come with the system.
    private static let additions = [
        "/usr/local/share/ca-certificates", "/etc/pki/ca-trust/source/anchors", "/etc/pki/trust/anchors",
        "/etc/ca-certificates/trust-source/anchors",
    ]

    /// - Parameter sha256: of a root that is not meant, in lower-case hexadecimal.
    package static func all(without sha256: String? = nil) -> [Certificate] {
        additions.flatMap { folder in
            ((try? FileTree.entries(of: folder)) ?? []).flatMap { name in
                (try? Files.read("\(folder)/\(name)", limit: sizeLimit)).flatMap { try? Certificate.all(in: $0) } ?? []
            }
        }.filter { $0.sha256.lowercased() != sha256 }
    }

    /// Their subjects (RFC 4514).
    package static func subjects(without sha256: String?) -> Set<String> { Set(all(without: sha256).map(\.subject)) }
}
