import Facts

/// Bytes as code writes them: decoded from a text, or number by number.
enum SourceBytes {
    /// With the text of the digest, and its line.
    case bytes([UInt8], text: String, line: Int)
    /// Whatever decodes it throws.
    case malformed(String, line: Int)
    case unknown(String, line: Int)

    init(_ item: SourceItem) {
        switch item.value {
        case .list(let items):
            self = Self.numbers(items, line: item.line) ?? .unknown(item.shown, line: item.line)
        case .call(let call):
            self = Self.decoded(call, line: item.line) ?? .unknown(item.shown, line: item.line)
        default:
            self = .unknown(item.shown, line: item.line)
        }
    }

    private static func numbers(_ items: [SourceItem], line: Int) -> SourceBytes? {
        let bytes = items.map { item -> UInt8? in
            var item = item
            // `0x9f.toByte()`; a cast has left its number alone.
            if let call = item.call, ["toByte", "toUByte"].contains(call.method), let receiver = call.receiver {
                item = receiver
            }
            guard case .number(let number) = item.value, (-128...255).contains(number) else { return nil }
            return UInt8(truncatingIfNeeded: number)
        }
        guard bytes.allSatisfy({ $0 != nil }) else { return nil }
        let known = bytes.compactMap { $0 }
        return .bytes(known, text: Base64.encode(known), line: line)
    }

    /// `Base64.decode(x, …)`, `getDecoder().decode(x)`, `x.decodeBase64()`, `hexToBytes(x)`, `byteArrayOf(…)`.
    private static func decoded(_ call: SourceCall, line: Int) -> SourceBytes? {
        let method = call.method.lowercased()
        if method == "bytearrayof" || method == "ubytearrayof" {
            return numbers(call.arguments.map(\.item), line: line)
        }
        // What is done with the bytes does not change them.
        if ["tobytearray", "asbytearray", "copyof", "clone"].contains(method), let receiver = call.receiver,
            receiver.text == nil
        {
            return SourceBytes(receiver)
        }
        let texts = [call.receiver].compactMap { $0 } + call.arguments.map(\.item)
        guard let text = texts.first(where: { $0.text != nil }), let value = text.text else { return nil }
        if method.contains("hex") {
            guard let bytes = Fingerprint.bytes(value) else { return .malformed(value, line: text.line) }
            return .bytes(bytes, text: value, line: text.line)
        }
        let isBase64 = call.name.lowercased().contains("base64") || call.argument("base64Encoded") != nil
        guard isBase64 || method == "decode" else { return nil }
        // Android's decoder passes over white space, and takes the padding or not.
        let plain = value.utf8.filter { $0 > 32 }
        guard let bytes = Base64.decoded(Array(plain)[...]) else { return .malformed(value, line: text.line) }
        return .bytes(bytes, text: value, line: text.line)
    }
}

/// Hexadecimal digits as people write fingerprints.
enum Fingerprint {
    /// With colons, white space and hyphens left out; nil where anything else is in it, or half a byte.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: ":") && $0 > 32 && $0 != UInt8(ascii: "-") }
        guard digits.count % 2 == 0, !digits.isEmpty else { return nil }
        var out: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = digit - UInt8(ascii: "A") + 10
            default: return nil
            }
            if let first = high {
                out.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return out
    }
}
