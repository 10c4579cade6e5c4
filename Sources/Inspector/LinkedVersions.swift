import Coding
import Evidence
import Loop
import Store
import TLS

/// What this program runs on, for `--version --verbose` and reports of faults.
///
/// Of libraries that are loaded with the program: those of the build have their versions in the package's list of parts.
package enum LinkedVersions {
    /// A line for each.
    package static var text: String {
        let libraries =
            [("OpenSSL", OpenSSLVersion.text), ("libevent", EventLoop.libeventVersion)] + CodecVersions.all
            + [("SQLite", SQLiteVersion.text), ("C library", CLibrary.version)]
        return
            (["pinproof \(Version.pinproof)"]
            + libraries.map { name, version in
                "  " + name.padded(to: 10) + version
            }).joined(separator: "\n")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
