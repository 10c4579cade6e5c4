import Facts

/// Brings entries into a form that a format can have, and says what is lost on the way.
struct ExportFitting {
    /// Cronet asks for a last day; where there is none, it is one that no build lives to see.
    static let never = CalendarDate(year: 2099, month: 12, day: 31)

    private let format: ExportFormat
    /// With the pins that the format can have, and the reach that was asked for; a profile's rules hold.
    private(set) var wanted: [DeclaredHost] = []
    /// The same with the reach that the format can have.
    private var made: [DeclaredHost] = []
    private(set) var losses: [PinExport.Loss] = []

    init(_ format: ExportFormat) { self.format = format }

    mutating func add(_ host: DeclaredHost) {
        guard format.takesAddresses || host.domain.flatMap({ HostName($0) })?.isIP != true else {
            losses.append(.init(host, "\(format.name) takes no addresses: it is left out"))
            return
        }
        var fitted = host
        if host.isPinned { fit(&fitted) }
        wanted.append(fitted)
        guard fitted.isPinned || format.takesOpenEntries, let reach = format.reach(fitted.reach) else { return }
        // TrustKit leaves one name out, and says nothing of those below it.
        guard fitted.isPinned || format != .trustKit || reach.contains(.itself) else { return }
        fitted.reach = fitted.isPinned || format != .trustKit ? reach : .itself
        fitted.format = format.platform
        made.append(fitted)
    }

    /// What the format can have. An entry without pins is there where it takes a host out of a wider one's reach, and
    /// nowhere else: TrustKit raises an exception at one that has no parent.
    var result: [DeclaredHost] {
        let merged = merged
        let wider = Set(merged.filter { $0.isPinned && $0.coversBelow }.compactMap(\.domain))
        return merged.filter { host in
            guard !host.isPinned, format.hasOneEntryPerDomain, let domain = host.domain else { return true }
            return domain.indices.contains { domain[$0] == "." && wider.contains(String(domain[$0...].dropFirst())) }
        }
    }

    /// For a domain there is one entry where the format has no place for more; it has the pins of all.
    private var merged: [DeclaredHost] {
        guard format.hasOneEntryPerDomain else { return made }
        var merged: [DeclaredHost] = []
        var places: [String: Int] = [:]
        for host in made {
            guard let domain = host.domain, let place = places[domain] else {
                places[host.domain ?? ""] = merged.count
                merged.append(host)
                continue
            }
            merged[place].reach.formUnion(host.reach)
            guard host.isPinned else { continue }
            let wasPinned = merged[place].isPinned
            merged[place].isPinned = true
            merged[place].pins = (merged[place].pins + host.pins).uniqued()
            merged[place].isEnforced = host.isEnforced || (wasPinned && merged[place].isEnforced)
            let days = wasPinned ? [merged[place].expires, host.expires] : [host.expires]
            merged[place].expires = days.contains(nil) ? nil : days.compactMap { $0 }.max()
        }
        return merged
    }

    private mutating func lose(_ host: DeclaredHost, _ text: String) { losses.append(.init(host, text)) }

    /// What counts for a pinned entry; it is open where nothing of it can be written.
    private mutating func fit(_ host: inout DeclaredHost) {
        if !host.isEnforced, !format.takesReportOnly {
            lose(host, "it only reports a failed pin, and \(format.name) would refuse: it is left out")
            open(&host)
            return
        }
        if !host.pinsKnown { lose(host, "it is pinned by what is not at hand, which is not written") }
        fitPins(&host)
        let distinct = Set(host.pins.compactMap(\.digest)).count
        let fewest = format == .trustKit && !host.isEnforced ? 1 : format.fewestPins
        // Alamofire has its keys out of the bundle: those that are not at hand may well be there.
        guard distinct >= fewest || (format == .alamofire && !host.pinsKnown) else {
            lose(
                host,
                distinct > 0
                    ? "it has one pin, and \(format.name) asks for two: add that of a backup key; it is left out"
                    : "no pin of it can be written: it is left out")
            open(&host)
            return
        }
        if let expires = host.expires, !format.takesExpiry {
            lose(host, "its pins are off from \(expires) on, and \(format.name) has no last day: they stay on")
            host.expires = nil
        }
        if format == .cronet, host.expires == nil {
            lose(host, "its pins have no last day, and Cronet asks for one: \(Self.never) stands for it")
            host.expires = Self.never
        }
    }

    private func open(_ host: inout DeclaredHost) {
        host.isPinned = false
        host.pins = []
        host.isEnforced = true
        host.pinsKnown = true
        host.expires = nil
    }

    private mutating func fitPins(_ host: inout DeclaredHost) {
        var pins: [DeclaredPin] = []
        for pin in host.pins {
            if pin.digest == nil {
                lose(host, "\(Printable.excerpt(pin.text)) is malformed, and is not written")
            } else if !format.kinds.contains(pin.kind) {
                lose(
                    host, "\(pin.name) is a \(pin.kind.words), which \(format.name) does not compare: it is not written"
                )
            } else if format.part == .leaf, pin.part == .ca {
                lose(host, "\(pin.name) is a CA's, and \(format.name) looks at the leaf alone: it is not written")
            } else if format.part == .ca, pin.part == .leaf {
                lose(host, "\(pin.name) is a leaf's, and \(format.name) looks at what is above it: it is not written")
            } else {
                pins.append(pin)
            }
        }
        switch format.part {
        case .any?:
            if pins.contains(where: { $0.part == .leaf }), pins.contains(where: { $0.part == .ca }) {
                lose(host, "a pin of the leaf and one of a CA were asked for: now one of them is enough")
            }
        case .leaf? where pins.contains { $0.part == .any }:
            lose(host, "the pins are compared with the leaf alone: one of a CA would never match")
        case .ca? where pins.contains { $0.part != .ca }:
            lose(host, "all pins are written as CA identities: a leaf's never matches, take apple-leaf for it")
        case nil where isApple && pins.contains { $0.part == .any }:
            lose(host, "pins of any certificate are written as leaf identities: for those of a CA take apple-ca")
        default: break
        }
        let part = format.part ?? (isApple ? .leaf : nil)
        host.pins = pins.map { pin in
            var pin = pin
            if let part, format.part != nil || pin.part == .any { pin.part = part }
            return pin
        }.uniqued()
    }

    private var isApple: Bool { format.platform == .appleATS }
}
