import Facts

/// What TrustKit is told of one domain (`parse_configuration.m`), and what it raises at it.
struct TrustKitPolicy {
    /// As written.
    let name: String
    private(set) var host: DeclaredHost
    private(set) var isExcluded = false
    private(set) var coversSubdomains = false

    /// - Throws: what TrustKit itself raises.
    init(_ entry: PropertyList.Entry, names: TrustKitNames, into file: inout PinFile) throws(PinFileFault) {
        name = Printable.excerpt(entry.key)
        let domain = entry.key.lowercased()
        host = DeclaredHost(
            String(domain.hasPrefix("*.") ? domain.dropFirst(2) : domain[...]), pins: [], format: .trustKit,
            line: entry.line)
        try checkName(entry, into: &file)
        guard entry.value.isDictionary else {
            throw fault(entry.line, "\(name) is \(entry.value.kind), and no dictionary")
        }
        let policy = entry.value
        if let exclusion = names.exclusion(in: policy), try truth(exclusion) {
            guard policy.entries.count == 1 else {
                throw fault(exclusion.line, "\(name) is excluded from its parent's policy, and has other settings too")
            }
            isExcluded = true
            if names.isMissed(exclusion) {
                file.notes.append(
                    PinNote(
                        .versionsDiffer, line: exclusion.line,
                        "TrustKit up to 3.0 looks for \(TrustKitNames.misspeltExclusion) in a property list: under this name "
                            + "it finds nothing, and raises an exception for want of pins"))
            }
            return
        }
        if let setting = names.entry("TSKIncludeSubdomains", in: policy), try truth(setting) {
            guard !PublicSuffixes.contains(domain) else {
                throw fault(setting.line, "\(name) is a suffix that many share, and subdomains are included")
            }
            coversSubdomains = true
            host.reach = host.reach.isEmpty ? [] : [.itself, .descendants]
        }
        host.expires = try expiry(names.entry("TSKExpirationDate", in: policy), into: &file)
        if let setting = names.entry("TSKEnforcePinning", in: policy), try !truth(setting) {
            host.isEnforced = false
            file.notes.append(
                PinNote(
                    .reportOnly, line: setting.line,
                    "\(name) is not enforced: a pin that does not match is reported, and the connection goes on"))
        }
        if let reports = names.entry("TSKReportUris", in: policy) {
            guard let list = reports.value.array, list.allSatisfy({ $0.string?.isEmpty == false }) else {
                throw fault(reports.line, "TSKReportUris of \(name) is no list of addresses")
            }
        }
        try readPins(names.entry("TSKPublicKeyHashes", in: policy), line: entry.line)
        host.isPinned = true
    }

    private func fault(_ line: Int, _ message: String) -> PinFileFault {
        PinFileFault(line: line, "TrustKit raises an exception: \(message)", .failsClosed)
    }

    /// `boolValue`, which collections and dates do not have.
    private func truth(_ entry: PropertyList.Entry) throws(PinFileFault) -> Bool {
        guard let truth = entry.value.truth else {
            throw fault(entry.line, "\(Printable.excerpt(entry.key)) of \(name) is \(entry.value.kind), and no boolean")
        }
        return truth
    }

    /// `GetRegistryLength` of the domain registry that TrustKit brings: 0, and an exception, for what is no name with a
    /// known last label. Its list is not at hand, so only what no list has is refused here.
    private mutating func checkName(_ entry: PropertyList.Entry, into file: inout PinFile) throws(PinFileFault) {
        let labels = entry.key.split(separator: ".", omittingEmptySubsequences: false)
        let isAscii = entry.key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
        // The registry takes no more than 127 bytes.
        guard isAscii, entry.key.utf8.count <= 127, labels.count >= 2, labels.last?.isEmpty == false,
            !entry.key.contains("/"), !entry.key.contains(":")
        else { throw fault(entry.line, "\(name) is no domain") }
        func tell(_ text: String) { file.notes.append(PinNote(.neverMatches, line: entry.line, text)) }
        if entry.key.contains("*") {
            tell("\(name) never matches: TSKIncludeSubdomains is what takes in subdomains, not an asterisk")
            host.reach = []
        } else if entry.key != entry.key.lowercased() {
            tell("\(name) is compared as it is written, with capitals, and hosts are in lower case")
        } else if let last = labels.last, PublicSuffixes.reserved.contains(String(last)) {
            tell("TrustKit knows no names below .\(last), and raises an exception at \(name)")
        }
    }

    private func expiry(
        _ entry: PropertyList.Entry?, into file: inout PinFile
    ) throws(PinFileFault) -> CalendarDate? {
        guard let entry else { return nil }
        guard let text = entry.value.string else {
            throw fault(entry.line, "TSKExpirationDate of \(name) is \(entry.value.kind), and no string")
        }
        // NSDateFormatter with yyyy-MM-dd takes numbers without leading zeros as well.
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        if parts.count == 3, text.utf8.allSatisfy({ $0 == 0x2d || ($0 >= 0x30 && $0 <= 0x39) }), let year = parts[0],
            let month = parts[1], let day = parts[2], (0...9999).contains(year), (0...99).contains(month),
            (0...99).contains(day),
            let date = CalendarDate("\(year.digits(4))-\(month.digits(2))-\(day.digits(2))")
        {
            return date
        }
        file.notes.append(
            PinNote(
                .expiration, line: entry.line,
                "\"\(Printable.excerpt(text))\" is no date like 2027-01-31: TrustKit passes it over, and the pins of \(name) "
                    + "never expire (before iOS 11 it raises an exception)"))
        return nil
    }

    private mutating func readPins(_ entry: PropertyList.Entry?, line: Int) throws(PinFileFault) {
        guard entry == nil || entry?.value.array != nil else {
            throw fault(entry?.line ?? line, "TSKPublicKeyHashes of \(name) is no list")
        }
        for pin in entry?.value.array ?? [] {
            // Foundation decodes strictly: letters of the alphabet and whole groups, no white space.
            guard let text = pin.string, text.utf8.count == 44, DeclaredPin(base64: text, line: pin.line).digest != nil
            else {
                let shown = pin.string.map { "\"\(Printable.excerpt($0))\"" } ?? pin.kind
                throw fault(pin.line, "\(shown) is no pin of \(name): 32 bytes in base64, 44 letters, are needed")
            }
            host.pins.append(DeclaredPin(base64: text, line: pin.line))
        }
        let distinct = Set(host.pins.compactMap(\.digest)).count
        let needed = host.isEnforced ? 2 : 1
        guard distinct >= needed else {
            throw fault(
                entry?.line ?? line,
                "\(name) has \(distinct == 0 ? "no pin" : English.count(distinct, "different pin")), and needs \(needed)"
            )
        }
    }

    // MARK: Matching

    /// The longest domain with subdomains that a name lies below (`getPinningConfigurationKeyForDomain`).
    static func parent(of name: String, among covering: [String: TrustKitPolicy]) -> TrustKitPolicy? {
        var rest = name[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if let policy = covering[String(rest)] { return policy }
        }
        return nil
    }
}
