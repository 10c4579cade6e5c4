import Facts

/// JA4 of a ClientHello over TCP, after FoxIO's description (technical_details/JA4.md).
///
/// `t13d1516h2_8daaf6152771_e5627efa2ab1`: transport, version, SNI, counts and ALPN; ciphers; extensions and
/// signature algorithms.
package enum JA4 {
    package static func fingerprint(of hello: ClientHello, sha256: ([UInt8]) -> [UInt8]) -> String {
        let (prefix, ciphers, extensions) = parts(hello)
        return prefix + "_" + hash12(ciphers, sha256) + "_" + hash12(extensions, sha256)
    }

    /// The readable form, `JA4_r`.
    package static func raw(of hello: ClientHello) -> String {
        let (prefix, ciphers, extensions) = parts(hello)
        return prefix + "_" + String(decoding: ciphers, as: UTF8.self) + "_"
            + String(decoding: extensions, as: UTF8.self)
    }

    private static func parts(_ hello: ClientHello) -> (prefix: String, ciphers: [UInt8], extensions: [UInt8]) {
        let sni = hello.offers(extension: ExtensionType.serverName) ? "d" : "i"
        let prefix =
            "t" + version(hello) + sni + count(hello.cipherSuites) + count(hello.extensionTypes)
            + String(decoding: alpn(hello), as: UTF8.self)
        let extensions = hello.extensionTypes.filter { $0 != ExtensionType.serverName && $0 != ExtensionType.alpn }
        var second = list(extensions.sorted())
        // Without extensions the field is empty even if there were algorithms, which cannot be.
        if let algorithms = hello.signatureAlgorithms, !algorithms.isEmpty, !second.isEmpty {
            second.append(UInt8(ascii: "_"))
            second += list(algorithms)
        }
        return (prefix, list(hello.cipherSuites.sorted()), second)
    }

    /// First and last character of the first protocol; of its hexadecimal form where one of them is not alphanumeric.
    static func alpn(_ hello: ClientHello) -> [UInt8] {
        guard let first = hello.alpnProtocols.first?.first, let last = hello.alpnProtocols.first?.last else {
            return [UInt8(ascii: "0"), UInt8(ascii: "0")]
        }
        if isAlphanumeric(first), isAlphanumeric(last) { return [first, last] }
        return [Hex.symbol(first >> 4), Hex.symbol(last)]
    }

    private static func version(_ hello: ClientHello) -> String {
        switch hello.supportedVersions.map({ $0.max() ?? 0 }) ?? hello.legacyVersion {
        case 0x0304: "13"
        case 0x0303: "12"
        case 0x0302: "11"
        case 0x0301: "10"
        case 0x0300: "s3"
        case 0x0002: "s2"
        default: "00"
        }
    }

    private static func count(_ values: [UInt16]) -> String {
        let count = min(values.count, 99)
        return count < 10 ? "0\(count)" : "\(count)"
    }

    private static func list(_ values: [UInt16]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(values.count * 5)
        for value in values {
            if !out.isEmpty { out.append(UInt8(ascii: ",")) }
            Hex.append(value, to: &out)
        }
        return out
    }

    private static func hash12(_ text: [UInt8], _ sha256: ([UInt8]) -> [UInt8]) -> String {
        text.isEmpty ? "000000000000" : Hex.encode(sha256(text).prefix(6))
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: false
        }
    }
}
