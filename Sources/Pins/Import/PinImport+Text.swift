import Facts

extension PinImport {
    /// For a terminal: each file, its entries with their lines, and the notes below.
    package var text: String {
        var out = ""
        for file in files {
            out += "\(Printable.escaped(file.path)) (\(file.format.rawValue))\n"
            if file.hosts.isEmpty { out += "  no pins\n" }
            let digits = String(file.hosts.map(\.line).max() ?? 0).count
            for host in file.hosts {
                let patterns = host.patterns.map { Printable.excerpt($0) }.joined(separator: ", ")
                let line = String(repeating: " ", count: max(0, digits - String(host.line).count)) + "\(host.line)"
                out += "  \(line)  \(patterns.isEmpty ? "a host that is not named" : patterns)\n"
                let indent = String(repeating: " ", count: digits + 6)
                for words in Self.properties(host) { out += indent + words + "\n" }
            }
            for note in notes where note.file == file.path {
                out += "  line \(note.note.line): \(Printable.escaped(note.note.text))\n"
            }
        }
        return out
    }

    private static func properties(_ host: DeclaredHost) -> [String] {
        guard host.isPinned else { return ["not pinned"] }
        var lines = host.pins.map { pin in
            let part = pin.part == .any ? "" : pin.part == .leaf ? "  leaf" : "  ca"
            return Printable.excerpt(pin.name) + part + (pin.digest == nil ? "  malformed, matches nothing" : "")
        }
        if !host.pinsKnown { lines.append("other pins are not at hand") }
        if !host.isEnforced { lines.append("reported only: the connection goes on") }
        if let expires = host.expires { lines.append("off from \(expires) on") }
        return lines
    }
}
