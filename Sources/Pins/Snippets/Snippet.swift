import Facts

/// What to paste to pin one host: `pinproof pins HOST --for FORMAT`.
///
///     let snippet = Snippet(host: "api.example.com", certificates, as: .okHttp)
///     snippet.text
///     snippet.warnings    // for standard error; the same stands in its comments
///
/// The server's own keys are pinned, and with `apple-ca` its issuers; the others of the chain stand in comments. Where
/// only issuers are at hand, they are pinned.
package struct Snippet: Sendable {
    package let text: String
    package let warnings: [String]
    /// Nothing of what is at hand can be pinned in this format: its warnings say why, and nobody is to paste it.
    package let pinsNothing: Bool

    /// - Parameters:
    ///   - host: a name or an address, without a port.
    ///   - isPlaceholder: it is no host of anybody's, as none is known.
    ///   - format: one of `ExportFormat.snippets`; others work as well.
    package init(
        host: String, isPlaceholder: Bool = false, _ certificates: [SnippetCertificate], as format: ExportFormat
    ) {
        let name = HostName(host)?.text ?? PlatformRules.normal(host)
        let own = certificates.filter(\.role.isServers)
        let issuers = certificates.filter { !$0.role.isServers }
        let chosen = Self.chosen(own, issuers, format)
        var warnings: [String] = []
        if isPlaceholder {
            warnings.append("no host is known of it: put yours in the place of \(Printable.excerpt(name))")
        }
        if chosen.isEmpty, format == .appleCA {
            warnings.append("there is no issuer at hand whose key could be pinned")
        }
        if Set(chosen.map(\.spkiSHA256)).count == 1 {
            warnings.append(
                "one pin: once the key changes, the app is locked out; make a backup with: pinproof pins backup "
                    + (name.hasPrefix("*") || isPlaceholder ? "HOST" : Printable.excerpt(name)))
        }
        let rest = certificates.filter { !chosen.contains($0) }
        let remarks = chosen.map { "pinned: \($0.remark)" } + rest.map { "not pinned: \($0.remark)" } + warnings
        if format == .profile {
            text = Self.profile(name, chosen.compactMap(\.keyPin), remarks)
            self.warnings = warnings
            pinsNothing = PinnedPattern(name).inProfile == nil || chosen.isEmpty
            return
        }
        let pins = format == .flutter ? chosen.compactMap(\.certificatePin) : chosen.map(\.keyPin)
        let list = PinFile(
            path: host, format: .neutral,
            hosts: [DeclaredHost(name, pins: pins, isPinned: true, format: .neutral, line: 1)])
        var export = PinExport(list, as: format, remarks: remarks)
        pinsNothing = !export.hosts.contains(where: \.isPinned)
        if pinsNothing {
            let nothing = "this pins nothing: \(format.name) cannot pin \(Printable.excerpt(name)) by what is at hand"
            warnings.insert(nothing, at: 0)
            export = PinExport(list, as: format, remarks: [nothing] + remarks)
        }
        text = export.text
        self.warnings = warnings + export.losses.map(\.description)
    }

    private static func chosen(
        _ own: [SnippetCertificate], _ issuers: [SnippetCertificate], _ format: ExportFormat
    ) -> [SnippetCertificate] {
        if format == .appleCA { return issuers }
        guard let first = issuers.first else { return own }
        if own.isEmpty { return format.part == .leaf ? [] : issuers }
        // TrustKit does not start with one pin alone: the nearest issuer is the second, until there is a backup key.
        let isShort = Set(own.map(\.spkiSHA256)).count < format.fewestPins
        return isShort && format.part == .any ? own + [first] : own
    }

    private static func profile(_ name: String, _ pins: [DeclaredPin], _ remarks: [String]) -> String {
        guard let name = PinnedPattern(name).inProfile else {
            return ExportComment.lines(remarks + ["\(name) is no name of a host"], "#") + "version: 1\n"
        }
        var out = ExportComment.lines(remarks, "#") + "version: 1\nhosts:\n"
        let key = ProfileWriter.isPlain(name) ? name : "\"\(Printable.escaped(name))\""
        let good = pins.filter { $0.digest != nil }.map(\.name).uniqued()
        guard !good.isEmpty else { return out + "  \(key): { expect: refuse }\n" }
        out += "  \(key):\n    expect: refuse\n    pins:\n"
        for pin in good { out += "      - \(pin)\n" }
        return out
    }
}
