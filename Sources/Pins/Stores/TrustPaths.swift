import Facts

/// The ways from a server's certificate to the roots of each kind of device.
///
///     let paths = TrustPaths(chain, on: today)
///     paths.paths(.android(24))           // shortest first; empty: such a device refuses the server
///     paths.sight(of: pins, .android(24)) // whether it ever meets a pinned key
///
/// Devices differ in which of several ways they take, and they mostly take the shortest: Android stops at the first
/// anchor that it meets, and compares pins with that one chain (TrustManagerImpl.checkTrustedRecursive of Conscrypt,
/// NetworkSecurityTrustManager). Android fetches nothing that the server does not show; others may, or remember it.
package struct TrustPaths: Hashable, Sendable {
    package struct Step: Hashable, Sendable {
        package var name: String
        package var key: [UInt8]
        /// Index in the chain; nil for what the server does not show.
        package var shown: Int?
    }

    package struct Path: Hashable, Sendable {
        /// The server's own first, the anchor last.
        package var steps: [Step]
        /// It has a cross-sign that the server does not show.
        package var needsMore: Bool

        /// `api.example.com ← WR1 ← GTS Root R1`.
        package var text: String { steps.map { Printable.excerpt($0.name) }.joined(separator: " ← ") }
    }

    /// Whether a device meets one of some pins.
    package enum Sight: String, Hashable, Sendable {
        /// On the way that it takes.
        case expected
        /// On a longer way only: Apple's platforms look at others where a pin does not match.
        case possible
        case never
        /// It finds no way to a root: it refuses the server, whatever is pinned.
        case noPath = "no-path"
    }

    private let chain: [GenuineCertificate]
    private let ways: [Path]

    /// - Parameters:
    ///   - chain: leaf first; what the server shows, in any order after it.
    ///   - day: cross-signs that have ended by then are left out.
    package init(_ chain: [GenuineCertificate], on day: CalendarDate) {
        self.chain = Array(chain.prefix(Self.longestChain))
        ways = Self.ways(self.chain, day)
    }

    /// A server's certificates; more are an attack on who looks at them.
    static let longestChain = 10
    private static let longestPath = 8
    private static let mostPaths = 64

    /// Shortest first; those that need more than the server shows last.
    package func paths(_ store: DeviceStore) -> [Path] {
        ways.filter { path in
            path.steps.last.flatMap { KnownRoot.of(key: $0.key) }.map(store.contains) ?? false
        }.sorted { a, b in
            if a.needsMore != b.needsMore { return !a.needsMore }
            return a.steps.count != b.steps.count ? a.steps.count < b.steps.count : a.text < b.text
        }
    }

    package func sight(of pins: [DeclaredPin], _ store: DeviceStore) -> Sight {
        let paths = paths(store)
        guard let first = paths.first else { return .noPath }
        if store.isAndroid {
            // It takes the first anchor, and fetches nothing.
            return first.needsMore ? .noPath : meets(first, pins) ? .expected : .never
        }
        if meets(first, pins) { return .expected }
        return paths.contains { meets($0, pins) } ? .possible : .never
    }

    private func meets(_ path: Path, _ pins: [DeclaredPin]) -> Bool {
        path.steps.enumerated().contains { index, step in
            pins.contains { pin in
                if pin.part == .leaf, index > 0 { return false }
                if pin.part == .ca, index == 0 { return false }
                if pin.kind == .spkiSHA256 { return pin.digest == step.key }
                return step.shown.flatMap { chain[$0].matches(pin) } ?? false
            }
        }
    }

    // MARK: all ways, to whatever root

    private static func ways(_ chain: [GenuineCertificate], _ day: CalendarDate) -> [Path] {
        guard let leaf = chain.first else { return [] }
        var found: [Path] = []
        let start = Step(name: DistinguishedName(leaf.subject).label, key: leaf.spkiSHA256, shown: 0)
        follow(Path(steps: [start], needsMore: false), leaf.issuer, chain, day, &found)
        return distinct(found)
    }

    /// A cross-sign that the server shows is a known one too: each way once, and rather by what is shown.
    private static func distinct(_ paths: [Path]) -> [Path] {
        var seen: Set<[[UInt8]]> = []
        return (paths.filter { !$0.needsMore } + paths.filter(\.needsMore)).filter {
            seen.insert($0.steps.map(\.key)).inserted
        }
    }

    /// Adds every way that goes on from the last step, whose issuer has that name.
    private static func follow(
        _ path: Path, _ issuer: String, _ chain: [GenuineCertificate], _ day: CalendarDate, _ found: inout [Path]
    ) {
        guard path.steps.count < longestPath, found.count < mostPaths else { return }
        var keys = Set(path.steps.map(\.key))
        for (index, certificate) in chain.enumerated() where index > 0 && certificate.subject == issuer {
            guard keys.insert(certificate.spkiSHA256).inserted else { continue }
            let step = Step(
                name: DistinguishedName(certificate.subject).label, key: certificate.spkiSHA256, shown: index)
            reach(path, step, chain, day, &found)
            // The same CA's certificates have the same key; each may lead on to another issuer.
            for other in chain.dropFirst() where other.subject == issuer && !other.isSelfIssued {
                follow(path + step, other.issuer, chain, day, &found)
            }
        }
        if let root = KnownRoot.named(issuer), keys.insert(root.key).inserted {
            reach(path, Step(name: root.name, key: root.key, shown: nil), chain, day, &found)
        } else if let key = KnownCA(DistinguishedName(issuer).label).key, keys.insert(key).inserted {
            climb(path + Step(name: DistinguishedName(issuer).label, key: key, shown: nil), day, &found)
        }
    }

    /// The step may be an anchor, and there may be cross-signs above it.
    private static func reach(
        _ path: Path, _ step: Step, _ chain: [GenuineCertificate], _ day: CalendarDate, _ found: inout [Path]
    ) {
        let longer = path + step
        if KnownRoot.of(key: step.key) != nil { found.append(longer) }
        climb(longer, day, &found)
    }

    /// Upwards by cross-signs that the server does not show.
    private static func climb(_ path: Path, _ day: CalendarDate, _ found: inout [Path]) {
        guard path.steps.count < longestPath, found.count < mostPaths, let last = path.steps.last else { return }
        for cross in CrossSign.all where cross.subject.key == last.key && cross.notAfter >= day {
            guard let key = cross.issuer.key, !path.steps.contains(where: { $0.key == key }) else { continue }
            var longer = path + Step(name: cross.issuer.name, key: key, shown: nil)
            longer.needsMore = true
            if KnownRoot.of(key: key) != nil { found.append(longer) }
            climb(longer, day, &found)
        }
    }
}

extension TrustPaths.Path {
    static func + (path: Self, step: TrustPaths.Step) -> Self {
        Self(steps: path.steps + [step], needsMore: path.needsMore)
    }
}

extension DeviceStore {
    var isAndroid: Bool { if case .android = self { true } else { false } }

    /// Android 14 moved its roots into a module that Google Play updates.
    var isUpdated: Bool { if case .android(34...) = self { true } else { false } }
}
