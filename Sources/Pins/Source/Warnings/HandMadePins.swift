import Facts

/// Pins that code of the app's own compares, in a way that no reader follows.
///
/// They are told, so that nobody takes them for read.
enum HandMadePins {
    /// Where such a comparison stands: a challenge of Apple's, a trust manager or a verifier of Java's.
    private static let marks = [
        "URLAuthenticationChallenge", "NSURLAuthenticationChallenge", "checkServerTrusted", "HostnameVerifier",
    ]
    /// What of Apple's has such a challenge elsewhere: where something is hashed as well, pins are compared.
    private static let delegates = [
        "URLSessionDelegate", "URLSessionTaskDelegate", "NSURLSessionDelegate", "NSURLSessionTaskDelegate",
        "SecTrustCopyKey", "SecTrustCopyPublicKey", "SecCertificateCopyKey", "SecKeyCopyExternalRepresentation",
    ]
    private static let hashes = ["CC_SHA256", "SHA256", "CC_SHA256_DIGEST_LENGTH"]
    static let words = marks + delegates
    /// Notes of one file; who has more has seen enough.
    private static let limit = 8

    static func notes(in code: SourceEvaluator) -> [PinNote] {
        let isHashed = hashes.contains { code.index.has($0) } && delegates.contains { code.index.has($0) }
        guard isHashed || marks.contains(where: { code.index.has($0) }) else { return [] }
        var notes: [PinNote] = []
        for place in code.source.tokens.indices where notes.count < limit && code.spend() {
            guard let text = code.source.constant(at: place), isPin(text), !DebugGuard.holds(at: place, code) else {
                continue
            }
            notes.append(
                PinNote(
                    .unresolved, line: code.source.line(place),
                    "\"\(Printable.excerpt(text))\" looks like a pin that the app's own code compares: it is not read, and "
                        + "neither are its hosts"))
        }
        return notes
    }

    /// The base64 of 32 bytes, with or without a prefix.
    private static func isPin(_ text: String) -> Bool {
        let bare = text.hasPrefix("sha256/") ? String(text.dropFirst(7)) : text
        return bare.utf8.count == 44 && DeclaredPin(base64: bare, line: 1).digest != nil
    }
}
