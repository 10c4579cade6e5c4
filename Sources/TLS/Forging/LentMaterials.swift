import Facts
import Policy

/// What the operator lent for forging, by host: keys and chains.
package struct LentMaterials: Sendable {
    package struct Host: Sendable {
        let backupKey: LeafKey?
        /// Under a key that imitates its own.
        let sameCAChain: PresentedChain?
        let otherHost: PresentedChain?

        package init(backupKey: PrivateKey?, sameCAChain: PresentedChain?, otherHost: PresentedChain?) {
            self.backupKey = backupKey.map { LeafKey($0) }
            self.sameCAChain = sameCAChain
            self.otherHost = otherHost
        }
    }

    private let hosts: [HostName: Host]
    /// What can be used but shows less than it could; each names its file.
    package let warnings: [String]
    /// Chains that a team is about to deploy, with their keys, by its names for them.
    package var rehearsed: [String: PresentedChain] = [:]

    /// Nothing by default.
    package init(_ hosts: [HostName: Host] = [:], warnings: [String] = []) {
        self.hosts = hosts
        self.warnings = warnings
    }

    subscript(host: HostName) -> Host? { hosts[host] }

    /// SPKI pins (SHA-256, base64; RFC 7469 §2.4) of the backup keys, by host.
    package var backupPins: [String: String] {
        hosts.reduce(into: [:]) { pins, entry in
            guard let key = entry.value.backupKey else { return }
            pins[entry.key.text] = Base64.encode(SHA256.digest(key.key.publicKeyDER))
        }
    }

    /// Whether everything a variant needs was lent for a host.
    package func has(_ kind: LentKind?, for host: HostName) -> Bool {
        switch kind {
        case nil: true
        case .backupKey: self[host]?.backupKey != nil
        case .sameCAChain: self[host]?.sameCAChain != nil
        case .otherHost: self[host]?.otherHost != nil
        }
    }
}
