/// `Public-Key-Pins` headers (RFC 7469), one for each host.
enum HPKPWriter {
    /// Seconds; RFC 7469 §4.1 speaks of 60 days as a fair bound.
    static let maxAge = 5_184_000

    static func text(_ hosts: [DeclaredHost], _ notes: [String]) -> String {
        var out = ExportComment.lines(notes, "#")
        out += "# No browser reads these headers any more: for clients of your own that do.\n"
        for host in hosts where host.isPinned {
            let pins = host.base64Pins.map { "pin-sha256=\"\($0)\"; " }.joined()
            out +=
                "# of \(host.domain ?? "")\nPublic-Key-Pins\(host.isEnforced ? "" : "-Report-Only"): \(pins)max-age=\(maxAge)"
            out += host.coversBelow ? "; includeSubDomains\n" : "\n"
        }
        return out
    }
}
