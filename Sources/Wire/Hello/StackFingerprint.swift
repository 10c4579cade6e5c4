/// The contract's "same stack": a digest of what a TLS library offers, whatever host, protocol or session it is for.
package enum StackFingerprint {
    /// Hex digits kept of the SHA-256: 96 bits, far beyond a chance meeting in one run.
    package static let length = 24

    package static func digest(of hello: ClientHello, sha256: ([UInt8]) -> [UInt8]) -> String {
        Hex.text(sha256(canonical(hello)), digits: length)
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
        default: false
        }
    }
}

/// Lower-case hexadecimal.
enum Hex {
    private static let symbols = Array("0123456789abcdef".utf8)

    static func append(_ value: UInt16, to out: inout [UInt8]) {
        for shift in [12, 8, 4, 0] { out.append(symbols[Int(value >> UInt16(shift)) & 15]) }
    }

    static func symbol(_ nibble: UInt8) -> UInt8 { symbols[Int(nibble & 15)] }

    /// The first `digits` of the bytes' text, or fewer where there are not so many.
    static func text(_ bytes: [UInt8], digits: Int) -> String {
        var out: [UInt8] = []
        for byte in bytes.prefix((digits + 1) / 2) {
            out.append(symbol(byte >> 4))
            out.append(symbol(byte))
        }
        return String(decoding: out.prefix(digits), as: UTF8.self)
    }
}
