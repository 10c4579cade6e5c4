import Facts
import Flows

/// What a debug session shows that may be in the way: refusals, QUIC, another interceptor.
struct SessionChecks: Sendable {
    var reading: SessionReading
    /// The store was named with an option: it has to be there.
    var isStoreNamed = false
    /// Subjects of roots that were added to this machine's store.
    var addedRoots: Set<String> = []

    var isStoreUnreadable: Bool {
        switch reading {
        case .seen: false
        case .missing: isStoreNamed
        case .unreadable: true
        }
    }

    var checks: [DoctorCheck] {
        switch reading {
        case .missing(let path):
            return [
                DoctorCheck(
                    "store", isStoreNamed ? .failed : .skipped, "nothing is recorded: there is no \(path)",
                    todo: isStoreNamed ? "name the one that `pinproof proxy` says when it starts" : nil)
            ]
        case .unreadable(let explanation):
            return [DoctorCheck("store", .failed, explanation.message, todo: explanation.hints.first)]
        case .seen(let seen):
            guard seen.flows > 0 else {
                return [DoctorCheck("store", .skipped, "nothing was recorded in the last day")]
            }
            return session(seen) + [quic(seen)] + interceptors(seen) + cut(seen)
        }
    }

    private func cut(_ seen: SessionSeen) -> [DoctorCheck] {
        guard seen.isCut else { return [] }
        return [DoctorCheck("store", .skipped, "only the newest \(seen.flows) flows of the last day were looked at")]
    }

    // MARK: The session

    private func session(_ seen: SessionSeen) -> [DoctorCheck] {
        var checks: [DoctorCheck] = []
        let decrypted = seen.hosts.filter { seen.outcomes[$0] == .decrypted }
        if !decrypted.isEmpty {
            checks.append(
                DoctorCheck(
                    "decrypted", .ok,
                    "in the last day \(English.count(decrypted.count, "host")) could be read: \(Self.some(decrypted))"))
        }
        for (outcome, id, status) in [
            (SessionSeen.Outcome.refused, FlowFailure.ID.clientRefusedCertificate, DoctorCheck.Status.failed),
            (.closed, .clientClosedAfterHandshake, .warning),
        ] {
            let group = seen.group(outcome)
            guard group.count > 0 else { continue }
            for reason in WhyNothing.refusals([id: group]) {
                checks.append(DoctorCheck(id.rawValue, status, reason.text, todo: reason.hint))
            }
        }
        for reason in WhyNothing.tunnels(seen.group(.passed), nil) {
            checks.append(DoctorCheck("tunnel", .warning, reason.text, todo: reason.hint))
        }
        return checks
    }

    private static func some(_ hosts: [String]) -> String { English.some(hosts.map { Printable.escaped($0) }) }

    // MARK: QUIC

    private func quic(_ seen: SessionSeen) -> DoctorCheck {
        guard seen.quic.count > 0 else { return DoctorCheck("quic", .ok, "no host offered QUIC (HTTP/3)") }
        return DoctorCheck(
            "quic", .warning,
            "\(Self.some(seen.quic.hosts)) offered QUIC (HTTP/3): an app may reach \(seen.quic.hosts.count == 1 ? "it" : "them") past the proxy",
            todo: "disable QUIC in the debug build, start Chromium with `--disable-quic`, or block UDP port 443")
    }

    // MARK: Another interceptor

    private func interceptors(_ seen: SessionSeen) -> [DoctorCheck] {
        var checks = known(seen) + added(seen)
        checks += strange(seen)
        guard checks.isEmpty, !seen.issuers.isEmpty else { return checks }
        return [DoctorCheck("interceptor", .ok, "the origins' certificates show no other interceptor")]
    }

    private static let advice =
        "what is recorded is what it lets pass: look from a network without it (VPN, virus scanner, company proxy)"

    private func known(_ seen: SessionSeen) -> [DoctorCheck] {
        seen.issuers.sorted { $0.key < $1.key }.compactMap { issuer, group in
            guard let name = KnownInterceptors.name(in: issuer) else { return nil }
            return DoctorCheck(
                "interceptor", .warning,
                "\(name) stands between the proxy and \(Self.some(group.hosts)): it issues their certificates",
                todo: Self.advice)
        }
    }

    /// A root of this machine's own above hosts of different owners.
    private func added(_ seen: SessionSeen) -> [DoctorCheck] {
        seen.issuers.sorted { $0.key < $1.key }.compactMap { issuer, group in
            guard group.owners.count > 1, addedRoots.contains(issuer), KnownInterceptors.name(in: issuer) == nil else {
                return nil
            }
            return DoctorCheck(
                "interceptor", .warning,
                "a root that was added to this machine (\(Printable.excerpt(issuer, limit: 60))) is above hosts of "
                    + "different owners: \(Self.some(group.hosts))", todo: Self.advice)
        }
    }

    /// Chains that lead to no root that is known, and still do.
    private func strange(_ seen: SessionSeen) -> [DoctorCheck] {
        let hosts = seen.hosts.filter { seen.outcomes[$0] == .strange }
        let owners = Set(hosts.compactMap(SessionSeen.owner))
        if owners.count > 1 {
            return [
                DoctorCheck(
                    "interceptor", .failed,
                    "the certificates of \(Self.some(hosts)) lead to no known root: another interceptor may stand "
                        + "between the proxy and them",
                    todo: "leave its network, or name its root under `upstream.roots` in the profile")
            ]
        }
        guard let host = hosts.first, let failure = seen.strangers[host] else { return [] }
        return [DoctorCheck("origin", .warning, failure.text, todo: failure.hint)]
    }
}
