import Facts
import Verdict

/// The chains that genuine servers showed while the app was attacked, by host.
///
/// An untouched connection hides its chain (TLS 1.3), so a host that was never intercepted has none.
struct GenuineChains {
    /// Servers behind one name may differ; more than these are a moving target, and a count says so.
    static let limit = 4

    private var chains: [JudgedHosts.Key: [GenuineChain]] = [:]
    private var counts: [JudgedHosts.Key: Int] = [:]

    init(_ input: ReportInput) {
        let hosts = JudgedHosts(input.judgement)
        var facts: [String: CertificateFacts] = [:]
        var seen: [(keys: Set<JudgedHosts.Key>, upstream: Observation.Upstream)] = []
        for run in input.runs {
            for case .connection(let observed) in run.records.lazy.map(\.record) where observed.observation.trial > 0 {
                let connection = observed.observation
                guard let upstream = connection.upstream, !upstream.chain.isEmpty else { continue }
                for certificate in upstream.certificates { facts[certificate.sha256] = certificate }
                seen.append((hosts.keys(of: connection, named: true), upstream))
            }
        }
        var known: Set<Seen> = []
        for (keys, upstream) in seen {
            for key in keys where known.insert(Seen(key: key, chain: upstream.chain)).inserted {
                counts[key, default: 0] += 1
                guard chains[key, default: []].count < Self.limit else { continue }
                chains[key, default: []].append(GenuineChain(upstream, facts))
            }
        }
    }

    /// In the order in which they were met, at most `limit`.
    func chains(of host: HostVerdict) -> [GenuineChain] { chains[JudgedHosts.Key(host)] ?? [] }

    /// How many different ones there were.
    func count(of host: HostVerdict) -> Int { counts[JudgedHosts.Key(host)] ?? 0 }

    private struct Seen: Hashable {
        let key: JudgedHosts.Key
        let chain: [String]
    }
}

/// One chain of a genuine server, the leaf first.
struct GenuineChain: Hashable {
    struct Certificate: Hashable {
        /// Of the DER, hexadecimal.
        var sha256: String
        /// `sha256/…`, of its key.
        var pin: String?
        /// nil where the evidence does not say, as older ones do not.
        var subject: String?
        /// RFC 3339.
        var notAfter: String?
    }

    /// It verified for the host, by the system's roots and the profile's.
    var isVerified: Bool
    var certificates: [Certificate]
    /// Pin of the trust anchor where the server did not send it.
    var anchorPin: String?

    init(_ upstream: Observation.Upstream, _ facts: [String: CertificateFacts]) {
        isVerified = upstream.verified
        let pins = upstream.spki.map { "sha256/\($0)" }
        certificates = upstream.chain.enumerated().map { index, sha256 in
            Certificate(
                sha256: sha256, pin: index < pins.count ? pins[index] : nil, subject: facts[sha256]?.subject,
                notAfter: facts[sha256]?.notAfter)
        }
        anchorPin = pins.count > upstream.chain.count ? pins.last : nil
    }

    /// The first of its certificates to run out, where the evidence says when each does.
    var expiry: String? { certificates.compactMap(\.notAfter).min() }

    /// Whole days from the run to the end of its first certificate; negative where it was over.
    func daysLeft(at started: String) -> Int? {
        guard let expiry, let end = UTCTime.unix(rfc3339: expiry), let start = UTCTime.unix(rfc3339: started) else {
            return nil
        }
        return Int(((end - start) / 86_400).rounded(.down))
    }
}
