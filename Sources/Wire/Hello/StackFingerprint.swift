import Facts

/// A digest of what a TLS library offers, whatever host, protocol or session it is for.
///
/// Connections of one fingerprint are of the same stack (docs/verdicts.md, "Same stack").
package enum StackFingerprint {
    /// Hex digits kept of the SHA-256: 96 bits, far beyond a chance meeting in one run.
    package static let length = 24

    package static func digest(of hello: ClientHello, sha256: ([UInt8]) -> [UInt8]) -> String {
        Hex.encode(sha256(canonical(hello)).prefix(length / 2))
    }

    /// Versions, ciphers, extensions, groups and signature algorithms, each sorted and with its count before it.
    /// A hello without supported_versions stands with its own version.
    static func canonical(_ hello: ClientHello) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(256)
        append(hello.supportedVersions ?? [hello.legacyVersion], to: &out)
        append(hello.cipherSuites, to: &out)
        append(hello.extensionTypes.filter { !isIgnored($0) }, to: &out)
        append(hello.supportedGroups ?? [], to: &out)
        append(hello.signatureAlgorithms ?? [], to: &out)
        return out
    }

    private static func append(_ values: [UInt16], to out: inout [UInt8]) {
        out.append(bigEndian: UInt16(truncatingIfNeeded: values.count))
        for value in values.sorted() { out.append(bigEndian: value) }
    }

    /// What the same library sends for one connection and not for the next.
    private static func isIgnored(_ type: UInt16) -> Bool {
        switch type {
        case ExtensionType.serverName, ExtensionType.alpn, ExtensionType.padding, ExtensionType.preSharedKey,
            ExtensionType.earlyData, ExtensionType.cookie:
            true
        // Settings for protocols that ALPN offers: Chromium leaves them out where it offers HTTP/1.1 alone, as for a
        // WebSocket.
        case ExtensionType.applicationSettings, ExtensionType.oldApplicationSettings: true
        default: false
        }
    }
}
