import Loop
import TLS

/// What this program is, and what it runs on.
package enum Version {
    package static let pinproof = "0.1.0"

    /// For `--version`.
    package static var text: String {
        "pinproof \(pinproof) (OpenSSL \(OpenSSLVersion.text), libevent \(EventLoop.libeventVersion))"
    }
}
