import Facts

extension Snippet {
    /// For the host of a server, or the first name or address of a file's certificate that the format takes.
    package init(_ pins: DerivedPins, as format: ExportFormat) {
        let chain = pins.items.enumerated().filter { !pins.strangers.contains($0.offset) }.map(\.element)
        let certificates = (chain + [pins.anchor].compactMap(\.self)).map { item in
            SnippetCertificate(
                role: SnippetCertificate.Role(rawValue: item.role.rawValue) ?? .key,
                spkiSHA256: Base64.encode(item.spkiSHA256),
                certificateSHA256Hex: (item.certificate?.sha256).map { Hex.encode($0) }, subject: item.subject,
                notAfter: item.certificate?.notAfter.rfc3339)
        }
        let addresses = format.takesAddresses ? pins.items.flatMap(\.addresses) : []
        let host =
            Endpoint(pins.source)?.host.text ?? pins.items.lazy.compactMap(\.dnsNames.first).first ?? addresses.first
        self.init(host: host ?? "api.example.com", isPlaceholder: host == nil, certificates, as: format)
    }
}
