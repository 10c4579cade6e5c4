import Facts
import Filters
import Flows
import Policy
import Store

/// What the recorded flows of a day say of hosts, the newest first.
struct SessionSeen: Hashable, Sendable {
    /// What a host's newest flow says.
    enum Outcome: Hashable, Sendable { case decrypted, refused, closed, passed, strange }

    /// Hosts whose chains end below the same name.
    struct Issuer: Hashable, Sendable {
        var hosts: [String] = []
        /// Registrable domains, as far as there are such.
        var owners: Set<String> = []
    }

    private(set) var flows = 0
    /// There are more than were looked at.
    var isCut = false
    /// Whose answers offered HTTP/3.
    private(set) var quic = SeenTraffic.Group()
    private(set) var outcomes: [String: Outcome] = [:]
    /// Hosts in the order in which they came.
    private(set) var hosts: [String] = []
    /// Connections that ended so, by host.
    private var counts: [String: [Outcome: Int]] = [:]
    /// By the issuer of the last certificate that was shown, of chains that were verified.
    private(set) var issuers: [String: Issuer] = [:]
    /// Why a host's chain led to no root that is known, as its newest failure has it.
    private(set) var strangers: [String: FlowFailure] = [:]

    /// Hosts of a day; an app has some dozens.
    private static let hostLimit = 5000

    mutating func note(_ flow: Flow) {
        flows += 1
        guard let host = flow.server.host, !Self.own.contains(host) else { return }
        if flow.response?.headers.values(of: "alt-svc").contains(where: Self.offersHTTP3) == true { quic.add(host) }
        note(flow.tls?.upstream?.chain.last?.issuer, of: host)
        guard let outcome = outcome(of: flow) else { return }
        guard outcomes[host] != nil || hosts.count < Self.hostLimit else { return }
        counts[host, default: [:]][outcome, default: 0] += 1
        if outcome == .strange, strangers[host] == nil { strangers[host] = flow.failure }
        switch outcomes[host] {
        case nil:
            outcomes[host] = outcome
            hosts.append(host)
        // Spare connections are closed unused beside others that work; one that was refused before is no such.
        case .closed where outcome == .decrypted || outcome == .passed: outcomes[host] = outcome
        default: break
        }
    }

    /// The proxy's own pages, which this doctor asks for as well.
    private static let own: Set<String> = [AboutProxy.host, TrustClient.host]

    private func outcome(of flow: Flow) -> Outcome? {
        switch flow.kind {
        case .http, .websocket, .raw: flow.scheme == "https" ? .decrypted : nil
        case .tunnel: .passed
        case .failure:
            switch flow.failure?.id {
            case .clientRefusedCertificate: .refused
            case .clientClosedAfterHandshake: .closed
            case .originCertificate where flow.failure.map(Self.isStranger) == true: .strange
            default: nil
            }
        }
    }

    private mutating func note(_ issuer: String?, of host: String) {
        guard let issuer, issuers[issuer] != nil || issuers.count < Self.hostLimit else { return }
        if issuers[issuer]?.hosts.contains(host) == true { return }
        issuers[issuer, default: Issuer()].hosts.append(host)
        if let owner = Self.owner(of: host) { issuers[issuer]?.owners.insert(owner) }
    }

    static func owner(of host: String) -> String? { HostName(host).flatMap(RegistrableDomain.of) }

    /// Hosts of which this is the last word, with all connections that ended so.
    func group(_ outcome: Outcome) -> SeenTraffic.Group {
        var group = SeenTraffic.Group()
        for host in hosts where outcomes[host] == outcome {
            for _ in 0..<(counts[host]?[outcome] ?? 1) { group.add(host) }
        }
        return group
    }

    /// `h3=":443"; ma=86400, h3-29=":443"`, and QUIC's older names.
    static func offersHTTP3(_ value: String) -> Bool {
        value.lowercased().split(separator: ",").contains { service in
            let name = service.prefix { $0 != "=" }.filter { $0 != " " }
            return name == "h3" || name.hasPrefix("h3-") || name == "quic"
        }
    }

    /// In OpenSSL's words: its chain is sound as far as it goes, and nobody knows its root.
    private static func isStranger(_ failure: FlowFailure) -> Bool {
        [
            "unable to get local issuer", "unable to get issuer", "self-signed", "self signed",
            "unable to verify the first",
        ]
        .contains { failure.text.contains($0) }
    }
}

/// What came of looking into the store.
enum SessionReading: Hashable, Sendable {
    case seen(SessionSeen)
    /// There is no store.
    case missing(path: String)
    case unreadable(Explanation)

    /// How far back.
    static let span = "24h"
    /// Flows that are looked at: some seconds' work, and more than a person causes in a day.
    private static let flowLimit = 200_000

    static func read(_ path: String, now: Double) -> SessionReading {
        do {
            let access = try FlowsAccess(store: path, filter: ["after:\(span)"], now: now)
            var seen = SessionSeen()
            try access.store.forEach(matching: access.filter, order: .newestFirst) { flow in
                seen.isCut = seen.flows >= flowLimit
                if !seen.isCut { seen.note(flow) }
                return !seen.isCut
            }
            return .seen(seen)
        } catch StoreError.missing {
            return .missing(path: path)
        } catch {
            let error = error as? StoreError
            return .unreadable(error?.explanations.first ?? Explanation("\(path): cannot be read"))
        }
    }
}
