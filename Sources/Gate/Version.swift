import Loop
import TLS

/// What this program is, and what it runs on.
public enum Version {
    public static let pinproof = "0.1.0"

    /// For `--version`.
    public static var text: String {
        "pinproof \(pinproof) (OpenSSL \(OpenSSLVersion.text), libevent \(EventLoop.libeventVersion))"
    }
}
