import Facts
import Flows
import Loop
import Policy

/// Why nothing was intercepted, in words, and when it is time to say so.
///
///     var why = WhyNothing(profile: profile, listening: endpoint, machine: addresses, began: now)
///     why.due(seen, open: 0, at: now)     // once a second: what is to be said now, mostly nothing
///     why.atEnd(seen)                     // once
struct WhyNothing: Sendable {
    /// One reason, and what to do about it.
    struct Reason: Hashable, Sendable {
        var text: String
        var hint: String
    }

    /// Seconds without any connection: who sets up a phone needs about that long.
    static let patienceWithout = 60.0
    /// Seconds from the first connection: an app that starts has asked for something by then.
    static let patience = 15.0

    private let profile: Profile
    private let listening: Endpoint
    private let machine: Set<IPAddress>
    private let hasStore: Bool
    private let began: Double
    private var firstConnection: Double?
    private var hasSaidEmpty = false
    private var hasSaid = false

    /// - Parameters:
    ///   - listening: as it was bound, an unspecified address included.
    ///   - machine: addresses of this machine.
    ///   - began: seconds, of any clock that does not go backwards.
    init(profile: Profile, listening: Endpoint, machine: Set<IPAddress>, hasStore: Bool, began: Double) {
        self.profile = profile
        self.listening = listening
        self.machine = machine
        self.hasStore = hasStore
        self.began = began
    }

    /// Nothing more is to be said before the end.
    func isDone(_ seen: SeenTraffic) -> Bool { hasSaid || seen.hasIntercepted }

    /// - Parameter open: connections that are going on.
    /// - Returns: what is to be said now, if anything.
    mutating func due(_ seen: SeenTraffic, open: Int, at now: Double) -> [Reason] {
        guard !isDone(seen) else { return [] }
        if seen.connections == 0, open == 0, seen.tunnels.count == 0, seen.plain.count == 0 {
            guard !hasSaidEmpty, now - began >= Self.patienceWithout else { return [] }
            hasSaidEmpty = true
            return reasons(seen)
        }
        let first = firstConnection ?? now
        firstConnection = first
        guard now - first >= Self.patience else { return [] }
        let reasons = reasons(seen)
        // One that is open and has shown nothing yet may be the one that is waited for.
        guard !reasons.isEmpty, seen.connections > 0 || seen.tunnels.count + seen.plain.count > 0 else { return [] }
        hasSaid = true
        return reasons
    }

    func atEnd(_ seen: SeenTraffic) -> [Reason] { reasons(seen) }

    // MARK: Words

    /// All that was seen, what says most first; empty where something was intercepted.
    private func reasons(_ seen: SeenTraffic) -> [Reason] {
        guard !seen.hasIntercepted else { return [] }
        var reasons = Self.refusals(seen.failures) + Self.tunnels(seen.tunnels, profile)
        if seen.plain.count > 0 {
            reasons.append(
                Reason(
                    text:
                        "\(English.count(seen.plain.count, "request")) came in plain HTTP (\(Self.hosts(seen.plain))), which "
                        + "is recorded as it is",
                    hint:
                        "if the app speaks HTTPS as well, set the proxy for HTTPS too: many settings are for HTTP alone"
                ))
        }
        if seen.raw.count > 0 {
            reasons.append(
                Reason(
                    text:
                        "\(English.count(seen.raw.count, "connection")) carried something that is neither TLS nor HTTP (\(Self.hosts(seen.raw)))",
                    hint: "there is nothing to decrypt in them; their bytes are recorded"))
        }
        reasons += faults(seen)
        if reasons.isEmpty, seen.probes > 0 {
            reasons.append(
                Reason(
                    text: English.count(seen.probes, "connection")
                        + " asked for no host: a health check, or a program that does not use the proxy as one",
                    hint: "set \(listening) as the proxy, for HTTP and HTTPS; a browser that opens it is told how"))
        }
        if reasons.isEmpty {
            reasons.append(Reason(text: "no app has connected to the proxy", hint: reach))
        }
        return reasons
    }

    /// Of hosts whose certificate the app may not have taken.
    static func refusals(_ failures: [FlowFailure.ID: SeenTraffic.Group]) -> [Reason] {
        var reasons: [Reason] = []
        if let refused = failures[.clientRefusedCertificate] {
            reasons.append(
                Reason(
                    text: "\(English.count(refused.count, "handshake")) failed because the app refused the proxy's "
                        + "certificate (\(hosts(refused))): it does not trust the CA, or it pins these hosts",
                    hint:
                        "open http://pinproof.test/ on the device and install the CA (or `pinproof ca export`), and let "
                        + "this build trust it; disable its pinning, or let a host pass: `expect: tunnel` in the profile"
                ))
        }
        if let closed = failures[.clientClosedAfterHandshake] {
            reasons.append(
                Reason(
                    text: "\(English.count(closed.count, "connection")) ended after the handshake without a request "
                        + "(\(hosts(closed))): the app may pin these hosts",
                    hint: "disable pinning in this build, or let a host pass: `expect: tunnel` in the profile"))
        }
        return reasons
    }

    /// - Parameter profile: by which they passed; nil: nobody knows any more.
    static func tunnels(_ tunnels: SeenTraffic.Group, _ profile: Profile?) -> [Reason] {
        guard tunnels.count > 0 else { return [] }
        let ruled = tunnels.hosts.filter { HostName($0).flatMap { profile?.rule(for: $0) }?.expect == .tunnel }
        let isByOthers = ruled.count < tunnels.hosts.count && profile?.others == .tunnel
        let (byOthers, byRule) = (
            "name them under `hosts`, or say `others: accept` in the profile",
            "take `expect: tunnel` from the hosts that you want to see"
        )
        let why =
            switch profile {
            case nil: ""
            case _ where isByOthers: ": the profile names none of these hosts, or lets them pass"
            default: ": the profile lets these hosts pass"
            }
        return [
            Reason(
                text: "\(English.count(tunnels.count, "connection")) passed unread (\(hosts(tunnels)))" + why,
                hint: profile == nil ? "\(byRule); or \(byOthers)" : isByOthers ? byOthers : byRule)
        ]
    }

    private func faults(_ seen: SeenTraffic) -> [Reason] {
        let told: [FlowFailure.ID] = [.clientRefusedCertificate, .clientClosedAfterHandshake]
        let rest = FlowFailure.ID.allCases.filter { !told.contains($0) }.compactMap { id in
            seen.failures[id].map { (id, $0) }
        }
        guard !rest.isEmpty else { return [] }
        let count = rest.reduce(0) { $0 + $1.1.count }
        return [
            Reason(
                text: "\(English.count(count, "connection")) came to nothing: "
                    + rest.map { "\($0.rawValue) (\(Self.hosts($1)))" }.joined(separator: ", "),
                hint: hasStore ? "`pinproof flows list is:failed` says why, one by one" : "-v says why, one by one")
        ]
    }

    private static func hosts(_ group: SeenTraffic.Group) -> String {
        group.hosts.isEmpty ? "no host was named" : English.some(group.hosts.map { Printable.escaped($0) })
    }

    /// What to set as the proxy, and where.
    private var reach: String {
        let port = listening.port
        guard let address = listening.host.address, address.isUnspecified else {
            let isLocal = listening.host.address?.isLoopback == true
            return "set \(listening) as the proxy of the app, for HTTP and HTTPS"
                + (isLocal ? "; other devices reach the proxy when it is started with --listen 0.0.0.0:\(port)" : "")
        }
        let addresses = DeviceAddresses(listening: listening, machine: machine).endpoints.map(\.description)
        return "set one of these as the proxy of the app or device, for HTTP and HTTPS: "
            + (addresses + ["127.0.0.1:\(port)"]).joined(separator: ", ") + " (Android's emulator: 10.0.2.2:\(port))"
    }
}
