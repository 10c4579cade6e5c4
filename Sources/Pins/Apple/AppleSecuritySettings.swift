import Facts

/// What App Transport Security is told to let pass.
///
/// Source: Apple's reference of NSAppTransportSecurity.
enum AppleSecuritySettings {
    private static let arbitrary = "NSAllowsArbitraryLoads"
    /// Where one of these is there, whatever it says, iOS 10 and later ignore `NSAllowsArbitraryLoads`.
    private static let narrower = [
        "NSAllowsArbitraryLoadsInWebContent", "NSAllowsArbitraryLoadsForMedia", "NSAllowsLocalNetworking",
    ]
    /// The key, and the two old names of it.
    private static let insecure = [
        "NSExceptionAllowsInsecureHTTPLoads", "NSTemporaryExceptionAllowsInsecureHTTPLoads",
        "NSThirdPartyExceptionAllowsInsecureHTTPLoads",
    ]

    static func read(_ settings: PropertyList, into file: inout PinFile) {
        let other = settings.entries.first { narrower.contains($0.key) }
        if let entry = settings.entry(arbitrary), entry.value.truth == true {
            if let other {
                file.notes.append(
                    PinNote(
                        .versionsDiffer, line: entry.line,
                        "iOS 10 and later ignore \(arbitrary), since \(other.key) is there too; iOS 9 does not"))
            } else {
                file.settings.append(PinSetting(.arbitraryLoads, line: entry.line, arbitrary))
            }
        }
        // Local networking is for names that no certificate is issued for.
        for key in narrower where key != "NSAllowsLocalNetworking" {
            if let entry = settings.entry(key), entry.value.truth == true {
                file.settings.append(PinSetting(.arbitraryLoadsInPart, line: entry.line, key))
            }
        }
        for exception in settings["NSExceptionDomains"]?.entries ?? [] { read(exception, into: &file) }
    }

    /// Despite its name the key loosens HTTPS to the domain as well: a server's trust may then be overridden.
    private static func read(_ exception: PropertyList.Entry, into file: inout PinFile) {
        let host = HostName(exception.key)?.text ?? exception.key.lowercased()
        file.namedHosts.append(host)
        let covers = exception.value["NSIncludesSubdomains"]?.truth == true
        for key in weakened {
            guard let entry = exception.value.entry(key), let words = weakness(entry) else { continue }
            file.settings.append(
                PinSetting(.arbitraryLoads, host: host, coversSubdomains: covers, line: entry.line, words))
        }
        for key in insecure {
            guard let entry = exception.value.entry(key), entry.value.truth == true else { continue }
            for kind in [PinSetting.Kind.clearText, .arbitraryLoads] {
                file.settings.append(
                    PinSetting(kind, host: host, coversSubdomains: covers, line: entry.line, key))
            }
        }
    }

    /// What makes HTTPS weaker for a domain than App Transport Security wants it.
    private static let weakened = [
        "NSExceptionMinimumTLSVersion", "NSTemporaryExceptionMinimumTLSVersion", "NSExceptionRequiresForwardSecrecy",
        "NSTemporaryExceptionRequiresForwardSecrecy",
    ]

    private static func weakness(_ entry: PropertyList.Entry) -> String? {
        if let version = entry.value.string {
            return ["TLSv1.0", "TLSv1.1"].contains(version) ? "\(entry.key) \(version)" : nil
        }
        return entry.value.truth == false ? "\(entry.key) false" : nil
    }
}
