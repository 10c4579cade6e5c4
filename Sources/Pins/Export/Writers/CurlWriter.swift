import Facts

/// A command line of curl for each host.
enum CurlWriter {
    static func text(_ hosts: [DeclaredHost], _ notes: [String]) -> String {
        var out = "#!/bin/sh\n" + ExportComment.lines(notes, "#")
        for host in hosts where host.isPinned {
            let pins = host.base64Pins.map { "sha256//\($0)" }.joined(separator: ";")
            out += "curl --pinnedpubkey '\(pins)' '\(url(host.domain ?? ""))'\n"
        }
        return out
    }

    static func url(_ domain: String) -> String { "https://\(domain.contains(":") ? "[\(domain)]" : domain)/" }
}
