import Facts

/// Kotlin for Cronet's `addPublicKeyPins`.
enum CronetWriter {
    static func text(_ hosts: [DeclaredHost], _ notes: [String]) -> String {
        var out = "import android.util.Base64\nimport java.util.Date\nimport org.chromium.net.CronetEngine\n\n"
        out += ExportComment.lines(notes, "//")
        out += "fun addPins(builder: CronetEngine.Builder): CronetEngine.Builder =\n    builder\n"
        out +=
            "        // True is the default: with it, a root that the device's owner has added is not held to any pin.\n"
        out += "        .enablePublicKeyPinningBypassForLocalTrustAnchors(false)\n"
        for host in hosts where host.isPinned {
            let day = host.expires ?? ExportFitting.never
            let pins = host.base64Pins.map { "                Base64.decode(\"\($0)\", Base64.DEFAULT)" }
            out += "        .addPublicKeyPins(\n            \"\(host.domain ?? "")\",\n            setOf(\n"
            out += pins.joined(separator: ",\n") + "\n            ),\n            \(host.coversBelow),\n"
            out += "            Date(\(day.daysSince1970 * 86_400_000)L) // \(day)\n        )\n"
        }
        return out
    }
}
