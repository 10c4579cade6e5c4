import Facts

/// A pattern of `CertificatePinner`, as OkHttp reads it since 4.3 (CertificatePinner.kt).
struct OkHttpPattern: Equatable {
    var domain: String
    var reach: DeclaredHost.Reach

    /// What OkHttp throws, which ends the app where its client is made.
    struct Refusal: Error, Equatable {
        var why: String
    }

    init(_ text: String) throws(Refusal) {
        let stars = text.utf8.count { $0 == UInt8(ascii: "*") }
        let isOne = text.hasPrefix("*.") && stars == 1
        let isTwo = text.hasPrefix("**.") && stars == 2
        guard isOne || isTwo || stars == 0 else {
            throw Refusal(why: "an asterisk stands only in *. or **. at the beginning of a pattern")
        }
        let bare = String(text.dropFirst(isTwo ? 3 : isOne ? 2 : 0))
        guard let host = Self.canonical(bare, maximum: isTwo ? 250 : isOne ? 251 : 253) else {
            throw Refusal(
                why: bare.contains("/") || bare.contains(":")
                    ? "a pattern is a host alone, without scheme, port and path" : "it is no host name")
        }
        domain = host
        reach = isTwo ? [.itself, .descendants] : isOne ? .children : .itself
        // A client's host has its dot at the end only where the URL has it: such a pattern is never met.
        if domain.hasSuffix(".") {
            domain.removeLast()
            reach = []
        }
    }

    /// As OkHttp canonicalises it: lower case, IDNA, IPv6 in its short form (-HostnamesCommon.kt, toCanonicalHost).
    static func canonical(_ text: String, maximum: Int = 253) -> String? {
        if text.utf8.contains(UInt8(ascii: ":")) {
            let bare = text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text[...]
            return IPAddress(bare)?.unmapped.description
        }
        guard let ascii = Punycode.host(text), !ascii.isEmpty, ascii.utf8.count <= maximum else { return nil }
        let forbidden = Set(" #%/:?@[\\]".utf8)
        guard ascii.utf8.allSatisfy({ $0 > 0x1f && $0 < 0x7f && !forbidden.contains($0) }) else { return nil }
        var labels = ascii.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        return labels.allSatisfy { (1...63).contains($0.utf8.count) } ? ascii : nil
    }
}

/// Host names that are not ASCII (RFC 3492, RFC 5891 §4), in lower case.
enum Punycode {
    /// nil where a label cannot be encoded. Names are taken to be in normal form C, as keyboards give them.
    static func host(_ text: String) -> String? {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.lowercased() }
        let labels = text.lowercased().split(whereSeparator: { $0 == "." || $0 == "。" || $0 == "．" })
        var out: [String] = []
        for label in labels {
            guard label.utf8.count <= 252, let encoded = encode(label.unicodeScalars.map(\.value)) else { return nil }
            out.append(encoded)
        }
        return out.joined(separator: ".")
    }

    private static func encode(_ scalars: [UInt32]) -> String? {
        let basic = scalars.filter { $0 < 0x80 }
        var out = basic.compactMap { Unicode.Scalar($0).map(Character.init) }
        guard basic.count < scalars.count else { return String(out) }
        if !basic.isEmpty { out.append("-") }
        var (n, delta, bias) = (UInt32(128), 0, 72)
        var handled = basic.count
        while handled < scalars.count {
            guard let next = scalars.filter({ $0 >= n }).min() else { return nil }
            // At most 252 scalars, each below 2^21: no product is near the bounds of an Int.
            delta += Int(next - n) * (handled + 1)
            n = next
            for scalar in scalars {
                if scalar < n { delta += 1 }
                guard scalar == n else { continue }
                var (rest, step) = (delta, 36)
                while true {
                    let threshold = min(max(step - bias, 1), 26)
                    guard rest >= threshold else { break }
                    out.append(digit(threshold + (rest - threshold) % (36 - threshold)))
                    rest = (rest - threshold) / (36 - threshold)
                    step += 36
                }
                out.append(digit(rest))
                bias = adapted(delta, handled + 1, isFirst: handled == basic.count)
                delta = 0
                handled += 1
            }
            delta += 1
            n += 1
        }
        return "xn--" + String(out)
    }

    private static func digit(_ value: Int) -> Character {
        Character(UnicodeScalar(UInt8(truncatingIfNeeded: value < 26 ? value + 97 : value + 22)))
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var step = 0
        while delta > 455 {
            delta /= 35
            step += 36
        }
        return step + 36 * delta / (delta + 38)
    }
}
