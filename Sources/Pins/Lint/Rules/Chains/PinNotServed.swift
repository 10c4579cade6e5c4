import Facts

/// L4: the server shows no key that is pinned.
enum PinNotServed: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L4", "pin-not-served", .error, "The server shows no pinned key",
        why:
            "Every app with these pins refuses this server now. That a backup is not served is as it should be; that none is served is an outage.",
        fix: "Serve a certificate with a pinned key, or release an app with the pins of what is served.")

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.pinFiles.flatMap { file in
            context.situation.chains.sorted { $0.key < $1.key }.flatMap { host, chain in
                file.effective(host, on: context.today).compactMap { finding($0, host, chain, file, context.today) }
            }
        }
    }

    private static func finding(
        _ pins: EffectivePins, _ host: String, _ chain: [GenuineCertificate], _ file: LintFile, _ day: CalendarDate
    ) -> LintFinding? {
        guard !chain.isEmpty, pins.refuses(on: day), let entry = pins.entries.first(where: \.isPinned) else {
            return nil
        }
        // A root that nobody shows may be the pinned one: that is for the person to look at.
        guard isRefused(pins, chain, day) else { return nil }
        let isComplete = chain.last?.isSelfIssued ?? false || chain.unshownRoot != nil
        let severity: LintFinding.Severity = isComplete || pins.pins.allSatisfy { $0.part == .leaf } ? .error : .warning
        let doubt = severity == .error ? "" : "; the root is not shown, and may be what is pinned"
        let leaf = chain[0]
        return finding(
            severity, in: file, line: entry.pins.first?.line ?? entry.line, host: host,
            "none of the \(English.count(pins.pins.count, "pin")) of \(host) is among the keys that it shows (\(English.some(chain.map { name($0) }))): apps with these pins are locked out\(doubt)",
            fix: "add \(LintWords.written(leaf.spkiSHA256, in: entry.format)) (the leaf's key)"
                + (chain.count > 1
                    ? " or \(LintWords.written(chain[1].spkiSHA256, in: entry.format)) (its issuer's)" : "")
                + ", or serve a certificate with a pinned key")
    }

    /// No pin matches what the host shows, nor the public root above it.
    static func isRefused(_ pins: EffectivePins, _ chain: [GenuineCertificate], _ day: CalendarDate) -> Bool {
        let root = chain.unshownRoot.map { [CertificateDigests(spkiSHA256: $0.key)] } ?? []
        return pins.accepts(chain.map(\.digests) + root, on: day) == .no
    }

    private static func name(_ certificate: GenuineCertificate) -> String {
        let label = DistinguishedName(certificate.subject).label
        return Printable.excerpt(label.isEmpty ? certificate.subject : label)
    }
}
