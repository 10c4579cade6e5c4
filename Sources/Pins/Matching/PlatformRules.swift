import Facts

/// Which entries of one format a platform applies to a host, and which pins count there.
///
///     let rules = PlatformRules.of(file)          // one for each format, and each pinner, that the file has entries of
///     let pins = rules[0].effective(for: "api.example.com")
///     pins.accepts(chain)
///
/// Names are compared without regard to case and to one trailing dot. An entry whose host is not known matches nothing.
package struct PlatformRules: Sendable {
    /// Entries for one domain, and for all names above a host, the nearest first: no file that anybody wrote has so many,
    /// and each would be shown, and compared, at every host below.
    static let maxPerDomain = 64, maxAbove = 256
    /// Pins that unite at one host; the same.
    static let maxUnited = 128
    /// Bytes of a name: DNS has no longer ones (RFC 1035 §2.3.4), and `PinnedPattern` puts four in front.
    static let maxName = 260

    package let format: PinFormat
    /// The object of source code that the entries are of; nil: they are not told apart.
    package let pinner: Int?
    private let hosts: [DeclaredHost]
    /// By domain; in the order of the file.
    private let places: [String: [Int]]

    /// - Parameter hosts: in the order of the file; those of other formats are passed over.
    package init(_ hosts: [DeclaredHost], _ format: PinFormat) {
        self.init(governing: hosts.filter { $0.format == format }, format)
    }

    private init(governing hosts: [DeclaredHost], _ format: PinFormat, pinner: Int? = nil) {
        self.format = format
        self.pinner = pinner
        self.hosts = hosts
        var places: [String: [Int]] = [:]
        for (place, host) in hosts.enumerated() {
            guard let domain = host.domain, domain.utf8.count <= Self.maxName else { continue }
            if places[domain, default: []].count < Self.maxPerDomain { places[domain, default: []].append(place) }
        }
        self.places = places
    }

    /// One for each format and pinner among a file's entries, in the order in which they come; never empty.
    ///
    /// TrustKit's entries in Android's config are entries of the config: one of either kind may shadow another.
    package static func of(_ file: PinFile) -> [PlatformRules] {
        if file.format == .androidNSC { return [PlatformRules(governing: file.hosts, .androidNSC)] }
        struct Kind: Hashable {
            var format: PinFormat
            var pinner: Int?
        }
        var kinds: [Kind] = []
        var hosts: [Kind: [DeclaredHost]] = [:]
        for host in file.hosts {
            let kind = Kind(format: host.format, pinner: host.pinner)
            if hosts[kind] == nil { kinds.append(kind) }
            hosts[kind, default: []].append(host)
        }
        guard !kinds.isEmpty else { return [PlatformRules([], file.format)] }
        return kinds.map { PlatformRules(governing: hosts[$0] ?? [], $0.format, pinner: $0.pinner) }
    }

    /// Whether an entry is among those of one of a file's rules.
    package func governs(_ host: DeclaredHost) -> Bool {
        format == .androidNSC || format == host.format && pinner == host.pinner
    }

    /// Some entry says which host it is for.
    package var hasNames: Bool { !places.isEmpty }

    /// - Parameter day: today, for platforms that pass over an entry whose pins are off; nil: none is.
    package func effective(for host: String, on day: CalendarDate? = nil) -> EffectivePins {
        let candidates = candidates(for: Self.normal(host))
        let matching = candidates.filter(\.matches).map(\.place)
        let counting: [Int]
        switch Precedence(format) {
        case .allUnite:
            var pins = 0
            counting = matching.prefix { place in
                defer { pins += hosts[place].pins.count }
                return pins < Self.maxUnited
            }
        case .nearest(let first):
            // Of the same domain there is one in each format; where there are more, it depends on the platform which.
            let nearest = candidates.first(where: \.matches)
            let same = candidates.filter { $0.matches && $0.depth == nearest?.depth && $0.rank == nearest?.rank }
            counting = (first ? same.first : same.last).map { [$0.place] } ?? []
        case .nearestOrNone:
            let alive = candidates.filter { candidate in
                guard let day, let expires = hosts[candidate.place].expires else { return true }
                return day < expires
            }
            let nearest = alive.filter { $0.depth == alive.first?.depth }.last
            counting = nearest.flatMap { $0.matches ? [$0.place] : nil } ?? []
        }
        return EffectivePins(
            format: format, entries: counting.sorted().map { hosts[$0] },
            passedOver: Set(matching).subtracting(counting).sorted().map { hosts[$0] })
    }

    /// An entry for a name or for one above it.
    private struct Candidate {
        var place: Int
        /// Labels between its domain and the host.
        var depth: Int
        var matches: Bool
        /// 0 for the host itself, 1 where its pattern takes in one label only, 2 for any depth: as profiles rank them.
        var rank: Int
    }

    /// The nearest first.
    private func candidates(for host: String) -> [Candidate] {
        guard host.utf8.count <= Self.maxName else { return [] }
        var found: [Candidate] = []
        var rest = host[...]
        var depth = 0
        while found.count < Self.maxAbove {
            for place in places[String(rest)] ?? [] {
                let reach = hosts[place].reach
                let matches =
                    depth == 0
                    ? reach.contains(.itself)
                    : reach.contains(.descendants) || (depth == 1 && reach.contains(.children))
                let isNarrow = reach.contains(.children) && !reach.contains(.descendants)
                found.append(
                    Candidate(place: place, depth: depth, matches: matches, rank: depth == 0 ? 0 : isNarrow ? 1 : 2))
            }
            guard let dot = rest.firstIndex(of: ".") else { break }
            rest = rest[rest.index(after: dot)...]
            depth += 1
        }
        return found.sorted { ($0.depth, $0.rank, $0.place) < ($1.depth, $1.rank, $1.place) }
    }

    /// In lower case, without one trailing dot.
    package static func normal(_ host: String) -> String {
        let lower = host.lowercased()
        return lower.utf8.count > 1 && lower.utf8.last == UInt8(ascii: ".") ? String(lower.dropLast()) : lower
    }
}

extension PlatformRules {
    /// What becomes of several entries that match one host.
    private enum Precedence {
        case allUnite
        /// That of the longest domain; of two for the same the first or the last.
        case nearest(first: Bool)
        /// That of the longest domain, and none if it does not take the host in.
        case nearestOrNone

        init(_ format: PinFormat) {
            self =
                switch format {
                // Apple: parseNSPinnedDomains (SecPolicy.c) adds up all entries. OkHttp: findMatchingPins
                // (CertificatePinner.kt). The others compare exact names, so that there is nothing nearer or farther.
                case .appleATS, .okHttp, .alamofire, .afNetworking, .flutter, .reactNative, .source, .androidManifest:
                    .allUnite
                // getConfigForHostname (ApplicationConfig.java) takes the first of equal length. A browser reads the
                // first header alone (RFC 7469 §2.3.1).
                case .androidNSC, .hpkp: .nearest(first: true)
                // TrustKit: configuration_utils.m. curl: its last option. Profiles: HostPattern.
                case .trustKit, .curl, .neutral, .profile, .code: .nearest(first: false)
                // GetDynamicPKPState (transport_security_state.cc): "a PKP entry at a more specific domain overrides a
                // less specific domain whether or not |include_subdomains| is set"; one past its day is as if not there.
                case .cronet: .nearestOrNone
                }
        }
    }
}
