import Facts

/// What to do where a name that was typed is none that a server can be called by.
package enum HostHints {
    /// nil where nothing better can be said than that it is no host.
    package static func hint(for text: String) -> String? {
        let host = text.drop { $0 == "*" || $0 == "." }
        if text.hasPrefix("*"), HostName(host) != nil {
            return "a wildcard is no server: name one that it stands for, such as www.\(host); "
                + "all of them may have the same key"
        }
        guard text.unicodeScalars.contains(where: { !$0.isASCII }) else { return nil }
        return
            "give an international name as certificates have it, by its A-label (xn--...), which the program idn2 prints"
    }
}
