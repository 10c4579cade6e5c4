import Facts

/// Dart for `http_certificate_pinning`, which compares the leaf's fingerprint.
enum FlutterWriter {
    static func text(_ hosts: [DeclaredHost], _ notes: [String]) -> String {
        var out = "import 'package:http_certificate_pinning/http_certificate_pinning.dart';\n\n"
        out += ExportComment.lines(notes, "//")
        out += "// SHA-256 of whole certificates: each renewal needs a new one here before it is deployed.\n"
        out += "// The check is a connection of its own, and says nothing of those that follow it.\n"
        out += "Future<void> checkPins() async {\n"
        for host in hosts where host.isPinned {
            let prints = host.pins.filter { $0.kind == .certificateSHA256 }.compactMap(\.digest).map {
                Hex.encode($0).uppercased()
            }
            out += "  await HttpCertificatePinning.check(\n    serverURL: '\(CurlWriter.url(host.domain ?? ""))',\n"
            out += "    headerHttp: {},\n    sha: SHA.SHA256,\n    allowedSHAFingerprints: [\n"
            for fingerprint in prints.uniqued() { out += "      '\(fingerprint)',\n" }
            out += "    ],\n    timeout: 50,\n  );\n"
        }
        return out + "}\n"
    }
}
