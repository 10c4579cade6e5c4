import Coding
import Evidence
import Facts
import Loop
import Store
import TLS

/// What this program runs on, for `--version --verbose` and reports of faults.
package enum LinkedVersions {
    /// A line for each: libraries that are loaded, then Swift's own and the packages of the build.
    package static var text: String {
        let parts =
            [("OpenSSL", OpenSSLVersion.text), ("libevent", EventLoop.libeventVersion)] + CodecVersions.all
            + [
                ("SQLite", SQLiteVersion.text), ("C library", CLibrary.version),
                ("Swift", "\(_SwiftStdlibVersion.current)"),
            ]
            + packages
        let width = 2 + (parts.map(\.0.count).max() ?? 0)
        return
            (["pinproof \(Version.pinproof)"]
            + parts.map { name, version in
                "  " + name.padded(to: width) + version
            }).joined(separator: "\n")
    }

    /// Swift packages, by SwiftPM's own record; a revision where one has no version.
    private static var packages: [(name: String, version: String)] {
        guard let resolved = try? JSONValue.parse(EmbeddedFile.resolvedPackages) else { return [] }
        return (resolved["pins"]?.array ?? []).compactMap { pin in
            guard let name = pin["identity"]?.string, let state = pin["state"],
                let version = state["version"]?.string ?? state["revision"]?.string
            else { return nil }
            return (name, version)
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
