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
        let failed = failedLists(pins, chain, day)
        let missed = failed.flatMap(\.pins)
        let severity: LintFinding.Severity = isComplete || missed.contains { $0.part == .leaf } ? .error : .warning
        let doubt = severity == .error ? "" : "; the root is not shown, and may be what is pinned"
        let place = failed.count == 1 ? failed[0].place : ""
        let both = place.isEmpty ? "" : ", and both lists have to match"
        return finding(
            severity, in: file, line: missed.first?.line ?? entry.line, host: host,
            "none of the \(English.count(missed.count, "pin")) of \(host)\(place) is among the keys that it shows (\(English.some(chain.map { name($0) })))\(both): apps with these pins are locked out\(doubt)",
            fix: fix(missed, chain, entry.format, place))
    }

    /// Those of Apple's two lists that match nothing; all pins where there is one list, or none of the two matches.
    private static func failedLists(
        _ pins: EffectivePins, _ chain: [GenuineCertificate], _ day: CalendarDate
    ) -> [(pins: [DeclaredPin], place: String)] {
        let lists = pins.lists
        let failed = lists.filter { list in
            let alone = pins.entries.map { entry in
                var entry = entry
                entry.pins = entry.pins.filter { $0.part == list.pins.first?.part }
                return entry
            }
            return isRefused(EffectivePins(format: pins.format, entries: alone), chain, day)
        }
        return failed.count == 1 && lists.count > 1 ? failed : [(pins.pins, "")]
    }

    private static func fix(
        _ missed: [DeclaredPin], _ chain: [GenuineCertificate], _ format: PinFormat, _ place: String
    ) -> String {
        let parts = Set(missed.map(\.part))
        var keys: [String] = []
        if parts != [.ca] { keys.append("\(LintWords.written(chain[0].spkiSHA256, in: format)) (the leaf's key)") }
        if chain.count > 1, parts != [.leaf] {
            keys.append("\(LintWords.written(chain[1].spkiSHA256, in: format)) (its issuer's)")
        }
        let serve = "serve a certificate with a pinned key"
        return keys.isEmpty ? serve : "add \(keys.joined(separator: " or "))\(place), or \(serve)"
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
