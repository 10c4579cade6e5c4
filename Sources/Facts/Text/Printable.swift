/// Text that may come from a client or an origin, made safe to put before a person.
package enum Printable {
    /// `text` with every control, format, private or unassigned character written as `\u{…}`: nothing in it can
    /// move a cursor, reverse the reading direction, hide, or begin a line of its own.
    package static func escaped(_ text: String) -> String {
        escaped(text) { $0.isPrintable }
    }

    /// The same, cut where it is too long for one line of a log: long enough for any host name's telling part and for a
    /// pin. Of a PEM block (RFC 7468) its label alone: it may be a key that was named in another file's place.
    package static func excerpt(_ text: String, limit: Int = 100) -> String {
        let scalars = text.unicodeScalars
        let shown = scalars.count > limit ? String(String.UnicodeScalarView(scalars.prefix(limit))) : text
        if let block = shown.firstRange(of: "-----BEGIN ") {
            let label = shown[block.upperBound...].prefix { $0 != "-" && !$0.isNewline }
            return escaped(String(shown[..<block.upperBound]) + label) + "-----…"
        }
        return escaped(shown) + (scalars.count > limit ? "…" : "")
    }

    /// The same, for a caller that knows better what its reader can show.
    package static func escaped(_ text: String, keeping isKept: (Unicode.Scalar) -> Bool) -> String {
        guard !text.unicodeScalars.allSatisfy(isKept) else { return text }
        var out = ""
        for scalar in text.unicodeScalars {
            if isKept(scalar) {
                out.unicodeScalars.append(scalar)
            } else {
                out += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return out
    }
}

extension Unicode.Scalar {
    /// It has a meaning of its own to a reader: neither control nor format character, assigned, not a line break.
    package var isPrintable: Bool {
        if value < 0x7f { return value >= 0x20 }
        return switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
