import Facts

/// A pin as OkHttp reads it (CertificatePinner.kt, class Pin; Okio's Base64.kt).
enum OkHttpPin {
    /// - Throws: what OkHttp throws.
    static func read(_ text: String, line: Int) throws(OkHttpPattern.Refusal) -> DeclaredPin {
        let kind: DeclaredPin.Kind
        if text.hasPrefix("sha256/") {
            kind = .spkiSHA256
        } else if text.hasPrefix("sha1/") {
            kind = .spkiSHA1
        } else {
            throw OkHttpPattern.Refusal(why: "a pin begins with sha256/ or sha1/")
        }
        let hash = String(text.dropFirst(kind == .spkiSHA256 ? 7 : 5))
        guard let bytes = decoded(hash) else {
            throw OkHttpPattern.Refusal(why: "what follows \(kind == .spkiSHA256 ? "sha256/" : "sha1/") is no base64")
        }
        return DeclaredPin(kind, text: hash, digest: bytes.count == kind.size ? bytes : nil, line: line)
    }

    /// Okio takes both alphabets, white space anywhere, and any number of padding characters at the end.
    static func decoded(_ text: String) -> [UInt8]? {
        let spaces = Set("\n\r \t".utf8)
        var bytes = Array(text.utf8)
        while let last = bytes.last, last == UInt8(ascii: "=") || spaces.contains(last) { bytes.removeLast() }
        let plain = bytes.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: spaces.contains(byte) ? nil : byte
            }
        }
        return plain.contains(UInt8(ascii: "=")) ? nil : Base64.decoded(plain[...])
    }
}
