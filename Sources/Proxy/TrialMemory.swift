import Facts
import Loop
import Policy
import TLS

/// What one trial remembers of its hosts, for all loops.
///
/// It is made anew with each plan, so nothing outlives a cold start.
///
/// Only connections of a conduct that needs it ask, and none of them per read: once at the ClientHello, and once for
/// each request that a tunnel shows answered.
final class TrialMemory: Sendable {
    /// Makes the sessions of `resumption`; nil in every other trial.
    let resumable: ServerContext?
    private let hosts = Locked<[Visit: Host]>([:])

    /// A host as one client meets it: another device's connections are no earlier ones of this.
    struct Visit: Hashable {
        var client: String?
        var host: HostName
    }

    private struct Host {
        /// When its first ClientHello came.
        let firstSeen: Double
        /// ClientHellos so far.
        var hellos = 0
        var requests = 0
        /// One that had worked was closed (`Conduct.Onset.afterCut`).
        var wasCut = false
        /// A session under the lent key has carried data and its answer.
        var hasSession = false
    }

    /// Hosts that one trial remembers: a wildcard may stand for many. Those beyond are not attacked.
    static let hostLimit = 4096

    init(_ plan: Plan) throws(OpenSSLError) {
        guard case .attack(_, let variant, _) = plan.phase, variant.conduct.resumption else {
            resumable = nil
            return
        }
        resumable = try ServerContext(.resumable)
    }

    /// Whether a connection whose ClientHello has just come is one of those that are left alone. Where a CONNECT is to be
    /// refused, it is asked for the CONNECT as well, and counts that.
    func spares(_ host: Visit, until onset: Conduct.Onset, now: Double) -> Bool {
        guard onset != .atOnce else { return false }
        return hosts.withLock { hosts in
            if hosts[host] == nil, hosts.count >= Self.hostLimit { return true }
            var one = hosts[host] ?? Host(firstSeen: now)
            defer { hosts[host] = one }
            let earlier = one.hellos
            one.hellos += 1
            switch onset {
            case .atOnce: return false
            case .afterConnections(let count): return earlier < count
            case .only(let place): return earlier + 1 != place
            case .allBut(let place): return earlier + 1 == place
            case .afterSeconds(let seconds): return now - one.firstSeen < seconds
            case .afterRequests(let count): return one.requests < count
            case .afterOutage(_, let count): return earlier < count
            // What was opened beside the one that is cut is none that is made anew.
            case .afterCut: return !one.wasCut
            case .afterLostAnswer, .afterNoAnswer, .afterRefusedConnect: return earlier == 0
            }
        }
    }

    func requestsAnswered(_ host: Visit, _ count: Int) { hosts.withLock { $0[host]?.requests += count } }

    func wasCut(_ host: Visit) { hosts.withLock { $0[host]?.wasCut = true } }

    /// Whether the client has a session that was begun under the lent key.
    func hasSession(with host: Visit) -> Bool { hosts.withLock { $0[host]?.hasSession ?? false } }

    func sessionCarriedData(with host: Visit, now: Double) {
        hosts.withLock { hosts in
            guard hosts[host] != nil || hosts.count < Self.hostLimit else { return }
            hosts[host, default: Host(firstSeen: now)].hasSession = true
        }
    }
}
