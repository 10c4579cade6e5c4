import Facts

/// What a `<domain>` matches: the platform compares host names as they are.
enum AndroidDomain {
    /// Why no host that an app connects to is ever equal to it; nil where one can be.
    static func mismatch(_ name: String) -> String? {
        if name.contains("://") { return "is a URL, and a domain is the host name alone: no host matches it" }
        if name.contains("*") {
            return "has a *, which is no wildcard here: no host matches it; write the bare domain with "
                + "includeSubdomains=\"true\""
        }
        if name.hasSuffix(".") { return "ends in a dot, which Android strips of the host alone: no host matches it" }
        if name.hasPrefix(".") { return "begins with a dot: no host matches it" }
        if name.contains("/") { return "has a path in it, and a domain is the host name alone: no host matches it" }
        if !name.utf8.allSatisfy({ $0 < 0x80 }) {
            return "is not in ASCII: hosts are compared as xn--…, so no host matches it"
        }
        guard HostName(name) == nil else { return nil }
        if name.contains(":") { return "has a port in it, and a domain is the host name alone: no host matches it" }
        return "is no host name: no host matches it"
    }

    /// Without the wildcard and the dot that a reader may have meant.
    static func bare(_ name: String) -> String {
        var bare = name[...]
        if bare.hasPrefix("*.") { bare = bare.dropFirst(2) }
        if bare.hasSuffix("."), bare.utf8.count > 1 { bare = bare.dropLast() }
        return String(bare)
    }
}
