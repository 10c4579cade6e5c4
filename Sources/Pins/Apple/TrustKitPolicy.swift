import Facts

/// What TrustKit is told of one domain (`parse_configuration.m`), and what it raises at it.
struct TrustKitPolicy {
    /// As written.
    let name: String
    private(set) var host: DeclaredHost
    private(set) var isExcluded = false
    private(set) var coversSubdomains = false

    init(_ entry: PropertyList.Entry, names: TrustKitNames, into reading: inout AppleReading) {
        name = Printable.excerpt(entry.key)
        let domain = entry.key.lowercased()
        host = DeclaredHost(
            String(domain.hasPrefix("*.") ? domain.dropFirst(2) : domain[...]), pins: [], format: .trustKit,
            line: entry.line)
        checkName(entry, &reading)
        guard entry.value.isDictionary else {
            reading.raise(entry.line, "\(name) is \(entry.value.kind), and no dictionary")
            return
        }
        let policy = entry.value
        if let exclusion = names.exclusion(in: policy), truth(exclusion, &reading) == true {
            readExclusion(exclusion, of: policy, isMissed: names.isMissed(exclusion), &reading)
            return
        }
        if let setting = names.entry("TSKIncludeSubdomains", in: policy), truth(setting, &reading) == true {
            if TrustKitRules.isShared(domain) {
                reading.raise(setting.line, "\(name) is a suffix that many share, and subdomains are included")
            }
            coversSubdomains = true
            host.reach = host.reach.isEmpty ? [] : [.itself, .descendants]
        }
        host.expires = expiry(names.entry("TSKExpirationDate", in: policy), &reading)
        if let setting = names.entry("TSKEnforcePinning", in: policy), truth(setting, &reading) == false {
            host.isEnforced = false
            reading.tell(
                .reportOnly, setting.line,
                "\(name) is not enforced: a pin that does not match is reported, and the connection goes on")
        }
        if let reports = names.entry("TSKReportUris", in: policy),
            reports.value.array?.allSatisfy({ $0.string?.isEmpty == false }) != true
        {
            reading.raise(reports.line, "TSKReportUris of \(name) is no list of addresses")
        }
        readPins(names.entry("TSKPublicKeyHashes", in: policy), line: entry.line, &reading)
        host.isPinned = true
    }

    /// `boolValue`, which collections and dates do not have; nil where it raises.
    private func truth(_ entry: PropertyList.Entry, _ reading: inout AppleReading) -> Bool? {
        if let truth = entry.value.truth { return truth }
        reading.raise(entry.line, "\(Printable.excerpt(entry.key)) of \(name) is \(entry.value.kind), and no boolean")
        return nil
    }

    private mutating func readExclusion(
        _ exclusion: PropertyList.Entry, of policy: PropertyList, isMissed: Bool, _ reading: inout AppleReading
    ) {
        isExcluded = true
        if policy.entries.count > 1 {
            reading.raise(exclusion.line, "\(name) is excluded from its parent's policy, and has other settings too")
        }
        if isMissed {
            reading.tell(
                .versionsDiffer, exclusion.line,
                "TrustKit up to 3.0 looks for \(TrustKitNames.misspeltExclusion) in a property list: under this name it "
                    + "finds nothing, and raises an exception for want of pins")
        }
    }

    /// `GetRegistryLength` of the domain registry that TrustKit brings: 0, and an exception, for what is no name with a
    /// known last label. Its list is not at hand, so only what no list has is refused here.
    private mutating func checkName(_ entry: PropertyList.Entry, _ reading: inout AppleReading) {
        guard !BuildSetting.isReferred(to: entry.key) else {
            host.domain = nil
            reading.tell(.unresolved, entry.line, "\(name) is a setting of the build: its host is not known")
            return
        }
        let labels = entry.key.split(separator: ".", omittingEmptySubsequences: false)
        let isAscii = entry.key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
        // The registry takes no more than 127 bytes.
        guard isAscii, entry.key.utf8.count <= 127, labels.count >= 2, labels.last?.isEmpty == false,
            !entry.key.contains("/"), !entry.key.contains(":")
        else {
            reading.raise(entry.line, "\(name) is no domain")
            return
        }
        if entry.key.contains("*") {
            reading.tell(
                .neverMatches, entry.line,
                "\(name) never matches: TSKIncludeSubdomains is what takes in subdomains, not an asterisk")
            host.reach = []
        } else if entry.key != entry.key.lowercased() {
            reading.tell(
                .neverMatches, entry.line,
                "\(name) is compared as it is written, with capitals, and hosts are in lower case")
        } else if let last = TrustKitRules.unknownSuffix(of: entry.key) {
            reading.tell(
                .neverMatches, entry.line, "TrustKit knows no names below .\(last), and raises an exception at \(name)")
        }
    }

    private func expiry(_ entry: PropertyList.Entry?, _ reading: inout AppleReading) -> CalendarDate? {
        guard let entry else { return nil }
        guard let text = entry.value.string else {
            reading.raise(entry.line, "TSKExpirationDate of \(name) is \(entry.value.kind), and no string")
            return nil
        }
        if let date = TrustKitRules.day(text) { return date }
        reading.tell(
            .expiryNotTaken, entry.line,
            "\"\(Printable.excerpt(text))\" is no date like 2027-01-31: TrustKit passes it over, and the pins of \(name) "
                + "never expire (before iOS 11 it raises an exception)")
        return nil
    }

    private mutating func readPins(_ entry: PropertyList.Entry?, line: Int, _ reading: inout AppleReading) {
        guard entry == nil || entry?.value.array != nil else {
            reading.raise(entry?.line ?? line, "TSKPublicKeyHashes of \(name) is no list")
            return
        }
        for pin in entry?.value.array ?? [] {
            let text = pin.string ?? ""
            guard !BuildSetting.isReferred(to: text) else {
                host.pinsKnown = false
                reading.tell(
                    .unresolved, pin.line, "\(Printable.excerpt(text)) is a setting of the build: the pin is not known")
                continue
            }
            let read = TrustKitRules.pin(text, line: pin.line)
            host.pins.append(read)
            if read.digest == nil {
                let shown = pin.string.map { "\"\(Printable.excerpt($0))\"" } ?? pin.kind
                reading.raise(pin.line, "\(shown) is no pin of \(name): 32 bytes in base64, 44 letters, are needed")
            }
        }
        let distinct = Set(host.pins.compactMap(\.digest)).count
        let needed = TrustKitRules.fewestPins(enforced: host.isEnforced)
        if distinct < needed, host.pinsKnown {
            reading.raise(
                entry?.line ?? line,
                "\(name) has \(distinct == 0 ? "no pin" : English.count(distinct, "different pin")), and needs \(needed)"
            )
        }
    }
}
