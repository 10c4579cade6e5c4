import Facts

/// One domain of a TrustKit configuration, whatever file it stands in.
struct TrustKitDomain {
    struct Pin: Hashable {
        var text: String
        var line: Int
    }

    /// As written.
    var name: String
    var line: Int
    var pins: [Pin] = []
    /// False where some are not in the file.
    var pinsKnown = true
    /// nil: not said; TrustKit then enforces.
    var enforces: Bool?
    /// False where it is said by something that is not in the file.
    var enforcementKnown = true
    /// nil: not said; TrustKit then takes the domain alone.
    var includesSubdomains: Bool?
    var isExcluded = false
    /// `yyyy-MM-dd`, in UTC.
    var expires: String?
    /// Keys beside that of the exclusion.
    var otherKeys = 0
}

/// What comes of a configuration's domains, by `TrustKitRules`.
///
/// What TrustKit raises an exception at is a fault: the app ends where it initialises TrustKit, so that nothing is ever
/// sent.
extension TrustKitDomain {
    static func hosts(_ domains: [TrustKitDomain]) throws(PinFileFault) -> (hosts: [DeclaredHost], notes: [PinNote]) {
        var hosts: [DeclaredHost] = []
        var notes: [PinNote] = []
        for domain in domains {
            let name = try name(domain)
            if domain.isExcluded {
                try excluded(domain, name, of: domains)
                hosts.append(DeclaredHost(name, pins: [], format: .trustKit, line: domain.line))
                notes.append(
                    PinNote(
                        .shadows, line: domain.line,
                        "\(name) is excluded from the policy of the domain above it: it is not pinned"))
                continue
            }
            var host = DeclaredHost(
                name, pins: [], isPinned: true, pinsKnown: domain.pinsKnown, format: .trustKit, line: domain.line)
            if domain.includesSubdomains == true { host.reach = [.itself, .descendants] }
            host.isEnforced = domain.enforces ?? true
            host.pins = try pins(domain)
            if let text = domain.expires {
                host.expires = TrustKitRules.day(text)
                if host.expires == nil {
                    notes.append(
                        PinNote(
                            .expiryNotTaken, line: domain.line,
                            "\"\(Printable.excerpt(text))\" is no day such as 2027-01-31, as TrustKit wants it: the pins of \(name) do not end then",
                            host: name))
                }
            }
            if !host.isEnforced {
                notes.append(
                    PinNote(
                        .reportOnly, line: domain.line,
                        "a failed pin of \(name) is reported, and the connection goes on"))
            }
            if name != domain.name {
                notes.append(
                    PinNote(
                        .neverMatches, line: domain.line,
                        "TrustKit compares \"\(domain.name)\" as it is written: write it in lower case"
                    ))
                host.reach = []
            }
            hosts.append(host)
        }
        return (hosts, notes)
    }

    private static func fault(_ line: Int, _ message: String, host: String? = nil) -> PinFileFault {
        PinFileFault(line: line, "TrustKit refuses \(message)", .failsClosed, host: host)
    }

    private static func name(_ domain: TrustKitDomain) throws(PinFileFault) -> String {
        let shown = "\"\(Printable.excerpt(domain.name))\""
        guard let host = HostName(domain.name), !host.isIP, host.text.contains(".") else {
            throw fault(
                domain.line,
                "the domain \(shown): it takes names below a public suffix alone, without scheme, port and asterisk")
        }
        if let last = TrustKitRules.unknownSuffix(of: host.text) {
            throw fault(domain.line, "the domain \(shown): .\(last) is no public suffix")
        }
        guard domain.includesSubdomains != true || !TrustKitRules.isShared(host.text) else {
            throw fault(domain.line, "kTSKIncludeSubdomains for \(shown), which is a public suffix")
        }
        return host.text
    }

    private static func excluded(_ domain: TrustKitDomain, _ name: String, of domains: [TrustKitDomain])
        throws(PinFileFault)
    {
        guard domain.otherKeys == 0 else {
            throw fault(
                domain.line, "kTSKExcludeSubdomainFromParentPolicy for \(name) beside other keys: it stands alone")
        }
        let covering = Dictionary(
            domains.filter { $0.includesSubdomains == true }.map { ($0.name.lowercased(), $0) },
            uniquingKeysWith: { first, _ in first })
        guard TrustKitRules.parent(of: name, among: covering) != nil else {
            throw fault(
                domain.line,
                "kTSKExcludeSubdomainFromParentPolicy for \(name): no domain above it has kTSKIncludeSubdomains")
        }
    }

    private static func pins(_ domain: TrustKitDomain) throws(PinFileFault) -> [DeclaredPin] {
        var pins: [DeclaredPin] = []
        for pin in domain.pins {
            let declared = TrustKitRules.pin(pin.text, line: pin.line)
            guard declared.digest != nil else {
                throw fault(
                    pin.line,
                    "the pin \"\(Printable.excerpt(pin.text))\" of \(domain.name): it is not base64 of 32 bytes",
                    host: HostName(domain.name)?.text)
            }
            pins.append(declared)
        }
        let needed = TrustKitRules.fewestPins(enforced: domain.enforces != false && domain.enforcementKnown)
        let distinct = Set(pins.map(\.digest)).count
        guard !domain.pinsKnown || distinct >= needed else {
            let has = distinct == 0 ? "no pin" : "one pin"
            let reason = domain.enforces == nil ? ", for pins are enforced where nothing else is said" : ""
            let wanted = needed == 1 ? "one" : "two different ones" + reason
            throw fault(
                domain.line, "\(domain.name): it has \(has), and needs \(wanted)", host: HostName(domain.name)?.text)
        }
        return pins
    }
}
