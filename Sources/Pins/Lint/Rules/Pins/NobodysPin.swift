import Facts

/// Digests that are handed around as pins, and that no server's key has.
enum NobodysPin {
    /// What it is, as a sentence's end; nil for a pin that somebody may have.
    static func reason(_ pin: DeclaredPin, _ hosts: [String]) -> String? {
        guard let digest = pin.digest else { return nil }
        if let command = empty[digest] { return "the hash of \(command): no key has this pin" }
        guard digest == sample, !hosts.isEmpty, !hosts.contains(where: isOfSample) else { return nil }
        return "the sample of OkHttp's documentation: it is the key of publicobject.com, and not of this host"
    }

    /// What `openssl … | openssl dgst` and `echo | sha256sum` come to when nothing goes in: FIPS 180-4 and RFC 1321 of
    /// the empty message, and of one line feed.
    private static let empty: [[UInt8]: String] = {
        let nothing = "nothing, which a pipe prints whose first command has failed"
        let line = "an empty line"
        let known = [
            ("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", nothing),
            ("2jmj7l5rSw0yVb/vlWAYkK/YBwk=", nothing),
            ("1B2M2Y8AsgTpgAmy7PhCfg==", nothing),
            ("AbpHGcgLb+kRsJGnwFEktk7uzpZOCcBY74+YBdrKVGs=", line),
            ("rcg7GeeTSRscbqD9i0bNnzLlkvw=", line),
        ]
        return Dictionary(
            known.compactMap { text, what in Base64.decoded(Array(text.utf8)[...]).map { ($0, what) } },
            uniquingKeysWith: { first, _ in first })
    }()

    /// CertificatePinner's documentation (OkHttp) pins this key of its author's own server.
    ///
    /// The other samples of documents are not here: Android's `7HIpactk…` was Google's own CA, and of the others nobody
    /// says whose they are.
    private static let sample = Base64.decoded(Array("afwiKY3RxoMmLkuRW1l7QsPZTJPwDS2pdDROQjXw8ig=".utf8)[...])

    /// The server itself, and names that stand for one in documents (RFC 2606).
    private static func isOfSample(_ host: String) -> Bool {
        let labels = host.split(separator: ".").suffix(2).joined(separator: ".")
        return ["publicobject.com", "example.com", "example.net", "example.org"].contains(labels)
            || PublicSuffixes.reserved.contains(String(host.split(separator: ".").last ?? ""))
    }
}
