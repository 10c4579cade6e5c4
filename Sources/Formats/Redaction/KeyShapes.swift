/// Keys that are known by their looks, wherever they stand.
///
/// JWTs, what follows `Bearer` and `Basic`, PEM private keys, and keys of AWS, GitHub, GitLab, Slack, Stripe, Google,
/// OpenAI, Anthropic, SendGrid, npm, PyPI, Docker, DigitalOcean, Hugging Face, Shopify, Linear and age.
enum KeyShapes {
    private struct Prefix {
        var text: [UInt8]
        /// Bytes that follow at least.
        var least: Int

        init(_ text: String, _ least: Int) {
            self.text = Array(text.utf8)
            self.least = least
        }
    }

    private static let prefixes: [UInt8: [Prefix]] = Dictionary(
        grouping: [
            Prefix("AKIA", 16), Prefix("ASIA", 16), Prefix("AIza", 30), Prefix("AGE-SECRET-KEY-1", 20),
            Prefix("ghp_", 20), Prefix("gho_", 20), Prefix("ghu_", 20), Prefix("ghs_", 20), Prefix("ghr_", 20),
            Prefix("github_pat_", 20), Prefix("glpat-", 16), Prefix("xoxb-", 10), Prefix("xoxp-", 10),
            Prefix("xoxa-", 10), Prefix("xoxr-", 10), Prefix("xoxs-", 10), Prefix("xoxe-", 10), Prefix("xoxe.", 10),
            Prefix("xoxc-", 10), Prefix("xoxd-", 10), Prefix("xapp-", 10), Prefix("sk_live_", 10),
            Prefix("sk_test_", 10), Prefix("rk_live_", 10), Prefix("rk_test_", 10), Prefix("whsec_", 16),
            Prefix("sk-", 20), Prefix("ya29.", 16), Prefix("SG.", 30), Prefix("npm_", 30), Prefix("dop_v1_", 32),
            Prefix("hf_", 30), Prefix("shpat_", 24), Prefix("shpss_", 24), Prefix("shpca_", 24),
            Prefix("lin_api_", 24), Prefix("dckr_pat_", 20), Prefix("pypi-Ag", 30),
        ], by: { $0.text[0] })

    private static let triggers: [Bool] = (0..<256).map { byte in
        let byte = UInt8(byte)
        return prefixes[byte] != nil || "eBb-".utf8.contains(byte)
    }

    /// Of a JWT's first part, so that text that keeps beginning one does not take the square of its length.
    private static let headLimit = 2048

    /// A run of bytes that names are made of, with its dots.
    ///
    /// It is found once for all tokens that may begin in it.
    private struct Run {
        var end = 0
        var dots: [Int] = []
        /// Of the dots, the first that is not before the place that was asked for last.
        var next = 0

        /// - Parameter at: a place of such a byte, not before the one that was asked for last.
        mutating func move(to at: Int, in bytes: [UInt8]) {
            if at >= end {
                dots = []
                next = 0
                end = at
                while end < bytes.count, bytes[end].isNameByte {
                    if bytes[end] == UInt8(ascii: ".") { dots.append(end) }
                    end += 1
                }
            }
            while next < dots.count, dots[next] < at { next += 1 }
        }
    }

    /// Their places, in order.
    static func places(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var run = Run()
        var at = 0
        while at < bytes.count {
            guard triggers[Int(bytes[at])], let place = place(in: bytes, at: at, &run) else {
                at += 1
                continue
            }
            found.append(place)
            at = max(place.upperBound, at + 1)
        }
        return found
    }

    private static func place(in bytes: [UInt8], at: Int, _ run: inout Run) -> Range<Int>? {
        if bytes[at] == UInt8(ascii: "-") { return privateKey(in: bytes, at: at) }
        if at > 0, bytes[at - 1].isAlphanumeric {
            // An escape of JSON may end in a letter: `\n` before a key.
            guard at > 1, bytes[at - 2] == UInt8(ascii: "\\") else { return nil }
        }
        switch bytes[at] {
        case UInt8(ascii: "e"): return token(in: bytes, at: at, &run)
        case UInt8(ascii: "B"), UInt8(ascii: "b"): return credentials(in: bytes, at: at)
        default: break
        }
        for prefix in prefixes[bytes[at]] ?? [] where bytes[at...].starts(with: prefix.text) {
            let end = Self.run(in: bytes, from: at + prefix.text.count) { $0.isNameByte }
            if end - at - prefix.text.count >= prefix.least { return at..<end }
        }
        return nil
    }

    /// A JWT (RFC 7519 §3.1) or JWE: parts of base64url, the first an object.
    private static func token(in bytes: [UInt8], at: Int, _ run: inout Run) -> Range<Int>? {
        guard bytes[at...].starts(with: "eyJ".utf8) else { return nil }
        run.move(to: at, in: bytes)
        let dots = run.dots[run.next...]
        guard let first = dots.first, (10..<headLimit).contains(first - at) else { return nil }
        let second = (first + 1)..<(dots.dropFirst().first ?? run.end)
        guard second.count >= 4 || dots.count == 4 else { return nil }
        guard dots.count >= 2 || bytes[second].starts(with: "eyJ".utf8) else { return nil }
        return at..<run.end
    }

    /// What follows `Bearer` or `Basic`.
    private static func credentials(in bytes: [UInt8], at: Int) -> Range<Int>? {
        let isBearer = has("bearer", in: bytes, at: at)
        guard isBearer || has("basic", in: bytes, at: at) else { return nil }
        var start = at + (isBearer ? 6 : 5)
        let isEncoded = bytes[start...].starts(with: "%20".utf8)
        if isEncoded { start += 3 } else { start = run(in: bytes, from: start) { $0 == 0x20 || $0 == 0x09 } }
        // `bearer.TOKEN` in the protocols of a WebSocket.
        let isDotted = isBearer && start == at + 6 && start < bytes.count && bytes[start] == UInt8(ascii: ".")
        if isDotted { start += 1 }
        guard start > at + (isBearer ? 6 : 5) else { return nil }
        func isPart(_ byte: UInt8) -> Bool { byte.isNameByte || "~+/=%".utf8.contains(byte) }
        // A few bytes tell whether it is worth the rest.
        guard isBearer || bytes[start...].prefix(8).allSatisfy(isPart) else { return nil }
        let end =
            isBearer
            ? run(in: bytes, from: start, while: isPart)
            : start + bytes[start...].prefix(4096).prefix(while: isPart).count
        let value = bytes[start..<end]
        guard value.count >= (isDotted ? 16 : 8) else { return nil }
        guard isBearer else {
            // `Basic authentication` is a word; what decodes to `name:password` is none.
            let plain = FormFields.decoded(value.prefix(512), plusIsSpace: false)
            return Base64Text.decoded(plain.prefix(plain.count > 384 ? 384 : plain.count))?.contains(UInt8(ascii: ":"))
                == true ? start..<end : nil
        }
        let isWord = value.count < 16 && value.allSatisfy { (0x61...0x7a).contains($0 | 0x20) }
        // `Bearer realm=` and its like are parameters.
        return isWord || value.contains(UInt8(ascii: "=")) && value.last == UInt8(ascii: "=") && value.count < 24
            ? nil : start..<end
    }

    /// From behind its first line to before its last.
    private static func privateKey(in bytes: [UInt8], at: Int) -> Range<Int>? {
        guard bytes[at...].starts(with: "-----BEGIN ".utf8) else { return nil }
        let end = run(in: bytes, from: at + 11) { $0.isAlphanumeric || $0 == 0x20 }
        guard bytes[(at + 11)..<end].suffix(11) == Array("PRIVATE KEY".utf8)[...],
            bytes[end...].starts(with: "-----".utf8)
        else { return nil }
        let start = end + 5
        // To the end where it does not end: the rest may be all key.
        var stop = start
        while stop < bytes.count, !bytes[stop...].starts(with: "-----END".utf8) {
            stop += 1
        }
        return start < stop && bytes[start..<stop] != Edits.mark[...] ? start..<stop : nil
    }

    private static func has(_ word: StaticString, in bytes: [UInt8], at: Int) -> Bool {
        let count = word.utf8CodeUnitCount
        guard at + count < bytes.count else { return false }
        return bytes[at..<(at + count)].lazy.map { $0 | 0x20 }.elementsEqual(word.description.utf8)
    }

    private static func run(in bytes: [UInt8], from start: Int, while isPart: (UInt8) -> Bool) -> Int {
        var end = start
        while end < bytes.count, isPart(bytes[end]) { end += 1 }
        return end
    }
}
