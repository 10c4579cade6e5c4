/// Text from a profile as it may be shown: on one line, bounded, without terminal escapes.
func printable(_ text: String) -> String {
    // Long enough for any host name's telling part and for a pin; a line of a CI log stays readable.
    let limit = 100
    var out = ""
    for scalar in text.unicodeScalars.prefix(limit) {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            out += "\\u{\(String(scalar.value, radix: 16))}"
        default: out.unicodeScalars.append(scalar)
        }
    }
    return text.unicodeScalars.count > limit ? out + "…" : out
}

func quoted(_ text: String) -> String { "\"\(printable(text))\"" }

func codePoint(_ scalar: Unicode.Scalar) -> String {
    let hex = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
}

/// `a, b or c`.
func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
}

/// A host rule as it would stand in a profile; patterns need quotes.
func ruleExample(_ host: String, _ expect: String = "refuse") -> String {
    let key = host.hasPrefix("*") ? quoted(host) : printable(host)
    return "\(key): { expect: \(expect) }"
}
