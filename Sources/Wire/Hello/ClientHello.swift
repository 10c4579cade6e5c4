import Facts

/// What a TLS client offers in its first message. GREASE values are left out of every list.
package struct ClientHello: Hashable, Sendable {
    /// What stands in the server_name extension.
    package enum ServerName: Hashable, Sendable {
        case absent
        case host(HostName)
        /// There is one, but it is no host name: it must not be forged for, printed or looked up.
        case invalid
    }

    package var legacyVersion: UInt16
    package var random: HelloRandom
    /// Non-empty. TLS 1.3 clients send a random one even without a session (RFC 8446 §D.4), so this alone says little.
    package var hasSessionID: Bool
    package var cipherSuites: [UInt16]
    /// In the order of the message.
    package var extensionTypes: [UInt16]
    package var serverName: ServerName
    /// In the client's order, most wanted first.
    package var alpnProtocols: [[UInt8]]
    /// Raw values of the extension; nil when it is absent.
    package var supportedVersions: [UInt16]?
    package var supportedGroups: [UInt16]?
    package var signatureAlgorithms: [UInt16]?
    /// Of ec_point_formats; empty when it is absent or cannot be read.
    package var pointFormats: [UInt8] = []
    /// Of compress_certificate; empty when it is absent or cannot be read.
    package var certificateCompression: [UInt16] = []
    /// GREASE values stood among suites or extensions.
    package var isGreased = false
    /// Of the handshake message with its four-byte header.
    package var length: Int

    package var sni: HostName? {
        if case .host(let host) = serverName { host } else { nil }
    }

    package var hasInvalidSNI: Bool { serverName == .invalid }
    package var alpn: [String] { alpnProtocols.map { String(decoding: $0, as: UTF8.self) } }

    /// Highest first. Without the extension, every TLS version up to the message's own (RFC 8446 §4.2.1: never 1.3).
    package var versions: [TLSVersion] {
        if let supportedVersions {
            return TLSVersion.allCases.reversed().filter { supportedVersions.contains($0.rawValue) }
        }
        let highest = min(legacyVersion, TLSVersion.tls12.rawValue)
        let lowest = min(highest, TLSVersion.tls10.rawValue)
        return TLSVersion.allCases.reversed().filter { (lowest...highest).contains($0.rawValue) }
    }

    package var maxVersion: TLSVersion? { versions.first }
    package func offers(_ version: TLSVersion) -> Bool { versions.contains(version) }

    package var offersPSK: Bool { offers(extension: ExtensionType.preSharedKey) }
    package var offersEarlyData: Bool { offers(extension: ExtensionType.earlyData) }
    /// Real or GREASE: the two cannot be told apart.
    package var offersECH: Bool { offers(extension: ExtensionType.encryptedClientHello) }
    /// It wants a stapled OCSP answer (RFC 6066 §8).
    package var asksForStatus: Bool { offers(extension: ExtensionType.statusRequest) }
    /// TLS 1.3: it can resume sessions by the tickets that it is given (RFC 8446 §4.2.9).
    package var takesTickets: Bool { offers(extension: ExtensionType.pskKeyExchangeModes) }
    package func offers(extension type: UInt16) -> Bool { extensionTypes.contains(type) }

    /// The facts an observation keeps.
    package func facts(_ fingerprint: Fingerprint) -> HelloFacts {
        HelloFacts(
            sni: sni, alpn: alpn, versions: versions, ja4: fingerprint.ja4, stack: fingerprint.stack,
            offersPSK: offersPSK, offersSessionID: hasSessionID, offersEarlyData: offersEarlyData,
            offersECH: offersECH, weakSuites: WeakSuites.names(of: cipherSuites),
            likelyStacks: StackRecogniser.names(of: self), length: length)
    }
}

/// The numbers of the IANA registry "TLS ExtensionType Values" that matter here.
enum ExtensionType {
    static let serverName: UInt16 = 0
    static let maxFragmentLength: UInt16 = 1
    static let statusRequest: UInt16 = 5
    static let supportedGroups: UInt16 = 10
    static let pointFormats: UInt16 = 11
    static let signatureAlgorithms: UInt16 = 13
    static let alpn: UInt16 = 16
    static let clientCertificateType: UInt16 = 19
    static let padding: UInt16 = 21
    static let compressCertificate: UInt16 = 27
    static let recordSizeLimit: UInt16 = 28
    static let preSharedKey: UInt16 = 41
    static let earlyData: UInt16 = 42
    static let supportedVersions: UInt16 = 43
    static let cookie: UInt16 = 44
    static let pskKeyExchangeModes: UInt16 = 45
    /// ALPS by its first number, which Chromium 91 to 132 send (draft-vvv-tls-alps).
    static let oldApplicationSettings: UInt16 = 17513
    /// ALPS by its later number.
    static let applicationSettings: UInt16 = 17613
    static let encryptedClientHello: UInt16 = 0xfe0d
}
