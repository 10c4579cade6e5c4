/// A distinguished name as RFC 4514 writes it, as far as CAs are told apart by it.
struct DistinguishedName: Hashable {
    private(set) var commonName: String?
    private(set) var organisation: String?
    private(set) var unit: String?

    /// The common name, or the unit where the common name says only the organisation (GlobalSign's older roots).
    var label: String {
        if let commonName, !commonName.isEmpty, commonName != organisation { return commonName }
        return unit ?? commonName ?? organisation ?? ""
    }

    /// The first of each kind counts; `+` and `,` both part, as in `CN=…+OU=…`.
    init(_ text: String) {
        for part in Self.parts(text) {
            guard let equals = part.firstIndex(of: "=") else { continue }
            let value = String(part[part.index(after: equals)...])
            switch part[..<equals].uppercased() {
            case "CN": commonName = commonName ?? value
            case "O": organisation = organisation ?? value
            case "OU": unit = unit ?? value
            default: break
            }
        }
    }

    /// Parted and unescaped; `\,` and `\2C` are a comma that parts nothing (RFC 4514 §2.4).
    private static func parts(_ text: String) -> [String] {
        var parts: [String] = []
        var part: [UInt8] = []
        let bytes = Array(text.utf8)
        var at = 0
        func close() {
            parts.append(String(decoding: part, as: UTF8.self).trimmingBlanks)
            part = []
        }
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\\") where at + 1 < bytes.count:
                if at + 2 < bytes.count, let byte = hex(bytes[at + 1], bytes[at + 2]) {
                    part.append(byte)
                    at += 3
                } else {
                    part.append(bytes[at + 1])
                    at += 2
                }
                continue
            case UInt8(ascii: ","), UInt8(ascii: "+"): close()
            default: part.append(bytes[at])
            }
            at += 1
        }
        close()
        return parts
    }

    private static func hex(_ high: UInt8, _ low: UInt8) -> UInt8? {
        guard let high = Character(UnicodeScalar(high)).hexDigitValue,
            let low = Character(UnicodeScalar(low)).hexDigitValue
        else { return nil }
        return UInt8(truncatingIfNeeded: high << 4 | low)
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        var text = self[...]
        while text.first == " " { text = text.dropFirst() }
        while text.last == " " { text = text.dropLast() }
        return String(text)
    }
}
