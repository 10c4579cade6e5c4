/// A TLS alert's description code (RFC 8446 §6) under its registered name.
package struct AlertCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let closeNotify = AlertCode(rawValue: 0)
    package static let badRecordMAC = AlertCode(rawValue: 20)
    package static let handshakeFailure = AlertCode(rawValue: 40)
    package static let illegalParameter = AlertCode(rawValue: 47)
    package static let unknownCA = AlertCode(rawValue: 48)
    package static let decryptError = AlertCode(rawValue: 51)
    package static let protocolVersion = AlertCode(rawValue: 70)
    package static let insufficientSecurity = AlertCode(rawValue: 71)
    package static let internalError = AlertCode(rawValue: 80)
    /// RFC 7507 §4.
    package static let inappropriateFallback = AlertCode(rawValue: 86)
    package static let userCanceled = AlertCode(rawValue: 90)
    package static let noRenegotiation = AlertCode(rawValue: 100)
    /// RFC 6066 §3.
    package static let unrecognizedName = AlertCode(rawValue: 112)
    /// RFC 7301 §3.2.
    package static let noApplicationProtocol = AlertCode(rawValue: 120)

    /// Whether a server says by it that it can do nothing with what was offered (RFC 8446 §6.2, RFC 7301 §3.2): a client may know
    /// what else to offer.
    package var isOfOffer: Bool { Self.ofOffers.contains(self) }
    private static let ofOffers: Set<AlertCode> = [
        .handshakeFailure, .protocolVersion, .insufficientSecurity, .noApplicationProtocol,
    ]

    /// The name of the IANA registry, or `alert_N`.
    package var description: String { Self.names[rawValue] ?? "alert_\(rawValue)" }

    /// Whether a name is one of the registry's.
    package static func isRegistered(_ name: String) -> Bool { names.values.contains(name) }

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
