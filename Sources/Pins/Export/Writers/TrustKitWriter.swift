/// TrustKit's configuration in an Info.plist.
enum TrustKitWriter {
    static func text(_ hosts: [DeclaredHost], _ notes: [String]) -> String {
        // TrustKit raises an exception at a configuration without a domain: the app would not start.
        guard !hosts.isEmpty else { return PropertyListText.wrapped("", notes) }
        var out = "    <key>TSKConfiguration</key>\n    <dict>\n"
        out += ExportComment.xml(
            ["false, and pins are checked only where the app's delegates ask TrustKit's validator"], indent: 8)
        out += "        <key>TSKSwizzleNetworkDelegates</key>\n        <true/>\n"
        out += "        <key>TSKPinnedDomains</key>\n        <dict>\n"
        for host in hosts {
            out += "            <key>\(host.domain ?? "")</key>\n            <dict>\n"
            if host.isPinned {
                out += flag("TSKIncludeSubdomains", host.coversBelow) + flag("TSKEnforcePinning", host.isEnforced)
                if let day = host.expires {
                    out += "                <key>TSKExpirationDate</key>\n                <string>\(day)</string>\n"
                }
                out += "                <key>TSKPublicKeyHashes</key>\n                <array>\n"
                for pin in host.base64Pins { out += "                    <string>\(pin)</string>\n" }
                out += "                </array>\n"
            } else {
                out += flag("TSKExcludeSubdomainFromParentPolicy", true)
            }
            out += "            </dict>\n"
        }
        return PropertyListText.wrapped(out + "        </dict>\n    </dict>\n", notes)
    }

    private static func flag(_ name: String, _ value: Bool) -> String {
        "                <key>\(name)</key>\n                <\(value)/>\n"
    }
}
