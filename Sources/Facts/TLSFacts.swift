/// A TLS protocol version by its wire value (RFC 8446 §4.2.1).
package enum TLSVersion: UInt16, Sendable, Hashable, Comparable, CaseIterable, CustomStringConvertible {
    case ssl3 = 0x0300
    case tls10 = 0x0301
    case tls11 = 0x0302
    case tls12 = 0x0303
    case tls13 = 0x0304

    /// `"1.2"`, `"1.3"`, …; SSL 3.0 is `"ssl3"`.
    package var description: String { self == .ssl3 ? "ssl3" : "1.\(rawValue - 0x0301)" }

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension TLSVersion: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let version = Self.allCases.first(where: { $0.description == text }) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\"\(text)\" is not a TLS version"))
        }
        self = version
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// A TLS alert's description code (RFC 8446 §6) under its registered name.
package struct AlertCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let closeNotify = AlertCode(rawValue: 0)
    package static let handshakeFailure = AlertCode(rawValue: 40)
    package static let internalError = AlertCode(rawValue: 80)
    /// RFC 7507 §4.
    package static let inappropriateFallback = AlertCode(rawValue: 86)
    package static let userCanceled = AlertCode(rawValue: 90)
    /// RFC 6066 §3.
    package static let unrecognizedName = AlertCode(rawValue: 112)

    /// The name of the IANA registry, or `alert_N`.
    package var description: String { Self.names[rawValue] ?? "alert_\(rawValue)" }

    private static let names: [UInt8: String] = [
        0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 21: "decryption_failed",
        22: "record_overflow", 30: "decompression_failure", 40: "handshake_failure", 41: "no_certificate",
        42: "bad_certificate", 43: "unsupported_certificate", 44: "certificate_revoked", 45: "certificate_expired",
        46: "certificate_unknown", 47: "illegal_parameter", 48: "unknown_ca", 49: "access_denied", 50: "decode_error",
        51: "decrypt_error", 60: "export_restriction", 70: "protocol_version", 71: "insufficient_security",
        80: "internal_error", 86: "inappropriate_fallback", 90: "user_canceled", 100: "no_renegotiation",
        109: "missing_extension", 110: "unsupported_extension", 111: "certificate_unobtainable",
        112: "unrecognized_name", 113: "bad_certificate_status_response", 114: "bad_certificate_hash_value",
        115: "unknown_psk_identity", 116: "certificate_required", 120: "no_application_protocol",
    ]
}

/// One alert that crossed the client's connection.
package struct Alert: Hashable, Sendable, Codable {
    /// Under which keys it came: `handshake` keys are those before the client's Finished.
    package enum Epoch: String, Sendable, Codable { case plaintext, handshake, application }
    package enum Sender: String, Sendable, Codable { case client, proxy }

    package var from: Sender
    /// 1 warning, 2 fatal.
    package var level: UInt8
    package var code: UInt8
    package var epoch: Epoch
    /// Milliseconds since the connection was accepted.
    package var ms: Double

    package init(from: Sender, level: UInt8, code: UInt8, epoch: Epoch, ms: Double) {
        self.from = from
        self.level = level
        self.code = code
        self.epoch = epoch
        self.ms = ms
    }

    package var name: String { AlertCode(rawValue: code).description }
    /// Fatal by level; in TLS 1.3 all but close_notify and user_canceled are (RFC 8446 §6), whatever the level says.
    package var isFatal: Bool {
        code != AlertCode.closeNotify.rawValue && code != AlertCode.userCanceled.rawValue && level == 2
    }
}

/// What a ClientHello said, as far as a verdict can need it.
package struct HelloFacts: Hashable, Sendable, Codable {
    package var sni: HostName?
    package var alpn: [String]
    /// Highest first, GREASE removed.
    package var versions: [TLSVersion]
    /// JA4 (FoxIO's published description), for people and for other tools.
    package var ja4: String
    /// Digest of the normalised hello; equal for connections of the same stack (see `Wire.StackFingerprint`).
    package var stack: String
    package var offersPSK: Bool
    package var offersSessionID: Bool
    package var offersEarlyData: Bool
    /// An encrypted_client_hello extension was there (GREASE ECH cannot be told from real ECH).
    package var offersECH: Bool
    /// Names of offered suites without encryption or authentication, or of export strength.
    package var weakSuites: [String]
    /// Length of the handshake message in bytes.
    package var length: Int

    package init(
        sni: HostName? = nil, alpn: [String] = [], versions: [TLSVersion] = [.tls13, .tls12], ja4: String = "",
        stack: String = "", offersPSK: Bool = false, offersSessionID: Bool = false, offersEarlyData: Bool = false,
        offersECH: Bool = false, weakSuites: [String] = [], length: Int = 0
    ) {
        self.sni = sni
        self.alpn = alpn
        self.versions = versions
        self.ja4 = ja4
        self.stack = stack
        self.offersPSK = offersPSK
        self.offersSessionID = offersSessionID
        self.offersEarlyData = offersEarlyData
        self.offersECH = offersECH
        self.weakSuites = weakSuites
        self.length = length
    }

    enum CodingKeys: String, CodingKey {
        case sni, alpn, versions, ja4, stack, length
        case offersPSK = "psk"
        case offersSessionID = "session_id"
        case offersEarlyData = "early_data"
        case offersECH = "ech"
        case weakSuites = "weak_suites"
    }
}

/// What one leg's handshake agreed on.
package struct Negotiated: Hashable, Sendable, Codable {
    package var version: TLSVersion
    package var cipher: String
    package var alpn: String?

    package init(version: TLSVersion, cipher: String, alpn: String?) {
        self.version = version
        self.cipher = cipher
        self.alpn = alpn
    }
}
