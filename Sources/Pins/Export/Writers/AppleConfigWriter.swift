/// `NSPinnedDomains` of an Info.plist.
enum AppleConfigWriter {
    static func text(_ hosts: [DeclaredHost], _ notes: [String]) -> String {
        var out =
            "    <key>NSAppTransportSecurity</key>\n    <dict>\n        <key>NSPinnedDomains</key>\n        <dict>\n"
        for host in hosts where host.isPinned {
            out += "            <key>\(host.domain ?? "")</key>\n            <dict>\n"
            if host.coversBelow {
                out += "                <key>NSIncludesSubdomains</key>\n                <true/>\n"
            }
            for (name, part): (String, DeclaredPin.Part) in [
                ("NSPinnedLeafIdentities", .leaf), ("NSPinnedCAIdentities", .ca),
            ] {
                var list = host
                list.pins = host.pins.filter { $0.part == part }
                guard !list.base64Pins.isEmpty else { continue }
                out += "                <key>\(name)</key>\n                <array>\n"
                for pin in list.base64Pins {
                    out += "                    <dict>\n                        <key>SPKI-SHA256-BASE64</key>\n"
                    out += "                        <string>\(pin)</string>\n                    </dict>\n"
                }
                out += "                </array>\n"
            }
            out += "            </dict>\n"
        }
        return PropertyListText.wrapped(out + "        </dict>\n    </dict>\n", notes)
    }
}
