extension ExchangeMessage {
    /// What its standard does not allow, in words for people; nil where there is nothing to say.
    ///
    /// Peers end a WebSocket for it with 1002 or 1007, and whoever looks for the reason finds it here. Only what the
    /// message itself shows is judged: text (RFC 6455 §8.1), and close frames (§5.5.1, §7.4).
    package var fault: String? {
        // The end of one that was cut may be in the middle of a character, or of a code.
        guard !isCut else { return nil }
        return switch kind {
        case .text where String(validating: data, as: UTF8.self) == nil: "this text is not UTF-8"
        case .close: closeFault
        default: nil
        }
    }

    private var closeFault: String? {
        guard data.count >= 2 else { return data.isEmpty ? nil : "a close has no code, or one of two bytes" }
        let code = Int(data[0]) << 8 | Int(data[1])
        switch code {
        case 1005: return "code 1005 stands for a close without a code, and may not be sent"
        case 1006: return "code 1006 stands for an end without a close, and may not be sent"
        case 1015: return "code 1015 stands for a failed TLS handshake, and may not be sent"
        // IANA's registry has 1000 to 1003 and 1007 to 1014; 3000 to 4999 are free for libraries and applications.
        case 1000...1003, 1007...1014, 3000...4999: break
        default: return "close code \(code) is not defined"
        }
        return String(validating: data[2...], as: UTF8.self) == nil ? "the reason of this close is not UTF-8" : nil
    }
}
