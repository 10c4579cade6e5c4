import Facts

/// `res/xml/network_security_config.xml`, with TrustKit's part or without.
enum AndroidConfigWriter {
    static func text(_ hosts: [DeclaredHost], _ notes: [String], withTrustKit: Bool) -> String {
        var out = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + ExportComment.xml(notes)
        if withTrustKit, hosts.contains(where: { $0.isPinned && !$0.isEnforced }) {
            out += ExportComment.xml([
                "Android itself enforces a pin-set from version 7 on, whatever enforcePinning says to TrustKit"
            ])
        }
        out += "<network-security-config>\n"
        for host in hosts {
            out +=
                "    <domain-config>\n        <domain includeSubdomains=\"\(host.coversBelow)\">\(host.domain ?? "")</domain>\n"
            if host.isPinned {
                let day = host.expires.map { " expiration=\"\($0)\"" } ?? ""
                out += "        <pin-set\(day)>\n"
                for pin in host.base64Pins { out += "            <pin digest=\"SHA-256\">\(pin)</pin>\n" }
                out += "        </pin-set>\n"
                if withTrustKit { out += "        <trustkit-config enforcePinning=\"\(host.isEnforced)\" />\n" }
            } else {
                out += ExportComment.xml(["not pinned: without this entry, a wider one would be its"], indent: 8)
            }
            out += "    </domain-config>\n"
        }
        return out + "</network-security-config>\n"
    }
}
