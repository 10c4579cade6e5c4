/// Products that put certificates of their own in place of origins'.
package enum KnownInterceptors {
    /// As their roots are named, in lower case, and as people call them. Names that public CAs have too are none.
    private static let names: [(part: String, name: String)] = [
        ("zscaler", "Zscaler"), ("netskope", "Netskope"), ("goskope", "Netskope"), ("fortinet", "Fortinet"),
        ("fortigate", "Fortinet"), ("palo alto networks", "Palo Alto Networks"), ("bluecoat", "Blue Coat"),
        ("blue coat", "Blue Coat"), ("cisco umbrella", "Cisco Umbrella"),
        ("gateway ca - cloudflare", "Cloudflare Gateway"),
        ("sophos", "Sophos"), ("kaspersky", "Kaspersky"), ("avast", "Avast"), ("avg web", "AVG"),
        ("eset ssl filter", "ESET"), ("bitdefender", "Bitdefender"), ("mcafee web gateway", "McAfee Web Gateway"),
        ("skyhigh", "Skyhigh"), ("check point", "Check Point"), ("barracuda", "Barracuda"),
        ("forcepoint", "Forcepoint"),
        ("websense", "Forcepoint"), ("watchguard", "WatchGuard"), ("sonicwall", "SonicWall"),
        ("smoothwall", "Smoothwall"),
        ("untangle", "Untangle"), ("iboss", "iboss"), ("lightspeed", "Lightspeed"), ("adguard", "AdGuard"),
        ("charles proxy", "Charles"), ("mitmproxy", "mitmproxy"), ("proxyman", "Proxyman"), ("portswigger", "Burp"),
        ("do_not_trust_fiddlerroot", "Fiddler"), ("http toolkit", "HTTP Toolkit"), ("zed attack proxy", "ZAP"),
        ("pinproof", "another pinproof"),
    ]

    /// - Parameter issuer: RFC 4514.
    package static func name(in issuer: String) -> String? {
        let issuer = issuer.lowercased()
        return names.first { issuer.contains($0.part) }?.name
    }
}
