import Facts

/// Text from a profile as it may be shown: on one line, bounded, without terminal escapes.
func printable(_ text: String) -> String { Printable.excerpt(text) }

func quoted(_ text: String) -> String { "\"\(printable(text))\"" }

func codePoint(_ scalar: Unicode.Scalar) -> String {
    let hex = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
}

/// A host rule as it would stand in a profile; patterns need quotes.
func ruleExample(_ host: String, _ expect: String = "refuse") -> String {
    let key = host.hasPrefix("*") ? quoted(host) : printable(host)
    return "\(key): { expect: \(expect) }"
}
