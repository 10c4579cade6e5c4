/// Kotlin for OkHttp's `CertificatePinner`.
enum OkHttpWriter {
    static func text(_ hosts: [DeclaredHost], _ notes: [String]) -> String {
        var out = "import okhttp3.CertificatePinner\n\n" + ExportComment.lines(notes, "//")
        out += "// For OkHttpClient.Builder().certificatePinner(certificatePinner).\n"
        if hosts.contains(where: { $0.reach.contains(.descendants) }) {
            out += "// \"**.\" needs OkHttp 4.3 or later, and matches the domain itself, too.\n"
        }
        out += "val certificatePinner: CertificatePinner = CertificatePinner.Builder()\n"
        for host in hosts where host.isPinned {
            for pattern in patterns(host) {
                let arguments = ([pattern] + host.pinNames).map { "        \"\($0)\"" }
                out += "    .add(\n\(arguments.joined(separator: ",\n"))\n    )\n"
            }
        }
        return out + "    .build()\n"
    }

    private static func patterns(_ host: DeclaredHost) -> [String] {
        host.reach.contains(.descendants) ? host.patterns.filter { $0.hasPrefix("**.") } : host.patterns
    }
}
