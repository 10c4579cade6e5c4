import Facts

/// Reads a network security config by the rules of Android's own parser.
///
/// AOSP, android/security/net/config/XmlConfigSource.java. What that parser rejects ends in a fault: the platform
/// throws then, where the app first asks for its configuration.
/// What it skips is kept in `AndroidConfig.skipped`.
struct AndroidConfigParser {
    static let rootName = "network-security-config"

    private(set) var config = AndroidConfig()
    /// Domains with the line of their first entry; none may come twice in one file.
    private var seen: [String: Int] = [:]

    static func parse(_ root: XMLElement) throws(PinFileFault) -> AndroidConfig {
        guard root.localName == rootName else {
            throw rejected(
                root.line, "the outermost element is <\(Printable.excerpt(root.localName))>, not <\(rootName)>")
        }
        var parser = AndroidConfigParser()
        try parser.document(root)
        return parser.config
    }

    private mutating func document(_ root: XMLElement) throws(PinFileFault) {
        for child in root.children {
            switch child.localName {
            case "base-config":
                if let first = config.base {
                    throw Self.rejected(
                        child.line, "there is a second <base-config>; the first is in line \(first.line)")
                }
                config.base = try base(child)
            case "domain-config": try domainConfig(child, parent: nil)
            case "debug-overrides":
                if let first = config.debug {
                    throw Self.rejected(
                        child.line, "there is a second <debug-overrides>; the first is in line \(first.line)")
                }
                config.debug = debugOverrides(child)
            default: skip(child, within: root)
            }
        }
    }

    private mutating func base(_ element: XMLElement) throws(PinFileFault) -> AndroidConfig.Entry {
        var entry = AndroidConfig.Entry(clearText: Self.clearText(element), line: element.line)
        for child in element.children {
            switch child.localName {
            case "domain", "pin-set", "domain-config":
                throw Self.rejected(
                    child.line, "<\(child.localName)> stands in <base-config>, where it is not allowed",
                    hints: ["put it into a <domain-config>: Android pins named domains only"])
            case "trust-anchors": try anchors(child, into: &entry)
            default: skip(child, within: element)
            }
        }
        return entry
    }

    /// The depth is bounded by the readers of XML.
    private mutating func domainConfig(_ element: XMLElement, parent: Int?) throws(PinFileFault) {
        let index = config.entries.count
        var entry = AndroidConfig.Entry(parent: parent, clearText: Self.clearText(element), line: element.line)
        // Its place, before those within it.
        config.entries.append(entry)
        for child in element.children {
            switch child.localName {
            case "domain": entry.domains.append(try domain(child))
            case "trust-anchors": try anchors(child, into: &entry)
            case "pin-set":
                if let first = entry.pinSet {
                    throw Self.rejected(
                        child.line,
                        "there is a second <pin-set> in this <domain-config>; the first is in line \(first.line)",
                        hints: ["put all pins into one <pin-set>: any one of them may match"])
                }
                do throws(PinFileFault) {
                    entry.pinSet = try pinSet(child)
                } catch {
                    var fault = error
                    fault.host = Self.onlyDomain(element)
                    throw fault
                }
            case "domain-config": try domainConfig(child, parent: index)
            case "trustkit-config": entry.trustKit = Self.trustKit(child)
            default: skip(child, within: element)
            }
        }
        guard !entry.domains.isEmpty else {
            throw Self.rejected(element.line, "this <domain-config> has no <domain>")
        }
        config.entries[index] = entry
    }

    /// Release builds pass over it without a look, so nothing in it is rejected here.
    private mutating func debugOverrides(_ element: XMLElement) -> AndroidConfig.Entry {
        var entry = AndroidConfig.Entry(line: element.line)
        for child in element.children {
            if child.localName == "trust-anchors" {
                for certificates in child.elements("certificates") {
                    guard let found = try? Self.certificates(certificates, overridesPins: true) else { continue }
                    entry.anchors = (entry.anchors ?? []) + [found]
                }
            } else {
                skip(child, within: element)
            }
        }
        return entry
    }

    private mutating func domain(_ element: XMLElement) throws(PinFileFault) -> AndroidConfig.Domain {
        let text = try Self.onlyText(element, "the name of a domain")
        let name = Self.trimmed(text).lowercased()
        if let first = seen.updateValue(element.line, forKey: name) {
            throw Self.rejected(
                element.line, "the domain \(Self.quoted(name)) is there twice; the first is in line \(first)",
                hints: ["keep one <domain> of that name, also where they differ in includeSubdomains"])
        }
        return AndroidConfig.Domain(
            name: name, includesSubdomains: AndroidBoolean.read(Self.plain("includeSubdomains", of: element)) ?? false,
            line: element.line)
    }

    /// The one domain that a `<domain-config>` names, for what is said of its pins.
    private static func onlyDomain(_ element: XMLElement) -> String? {
        let names = element.elements("domain").map { AndroidDomain.bare(trimmed($0.text).lowercased()) }
        return names.count == 1 ? names[0] : nil
    }

    private func anchors(_ element: XMLElement, into entry: inout AndroidConfig.Entry) throws(PinFileFault) {
        guard entry.anchors == nil else {
            throw Self.rejected(element.line, "there is a second <trust-anchors> in one entry")
        }
        var anchors: [AndroidConfig.Anchors] = []
        for child in element.elements("certificates") {
            anchors.append(try Self.certificates(child, overridesPins: false))
        }
        entry.anchors = anchors
    }

    private mutating func skip(_ element: XMLElement, within parent: XMLElement) {
        // These are the platform's (certificate transparency, Android 16; encrypted hellos, later) or TrustKit's.
        guard !["certificateTransparency", "domainEncryption", "trustkit-config"].contains(element.localName) else {
            return
        }
        config.skipped.append(
            AndroidConfig.Skipped(
                name: Printable.excerpt(element.localName), within: parent.localName,
                holdsPins: Self.holdsPins(element),
                line: element.line))
    }

    private static func holdsPins(_ element: XMLElement) -> Bool {
        element.localName == "pin" || element.localName == "pin-set" || element.children.contains(where: holdsPins)
    }
}
